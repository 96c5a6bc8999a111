"""How fast is it? Searches among 10,000 memories, adds at an open rate, the cost of the door, start and memory.

    python -m bench.speed [--quick]

Budgets are those of the issue that asked for them; a row over its budget is marked. Only the ratio of rows of one run
means something on a shared machine.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from bench.machine import machine
from bench.server_process import Connection, running_server
from bench.texts import QUESTIONS, Texts
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.adapters.sqlite import open_sqlite
from yiku.core.memory.add import add_memories
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.records import memory_record
from yiku.core.memory.search import search_memories
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ListMemories, Memory, SearchMemories
from yiku.model.messages import Message
from yiku.model.records import Changes, Embedding
from yiku.model.scopes import Scope
from yiku.ports import Embedder, Ports
from yiku.server import OPERATOR, working

MEMORIES = 10_000
ADDS_A_SECOND = 300
USER = Scope(workspace=OPERATOR.workspace, user_id="ten-thousand")
OTHER = Scope(workspace=OPERATOR.workspace, user_id="digesting")
SHOWN = (50, 95, 99)


class MadeUpQueries:
    """Vectors out of nothing, under the local model's name: what is left of a search when embedding costs nothing."""

    def __init__(self, local: Embedder) -> None:
        self.model, self.dimensions = local.model, local.dimensions
        self._texts, self._local = Texts(seed=11), local

    async def embed_query(self, text: str) -> Embedding:
        return Embedding(self.model, self._texts.vector(self.dimensions))

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        return await self._local.embed_passages(texts)

    async def close(self) -> None:
        return


