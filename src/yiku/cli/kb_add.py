"""`yiku kb add`: files, folders and addresses into a base.

The id of a file is its path below the folder that was named, so that the same folder again finds the same documents:
unchanged files cost a look, changed ones become new revisions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from yiku.backends import working
from yiku.cli.kb import all_documents, opened
from yiku.cli.progress import Progress
from yiku.cli.tables import print_table
from yiku.core.knowledge.documents import delete_document, require_document
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.knowledge import Document, DocumentState
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.settings import Settings

LOOK_EVERY_S = 0.5
_LOOKED_AT = 20
"""Of those that wait, the oldest: they are read in about the order in which they came."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Addition:
    base: str
    sources: tuple[str, ...]
    id: str | None
    title: str | None
    prune: bool
    wait: bool


@dataclass(frozen=True, slots=True)
class _Source:
    """A file and the id of its document, or an address."""

    id: str | None
    file: Path | None = None
    url: str | None = None

    @property
    def name(self) -> str:
        return self.url or str(self.file)


async def add(settings: Settings, workspace: str, wanted: Addition, *, quiet: bool) -> int:
    """Exit code 1 when a file could not be read."""
    sources = list(_sources(wanted))
    progress = Progress(quiet=quiet)
    async with opened(settings, workspace) as (ports, principal):
        added, refused = await _accepted(ports, principal, wanted, sources, progress)
        if wanted.prune:
            await _prune(ports, principal, wanted, sources)
        failed = await _read(ports, principal, wanted, added, progress) if wanted.wait else []
    progress.clear()
    return _reported(len(sources), added, refused, failed, waits=not wanted.wait)


async def _accepted(
    ports: Ports, principal: Principal, wanted: Addition, sources: Sequence[_Source], progress: Progress
) -> tuple[list[Document], list[tuple[str, str]]]:
    """The documents that are new or changed, and what was refused and why."""
    added, refused = [], []
    for number, source in enumerate(sources, 1):
        progress.show(f"{number} of {len(sources)}: {source.name}")
        try:
            content = await asyncio.to_thread(source.file.read_bytes) if source.file else None
            upload = UploadDocument(
                content=content,
                url=source.url,
                name=source.file.name if source.file else "",
                id=source.id,
                title=wanted.title,
            )
            document = await upload_document(ports, principal, wanted.base, upload)
        except OSError as error:
            refused.append((source.name, f"It cannot be read: {error.strerror}"))
        except InvalidInput as error:
            refused.append((source.name, error.message))
        else:
            # What is nothing new has been read in already.
            if document.state is not DocumentState.SUCCESS:
                added.append(document)
    return added, refused


async def _read(
    ports: Ports, principal: Principal, wanted: Addition, added: Sequence[Document], progress: Progress
) -> list[Document]:
    """Wait until all are read in, working on them here; those that could not be read."""
    waiting, failed = [document.id for document in added], []
    async with working(ports):
        while waiting:
            seen = [(one, await _now(ports, principal, wanted.base, one)) for one in waiting[:_LOOKED_AT]]
            busy = [document for _, document in seen if document and document.state is DocumentState.PROCESSING]
            ended = [(one, document) for one, document in seen if document not in busy]
            for document_id, document in ended:
                waiting.remove(document_id)
                failed += [document] if document and document.state is DocumentState.FAIL else []
                progress.log(f"{len(added) - len(waiting)} of {len(added)}: {document_id} {_ending(document)}")
            if busy:
                done = len(added) - len(waiting)
                progress.show(f"{done} of {len(added)} read; {busy[0].title}: {busy[0].progress} %")
            if not ended:
                await asyncio.sleep(LOOK_EVERY_S)
    return failed


def _ending(document: Document | None) -> str:
    if document is None:
        return "was deleted meanwhile"
    if document.state is DocumentState.FAIL:
        return "could not be read"
    return "is read"


async def _now(ports: Ports, principal: Principal, base: str, document_id: str) -> Document | None:
    try:
        return (await require_document(ports, principal, base, document_id))[1]
    except NotFound:  # Somebody deleted it meanwhile.
        return None


async def _prune(ports: Ports, principal: Principal, wanted: Addition, sources: Sequence[_Source]) -> None:
    """Delete documents that came from a file which is in none of the folders any more."""
    kept = {source.id for source in sources}
    for document in await all_documents(ports, principal, wanted.base):
        if document.id not in kept and not document.source.startswith(("http://", "https://")):
            await delete_document(ports, principal, wanted.base, document.id)
            print(f"{document.id} is deleted: its file is gone.")


def _sources(wanted: Addition) -> Iterator[_Source]:
    for named in wanted.sources:
        path = Path(named)
        if "://" in named:
            yield _Source(wanted.id, url=named)
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                relative = file.relative_to(path)
                # A link may lead out of the folder: whoever made the folder need not be who adds it.
                if (
                    file.is_file()
                    and not file.is_symlink()
                    and not any(part.startswith(".") for part in relative.parts)
                ):
                    yield _Source(relative.as_posix(), file=file)
        elif path.is_file():
            yield _Source(wanted.id or path.name, file=path)
        else:
            raise InvalidInput(f"{named} is neither a file, nor a folder, nor an address")


def _reported(
    count: int,
    added: Sequence[Document],
    refused: Sequence[tuple[str, str]],
    failed: Sequence[Document],
    *,
    waits: bool,
) -> int:
    unchanged = count - len(added) - len(refused)
    read = "wait to be read by the server" if waits else f"read, {len(failed)} could not be"
    print(f"{len(added)} new or changed ({read}), {unchanged} unchanged, {len(refused)} refused.")
    reasons = [(document.id, document.failure.message if document.failure else "") for document in failed]
    if refused or reasons:
        print_table(("FILE", "WHY"), [*refused, *reasons])
    return 1 if refused or failed else 0
