"""How fast does data move? Export and import of memories with their vectors, through a file, on both engines.

    python -m bench.transfer [--quick] [--database-url URL]

Texts and vectors are made up; the embedder is never asked, because the file has what it would make. Each engine imports
into an empty place what it exported itself.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import uvloop

from bench.engines import Place, add_server_option, places, postgres_server
from bench.machine import machine
from bench.texts import Texts
from yiku.adapters.beside import beside, collect_seldom
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.adapters.ready import made_ready
from yiku.backends import OPERATOR
from yiku.cli.imports import READERS
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.records import memory_record
from yiku.core.transfer.export import Export, export_lines
from yiku.core.transfer.export_file import ExportFile
from yiku.core.transfer.imports import import_export
from yiku.core.transfer.reading import read_lines
from yiku.model.limits import Limits
from yiku.model.memories import Memory
from yiku.model.records import Changes, Embedding
from yiku.model.scopes import Scope
from yiku.ports import Ports

USERS = 4
DIMENSIONS = 384
"""As many as the bundled model has."""
AT_ONCE = 500
BUDGET_A_SECOND = 5_000


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="a fifth of the memories")
    add_server_option(arguments)
    options = arguments.parse_args()
    count = 20_000 if options.quick else 100_000
    print(machine())
    collect_seldom()  # As `yiku import` does.
    print(f"{count} memories of {USERS} users, vectors of {DIMENSIONS} dimensions; budget {BUDGET_A_SECOND} a second")
    texts = Texts(seed=21)
    memories = [_memory(number, texts.record()) for number in range(count)]
    vectors = [texts.vector(DIMENSIONS) for _ in memories]
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_server(options.database_url) as server,
        places(server) as sources,
        places(server) as destinations,
    ):
        for source, destination in zip(sources, destinations, strict=True):
            file = Path(folder, f"{source.engine}.jsonl")
            await _exported(source, memories, vectors, file)
            await _imported(destination, count, file)


def _memory(number: int, text: str) -> Memory:
    now = SystemClock().now()
    scope = Scope(workspace=OPERATOR.workspace, user_id=f"user-{number % USERS}")
    return Memory(
        id=f"m-{number:08d}",
        scope=scope,
        text=text,
        created=now,
        updated=now,
        agent_ids=(None,),
        run_ids=(f"run-{number // 100}",),
        metadata={"source": "chat"},
        fingerprint=fingerprint(f"{number} {text}"),
    )


async def _exported(place: Place, memories: Sequence[Memory], vectors: Iterable[object], file: Path) -> None:
    ports = await _opened(place)
    try:
        await _fill(ports, memories, vectors)
        begin = time.perf_counter()
        with file.open("wb") as out:
            async for line in export_lines(ports, OPERATOR, Export(with_vectors=True)):
                out.write(line)
        _report("export", place, len(memories), time.perf_counter() - begin)
    finally:
        await ports.storage.close()


async def _imported(place: Place, count: int, file: Path) -> None:
    ports = await _opened(place)
    try:
        begin, used = time.perf_counter(), time.process_time()
        reading = beside(partial(read_lines, make_ready=made_ready), processes=READERS)
        with file.open("rb") as lines, reading as reader:
            async for received in import_export(ports, OPERATOR, ExportFile(lines), reader=reader):
                stored = received.stored
        _report("import", place, count, time.perf_counter() - begin, time.process_time() - used)
        assert stored == count, stored
    finally:
        await ports.storage.close()


async def _opened(place: Place) -> Ports:
    clock, limits = SystemClock(), Limits()
    storage = await place.open(clock, limits)
    return Ports(storage=storage, embedder=HashedEmbedder(DIMENSIONS), clock=clock, limits=limits)


async def _fill(ports: Ports, memories: Sequence[Memory], vectors: Iterable[object]) -> None:
    records = [
        (memory.scope.partition, memory_record(memory, Embedding(ports.embedder.model, vector)))
        for memory, vector in zip(memories, vectors, strict=True)
    ]
    for user in range(USERS):
        own = records[user::USERS]
        for start in range(0, len(own), AT_ONCE):
            part = own[start : start + AT_ONCE]
            await ports.storage.commit(Changes(partition=part[0][0], puts=tuple(record for _, record in part)))


def _report(what: str, place: Place, count: int, seconds: float, processor_s: float | None = None) -> None:
    rate = count / seconds
    judged = "ok" if rate >= BUDGET_A_SECOND else "UNDER"
    processor = "" if processor_s is None else f"  {processor_s / count * 1e6:4.0f} µs of processor time each"
    print(f"{what:8}{place.engine:10}{rate:8.0f} a second  {judged:6}{processor}", flush=True)


if __name__ == "__main__":
    uvloop.run(main())  # As `yiku import` does.