def report(name: str, values_ms: list[float], budget_ms: float) -> None:
    values = sorted(values_ms)
    cells = "  ".join(f"p{p} {values[min(len(values) - 1, len(values) * p // 100)]:7.2f}" for p in SHOWN)
    p95 = values[min(len(values) - 1, len(values) * 95 // 100)]
    print(f"{name:58} n={len(values):5}  {cells} ms   budget p95 {budget_ms:g} {_verdict(p95, budget_ms)}", flush=True)


def report_one(name: str, value: float, unit: str, budget: float) -> None:
    print(f"{name:58} {value:8.2f} {unit}   budget {budget:g} {_verdict(value, budget)}", flush=True)


def _verdict(value: float, budget: float) -> str:
    return "ok" if value <= budget else "OVER"


async def timed(count: int, call: Callable[[int], Awaitable[object]]) -> list[float]:
    values = []
    for number in range(count):
        start = time.perf_counter()
        await call(number)
        values.append((time.perf_counter() - start) * 1000)
    return values


async def fill(ports: Ports, texts: Texts) -> None:
    """Ten thousand memories of one user, with made-up vectors: embedding them would take minutes and show nothing."""
    now = ports.clock.now()
    for start in range(0, MEMORIES, 500):
        batch = [
            Memory(id=f"m-{start + n:08d}", scope=USER, text=texts.record(), created=now, updated=now,
                   agent_ids=(None,), run_ids=(f"run-{(start + n) // 100}",), metadata={"source": "chat"})
            for n in range(500)
        ]  # fmt: skip
        vectors = (Embedding(ports.embedder.model, texts.vector(ports.embedder.dimensions)) for _ in batch)
        records = tuple(memory_record(memory, vector) for memory, vector in zip(batch, vectors, strict=True))
        await ports.storage.commit(Changes(partition=USER.partition, puts=records))


async def searches(folder: Path, local: LocalEmbedder, count: int) -> None:
    async with store(folder, MadeUpQueries(local)) as ports:
        texts = Texts(seed=3)

        made_up = [texts.question() for _ in range(count)]

        async def search_for(questions: Sequence[str], number: int) -> object:
            query = SearchMemories(scope=USER, text=questions[number % len(questions)])
            return await search_memories(ports, OPERATOR, query)

        await fill(ports, texts)
        first = await timed(1, lambda n: search_for(made_up, n))
        report("search, 10,000 memories, the first (loads the index)", first, 500)
        report(
            "search, 10,000 memories, without the embedding", await timed(count, lambda n: search_for(made_up, n)), 10
        )
    async with store(folder, local) as ports:
        await search_for(QUESTIONS, 0)
        report("search, 10,000 memories, local model", await timed(count, lambda n: search_for(QUESTIONS, n)), 40)
        async with working(ports):
            digest = AddMemories(
                scope=OTHER,
                messages=tuple(Message(role="user", content=texts.record()) for _ in range(900)),
                infer=True,
            )
            await add_memories(ports, OPERATOR, digest)
            while (await ports.storage.queue_state()).running == 0:
                await ports.storage.wait_for_jobs(timeout_s=0.05)
            values = await timed(min(count, 100), lambda n: search_for(QUESTIONS, n))
            state = await ports.storage.queue_state()
            note = "while a large digest runs" if state.running else "DIGEST ENDED EARLY"
            report(f"search, 10,000 memories, local model, {note}", values, 80)


@asynccontextmanager
async def store(folder: Path, embedder: Embedder) -> AsyncIterator[Ports]:
    # A graceful stop would wait for the large digest; the benchmark has no use for it.
    clock, limits = SystemClock(), Limits(shutdown_deadline_s=0.1)
    storage = await open_sqlite(folder, clock=clock, limits=limits)
    yield Ports(storage=storage, embedder=embedder, clock=clock, limits=limits)
    await storage.close()


async def open_rate(seconds: float, call: Callable[[int], Awaitable[object]]) -> list[float]:
    """Start calls at a fixed rate whether or not earlier ones have ended; each is timed from when it was due."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    values: list[float] = []

    async def one(number: int) -> None:
        due = begin + number / ADDS_A_SECOND
        await asyncio.sleep(max(0.0, due - loop.time()))
        await call(number)
        values.append((loop.time() - due) * 1000)

    async with asyncio.TaskGroup() as group:
        for number in range(int(seconds * ADDS_A_SECOND)):
            group.create_task(one(number))
    return values


async def adds(folder: Path, local: LocalEmbedder, seconds: float) -> None:
    texts = Texts(seed=5)
    async with store(folder, local) as ports, working(ports):

        async def add(number: int) -> object:
            scope = Scope(workspace=OPERATOR.workspace, user_id=f"user-{number % 50}")
            message = Message(role="user", content=texts.record())
            return await add_memories(ports, OPERATOR, AddMemories(scope=scope, messages=(message,)))

        report("add through the verb, 300 a second, digests running", await open_rate(seconds, add), 15)


async def door(folder: Path, seconds: float, count: int) -> None:
    texts = Texts(seed=9)
    async with running_server(folder) as server:
        report_one("start to first answer", server.ready_s, "s", 3)
        connections = [await Connection.open(server.port) for _ in range(16)]
        free: asyncio.Queue[Connection] = asyncio.Queue()
        for connection in connections:
            free.put_nowait(connection)

        async def add(number: int) -> None:
            connection = await free.get()
            await connection.call("memory_add", {"messages": texts.record(), "user_id": f"user-{number % 50}"})
            free.put_nowait(connection)

        report("add through MCP over HTTP, 300 a second", await open_rate(seconds, add), 15)
        report_one("resident with the model loaded", server.resident_mb(), "MB", 450)
        for connection in connections:
            connection.close()


async def door_cost(folder: Path, local: LocalEmbedder, count: int) -> None:
    """Processor time of one `tools/call` in the server, less that of the same verb called directly."""
    async with store(folder, local) as ports:
        page = await list_memories(ports, OPERATOR, ListMemories(scope=USER, page_size=1))
        memory_id = page.memories[0].id
        begin = time.process_time()
        for _ in range(count):
            await get_memory(ports, OPERATOR, memory_id)
        verb_ms = (time.process_time() - begin) / count * 1000
    async with running_server(folder, embedder="hashed") as server:
        connection = await Connection.open(server.port)
        for _ in range(100):
            await connection.call("memory_get", {"memory_id": memory_id})
        begin = server.cpu_s()
        for _ in range(count):
            await connection.call("memory_get", {"memory_id": memory_id})
        call_ms = (server.cpu_s() - begin) / count * 1000
        connection.close()
    print(f"processor time: verb {verb_ms:.3f} ms, tools/call {call_ms:.3f} ms")
    report_one("MCP tools/call over the verb, processor time", call_ms - verb_ms, "ms", 0.7)


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="fewer repetitions")
    quick = arguments.parse_args().quick
    count, seconds = (200, 5.0) if quick else (1000, 20.0)
    print(machine())
    gc.freeze()  # As `yiku serve` does.
    local = LocalEmbedder(text_characters=8_000)
    with tempfile.TemporaryDirectory() as folder:
        await searches(Path(folder) / "searches", local, count)
        await door_cost(Path(folder) / "searches", local, count * 3)
        await adds(Path(folder) / "adds", local, seconds)
        await local.close()
        await door(Path(folder) / "door", seconds, count)
    print(f"at the end: {machine()}")


if __name__ == "__main__":
    uvloop.run(main())  # As `yiku serve` does.
