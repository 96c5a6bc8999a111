"""Documents that come in: which of them are taken, and what is still to be done about them where they arrive.

A base that is here and is another one stays as it is, and so does a document of which other revisions are here: nothing
of theirs is taken, or searches would find two states of one text. What was being read in, replaced or deleted when it
was exported is finished here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from yiku.core.knowledge.records import BASE, DOCUMENT, DOCUMENT_FIELD, REVISION, REVISION_FIELD, document_of
from yiku.core.knowledge.sweep import sweep_job
from yiku.core.knowledge.upload import ingest_job, name_of
from yiku.core.knowledge.veil import VEIL, changed, read_veil
from yiku.core.transfer.arrivals import Arrival
from yiku.model.errors import Conflict
from yiku.model.jobs import NewJob
from yiku.model.knowledge import Document, DocumentState
from yiku.model.records import Changes, Expectation, Record, Ref
from yiku.model.scopes import Partition, base_of, base_partition, is_base, library_partition
from yiku.ports import Ports
from yiku.ports.objects import ORIGINAL, ORIGINAL_PART

_AT_ONCE = 200
_TRIES = 5
Parts = dict[Partition, dict[Ref, Arrival]]


class ArrivingDocuments:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._bases: dict[Partition, bool] = {}
        """Whether what comes of a base is taken. Its own record stands before it in the file."""
        self._taken: set[tuple[Partition, str]] = set()
        """Documents that this file has brought, or a run of it before."""
        self._revisions: dict[Partition, set[str]] = defaultdict(set)
        self._hidden: dict[Partition, set[str]] = defaultdict(set)

    async def admitted(self, parts: Mapping[Partition, Mapping[Ref, Arrival]]) -> Parts:
        """What of a batch may be stored."""
        return {
            partition: await self._admitted(partition, part) if _is_knowledge(partition) else dict(part)
            for partition, part in parts.items()
        }

    async def finish(self) -> int:
        """Enqueue what is still to be done. How many documents are to be read in."""
        waiting = 0
        for partition in self._revisions.keys() | self._hidden.keys():
            revisions = sorted(self._revisions[partition] | self._hidden[partition])
            for start in range(0, len(revisions), _AT_ONCE):
                waiting += await self._finish(partition, revisions[start : start + _AT_ONCE])
        return waiting

    async def _admitted(self, partition: Partition, part: Mapping[Ref, Arrival]) -> dict[Ref, Arrival]:
        if not is_base(partition):
            return await self._bases_admitted(partition, part)
        if not await self._takes(partition):
            return {}
        known = await self._documents(partition, {name for one in part.values() if (name := _document_of(one))})
        for arrival in part.values():
            self._note_document(partition, arrival, known)
        taken = {ref: one for ref, one in part.items() if self._belongs(partition, one, known)}
        for ref, arrival in taken.items():
            if arrival.record is not None and (revision_id := _revision_of(ref, arrival.record)):
                self._revisions[partition].add(revision_id)
            if ref.kind == VEIL:
                self._hidden[partition] = set(arrival.record.body["hidden"]) if arrival.record else set()
        # The base has a veil of its own; the two become one at the end.
        return {ref: arrival for ref, arrival in taken.items() if ref.kind != VEIL}

    async def _bases_admitted(self, library: Partition, part: Mapping[Ref, Arrival]) -> dict[Ref, Arrival]:
        keys = [str(one.record.unique_key) for one in part.values() if one.record is not None]
        ids = {str(held.unique_key): held.id for held in await self._ports.storage.find(library, BASE, keys)}
        taken = {}
        for ref, arrival in part.items():
            key = str(arrival.record.unique_key) if arrival.record is not None else None
            is_ours = key is None or ids.setdefault(key, ref.id) == ref.id
            if key is not None:
                self._bases[base_partition(library.workspace, key)] = is_ours
            if is_ours:
                taken[ref] = arrival
        return taken

    async def _takes(self, partition: Partition) -> bool:
        """Not without its base: nobody could ever reach it. One that was made while the export ran has none there."""
        if partition not in self._bases:
            library = library_partition(partition.workspace)
            self._bases[partition] = bool(await self._ports.storage.find(library, BASE, [base_of(partition)]))
        return self._bases[partition]

    async def _documents(self, partition: Partition, ids: Iterable[str]) -> dict[str, Document]:
        found = await self._ports.storage.get(partition, DOCUMENT, sorted(ids))
        return {record.id: document_of(record, partition) for record in found}

    def _note_document(self, partition: Partition, arrival: Arrival, known: Mapping[str, Document]) -> None:
        if arrival.ref.kind != DOCUMENT or arrival.record is None:
            return
        here, comes = known.get(arrival.ref.id), document_of(arrival.record, partition)
        if here is None or (here.latest, here.created) == (comes.latest, comes.created):
            self._taken.add((partition, comes.id))

    def _belongs(self, partition: Partition, arrival: Arrival, known: Mapping[str, Document]) -> bool:
        document_id = _document_of(arrival)
        if arrival.record is None or document_id is None or arrival.ref.kind == DOCUMENT:
            return True
        here = known.get(document_id)
        if here is None or (partition, document_id) in self._taken:
            return True
        return _revision_of(arrival.ref, arrival.record) in (here.current, here.latest)

    async def _finish(self, partition: Partition, revisions: Sequence[str]) -> int:
        for _ in range(_TRIES):
            changes = await self._changes(partition, revisions)
            try:
                await self._ports.storage.commit(changes)
            except Conflict:
                continue  # A worker has begun with one of them: look again.
            return len(changes.enqueues) - sum(job.kind == "sweep" for job in changes.enqueues)
        raise Conflict("The documents of a base kept changing while they were imported: run the same import again")

    async def _changes(self, partition: Partition, revisions: Sequence[str]) -> Changes:
        storage = self._ports.storage
        records = {record.id: record for record in await storage.get(partition, REVISION, revisions)}
        owners = {revision_id: str(record.fields[DOCUMENT_FIELD]) for revision_id, record in records.items()}
        documents = await self._documents(partition, set(owners.values()))
        hide: list[str] = []
        jobs: list[NewJob] = []
        expects: list[Expectation] = []
        for revision_id in revisions:
            document = documents.get(owners.get(revision_id, ""))
            is_hidden = revision_id in self._hidden[partition]
            if document is None:
                hide.append(revision_id)
                lane = owners.get(revision_id, revision_id)
                jobs.append(sweep_job(self._ports, partition, lane, [revision_id], whole=True))
            elif document.latest == revision_id and document.state is DocumentState.PROCESSING:
                hide.extend([revision_id] if is_hidden else [])
                if await storage.job(revision_id) is None:
                    expects.append(Expectation(Ref(DOCUMENT, document.id), document.version))
                    jobs.append(ingest_job(partition, document, titled=_was_titled(document)))
            elif is_hidden and document.current != revision_id:
                hide.append(revision_id)
                jobs.append(sweep_job(self._ports, partition, document.id, [revision_id], whole=False))
        veil = changed(self._ports, await read_veil(self._ports, partition), hide=hide)
        return Changes(partition=partition, expects=(*expects, *veil.expects), puts=veil.puts, enqueues=tuple(jobs))


def _is_knowledge(partition: Partition) -> bool:
    return is_base(partition) or partition == library_partition(partition.workspace)


def _document_of(arrival: Arrival) -> str | None:
    """The document that a record names; texts and originals name their revision alone."""
    if arrival.ref.kind == DOCUMENT:
        return arrival.ref.id
    name = arrival.record.fields.get(DOCUMENT_FIELD) if arrival.record is not None else None
    return None if name is None else str(name)


def _revision_of(ref: Ref, record: Record) -> str | None:
    named = {
        DOCUMENT: record.body.get("latest"),
        REVISION: record.id,
        ORIGINAL: record.unique_key,
        ORIGINAL_PART: record.fields.get("of"),
    }
    name = named.get(ref.kind, record.fields.get(REVISION_FIELD))
    return None if name is None else str(name)


def _was_titled(document: Document) -> bool:
    """Whether somebody gave the title: else it is the name of the file, until the text says another."""
    return document.title not in (name_of(document.source), document.id)
