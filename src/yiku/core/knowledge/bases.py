"""Knowledge bases: made, listed, archived and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from yiku.core.audit import audited
from yiku.core.knowledge.records import BASE, DOCUMENT, base_of_record, base_record
from yiku.model.errors import Conflict, KeyTaken, NotFound
from yiku.model.knowledge import BASE_PREFIX, KnowledgeBase
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, PageQuery, Record, Ref
from yiku.model.scopes import Partition, base_partition, library_partition
from yiku.model.texts import check_identifier, check_text
from yiku.ports import Ports

NAME_BYTES_MAX = 512
DESCRIPTION_BYTES_MAX = 4_096


@dataclass(frozen=True, kw_only=True, slots=True)
class NewBase:
    """`id` is the caller's choice; None makes one."""

    name: str
    description: str = ""
    id: str | None = None

    def __post_init__(self) -> None:
        check_identifier(self.name, field="name", bytes_max=NAME_BYTES_MAX)
        check_text(self.description, field="description", bytes_max=DESCRIPTION_BYTES_MAX, blank_allowed=True)
        if self.id is not None:
            check_identifier(self.id, field="id", bytes_max=256)


@dataclass(frozen=True, slots=True)
class BaseSummary:
    base: KnowledgeBase
    documents: int


@dataclass(frozen=True, slots=True)
class BasePage:
    """`count` is how many bases there are in all."""

    count: int
    bases: tuple[BaseSummary, ...]


async def create_base(ports: Ports, principal: Principal, new: NewBase) -> KnowledgeBase:
    """A new, empty base. `Conflict` when there is one with this id, archived or not."""
    principal.require("knowledge:write")
    ports.require_documents()
    now = ports.clock.now()
    base = KnowledgeBase(
        id=new.id or ports.clock.new_id(BASE_PREFIX),
        workspace=principal.workspace,
        name=new.name,
        description=new.description,
        created=now,
        updated=now,
    )
    made = base_record(base, ports.clock.new_id(BASE_PREFIX))
    try:
        await ports.storage.commit(Changes(partition=library_partition(principal.workspace), puts=(made,)))
    except KeyTaken as error:
        raise Conflict(f"There is a knowledge base {base.id[:64]!r} already: use it, or choose another id") from error
    return base


async def list_bases(ports: Ports, principal: Principal, *, page: int = 1, page_size: int = 100) -> BasePage:
    """In the order in which they were made, archived ones too."""
    principal.require("knowledge:read")
    ports.require_documents()
    library = library_partition(principal.workspace)
    query = PageQuery(partitions=(library,), kind=BASE, ascending=True, offset=(page - 1) * page_size, limit=page_size)
    found = await ports.storage.page(query)
    bases = [base_of_record(record, library) for record in found.records]
    return BasePage(found.count, tuple(await _summaries(ports, bases)))


async def count_bases(ports: Ports, workspaces: Sequence[str]) -> int:
    """Of these workspaces together, archived ones too."""
    libraries = tuple(library_partition(workspace) for workspace in workspaces)
    return (await ports.storage.page(PageQuery(partitions=libraries, kind=BASE, limit=0))).count


async def get_base(ports: Ports, principal: Principal, base_id: str) -> KnowledgeBase:
    principal.require("knowledge:read")
    return await require_base(ports, principal, base_id)


async def archive_base(ports: Ports, principal: Principal, base_id: str) -> KnowledgeBase:
    """Nothing of it is found or read any more, and nothing is lost. Archiving twice is no error."""
    principal.require("knowledge:write")
    record = await _known(ports, principal, base_id)
    library = library_partition(principal.workspace)
    return await _put_away(ports, library, record)


async def delete_base(ports: Ports, principal: Principal, base_id: str) -> int:
    """Everything of this base is gone. How many documents there were."""
    principal.require("knowledge:write")
    record = await _known(ports, principal, base_id)
    library, partition = library_partition(principal.workspace), base_partition(principal.workspace, base_id)
    (summary,) = await _summaries(ports, [base_of_record(record, library)])
    async with audited(ports, principal, "base.delete", workspace=principal.workspace, subject=base_id):
        # Nothing of it is found from now on. Its record goes last: a deletion that was cut off is finished by another
        # one, and until then nobody makes a base of this id, in which what is left would be seen.
        await _put_away(ports, library, record)
        await ports.storage.drop(partition)
        await ports.for_documents.objects.drop(partition)
        await ports.storage.commit(Changes(partition=library, deletes=(Ref(BASE, record.id),)))
    return summary.documents


async def require_base(ports: Ports, principal: Principal, base_id: str) -> KnowledgeBase:
    """The base, or `NotFound`: archived ones and those of other workspaces look like those that do not exist.

    Everything about documents asks this first, so a server without them says so here.
    """
    record = await _known(ports, principal, base_id)
    base = base_of_record(record, library_partition(principal.workspace))
    if not base.is_active:
        raise missing_base(base_id)
    return base


async def _known(ports: Ports, principal: Principal, base_id: str) -> Record:
    ports.require_documents()
    for record in await ports.storage.find(library_partition(principal.workspace), BASE, [base_id]):
        return record
    raise missing_base(base_id)


async def _put_away(ports: Ports, library: Partition, record: Record) -> KnowledgeBase:
    archived = replace(base_of_record(record, library), is_active=False, updated=ports.clock.now())
    await ports.storage.commit(
        Changes(
            partition=library,
            expects=(Expectation(Ref(BASE, record.id), record.version),),
            puts=(base_record(archived, record.id),),
        )
    )
    return archived


async def _summaries(ports: Ports, bases: Sequence[KnowledgeBase]) -> list[BaseSummary]:
    counts = await asyncio.gather(
        *(
            ports.storage.page(PageQuery(partitions=(base_partition(base.workspace, base.id),), kind=DOCUMENT, limit=0))
            for base in bases
        )
    )
    return [BaseSummary(base, page.count) for base, page in zip(bases, counts, strict=True)]


def missing_base(base_id: str) -> NotFound:
    return NotFound(f"There is no knowledge base {base_id[:64]!r} here: list those that there are", field="kb_id")
