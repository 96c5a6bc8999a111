"""Ask the sheets and CSV files of a base by SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yiku.core.knowledge.bases import require_base
from yiku.core.knowledge.records import DOCUMENT, DOCUMENT_FIELD, REVISION_FIELD, TABLE, document_of, table_of
from yiku.model.conditions import EVERYTHING, In
from yiku.model.errors import TooLarge
from yiku.model.knowledge import Document
from yiku.model.parsed import ParsedTable
from yiku.model.principal import Principal
from yiku.model.records import PageQuery, Record
from yiku.model.scopes import Partition, base_partition
from yiku.ports import Ports
from yiku.ports.sql import SqlAnswer

TABLES_MAX = 200
"""Tables that one question may see; with more, name the documents."""


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table under the name that SQL knows it by: its own, with the title of its document where two are alike."""

    document: Document
    table: ParsedTable


async def list_tables(
    ports: Ports, principal: Principal, base_id: str, document_ids: Sequence[str] | None = None
) -> list[NamedTable]:
    """Those of current revisions, in the order in which their documents were made."""
    principal.require("knowledge:read")
    await require_base(ports, principal, base_id)
    partition = base_partition(principal.workspace, base_id)
    where = EVERYTHING if document_ids is None else In(DOCUMENT_FIELD, tuple(document_ids))
    query = PageQuery(partitions=(partition,), kind=TABLE, where=where, ascending=True, limit=TABLES_MAX)
    page = await ports.storage.page(query)
    if page.count > TABLES_MAX:
        raise TooLarge(
            f"This base has {page.count} tables; at most {TABLES_MAX} are asked at once: name documents",
            field="doc_ids",
        )
    documents = await _documents(ports, partition, page.records)
    shown = [
        NamedTable(document, table_of(record))
        for record in page.records
        if (document := documents.get(str(record.fields[DOCUMENT_FIELD]))) is not None
        and document.current == record.fields[REVISION_FIELD]
        and not document.is_archived
    ]
    return _told_apart(shown)


async def ask_tables(
    ports: Ports,
    principal: Principal,
    base_id: str,
    statement: str,
    *,
    document_ids: Sequence[str] | None = None,
    rows_max: int = 1_000,
) -> SqlAnswer:
    """The answer of one SELECT. Raises `InvalidInput` (field `sql`) that says what is wrong with it."""
    tables = await list_tables(ports, principal, base_id, document_ids)
    return await ports.for_documents.sql.ask([named.table for named in tables], statement, rows_max=rows_max)


async def _documents(ports: Ports, partition: Partition, records: Sequence[Record]) -> dict[str, Document]:
    ids = list(dict.fromkeys(str(record.fields[DOCUMENT_FIELD]) for record in records))
    return {record.id: document_of(record, partition) for record in await ports.storage.get(partition, DOCUMENT, ids)}


def _told_apart(tables: Sequence[NamedTable]) -> list[NamedTable]:
    """SQL knows no case in names: two that differ by it alone are alike."""
    taken: set[str] = set()
    named = []
    for one in tables:
        name, number = one.table.name, 2
        if name.casefold() in taken:
            name = f"{one.document.title}: {one.table.name}"
        while name.casefold() in taken:
            name, number = f"{one.table.name} ({number})", number + 1
        taken.add(name.casefold())
        named.append(replace(one, table=replace(one.table, name=name)))
    return named
