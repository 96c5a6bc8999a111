"""How fast is it? Searches among 10,000 memories, adds at an open rate, the cost of the door, start and memory.

    python -m bench.speed [--quick] [--database-url URL]

Both engines in one run, in turns. Budgets are those of the issues that asked for them; a row over its budget is marked.
Only the ratio of rows of one run means something on a shared machine.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import uvloop

from bench.engines import Place, add_server_option, places, postgres_server
from bench.machine import machine
from bench.report import (
    BARE_SEARCH,
    DIGESTING_SEARCH,
    DOOR,
    FIRST_SEARCH,
    HTTP_ADD,
    LOCAL_SEARCH,
    RESIDENT,
    START,
    VERB_ADD,
    report,
    report_one,
)
from bench.server_process import Connection, Server, running_server
from bench.texts import QUESTIONS, Texts
from bench.timing import Call, in_turns, open_rate
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.backends import OPERATOR, working
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

MEMORIES = 10_000
FIRST_SEARCHES = 5
ADDS_A_SECOND = 300
ROUNDS = 2
"""How often adds at the open rate go back and forth between the engines."""
USER = Scope(workspace=OPERATOR.workspace, user_id="ten-thousand")
OTHER = Scope(workspace=OPERATOR.workspace, user_id="digesting")


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


@asynccontextmanager
async def stores(where: Sequence[Place], embedder: Embedder) -> AsyncIterator[list[Ports]]:
    # A graceful stop would wait for the large digest; the benchmark has no use for it.
    clock, limits = SystemClock(), Limits(shutdown_deadline_s=0.1)
    async with AsyncExitStack() as stack:
        opened = []
        for place in where:
            storage = await place.open(clock, limits)
            stack.push_async_callback(storage.close)
            opened.append(Ports(storage=storage, embedder=embedder, clock=clock, limits=limits))
        yield opened


def search(ports: Ports, questions: Sequence[str]) -> Call:
    async def call(number: int) -> object:
        query = SearchMemories(scope=USER, text=questions[number % len(questions)])
        return await search_memories(ports, OPERATOR, query)

    return call


async def fill(ports: Ports) -> None:
    """Ten thousand memories of one user, with made-up vectors: embedding them would take minutes and show nothing."""
    texts, now = Texts(seed=3), ports.clock.now()
    for start in range(0, MEMORIES, 500):
        batch = [
            Memory(id=f"m-{start + n:08d}", scope=USER, text=texts.record(), created=now, updated=now,
                   agent_ids=(None,), run_ids=(f"run-{(start + n) // 100}",), metadata={"source": "chat"})
            for n in range(500)
        ]  # fmt: skip
        vectors = (Embedding(ports.embedder.model, texts.vector(ports.embedder.dimensions)) for _ in batch)
        records = tuple(memory_record(memory, vector) for memory, vector in zip(batch, vectors, strict=True))
        await ports.storage.commit(Changes(partition=USER.partition, puts=records))


async def searches(where: Sequence[Place], local: LocalEmbedder, count: int) -> None:
    texts, made_up = Texts(seed=4), MadeUpQueries(local)
    questions = [texts.question() for _ in range(count)]
    async with stores(where, made_up) as opened:
        for ports in opened:
            await fill(ports)
    firsts: list[list[float]] = [[] for _ in where]
    for _ in range(FIRST_SEARCHES):
        async with stores(where, made_up) as opened:
            for taken, (value,) in zip(firsts, await in_turns(1, _searching(opened, questions)), strict=True):
                taken.append(value)
    _report_each(FIRST_SEARCH, where, firsts)
    async with stores(where, made_up) as opened:
        await in_turns(1, _searching(opened, questions))
        _report_each(BARE_SEARCH, where, await in_turns(count, _searching(opened, questions)))
    async with stores(where, local) as opened:
        await in_turns(1, _searching(opened, QUESTIONS))
        _report_each(LOCAL_SEARCH, where, await in_turns(count, _searching(opened, QUESTIONS)))
        for place, ports in zip(where, opened, strict=True):
            await searches_beside_a_digest(place, ports, count)


def _searching(opened: Sequence[Ports], questions: Sequence[str]) -> list[Call]:
    return [search(ports, questions) for ports in opened]


def _report_each(row: str, where: Sequence[Place], values: Sequence[Sequence[float]]) -> None:
    for place, taken in zip(where, values, strict=True):
        report(row, place.engine, taken)


async def searches_beside_a_digest(place: Place, ports: Ports, count: int) -> None:
    """One engine after the other: two digests at once would share the model between them."""
    texts = Texts(seed=3)
    said = tuple(Message(role="user", content=texts.record()) for _ in range(900))
    async with working(ports):
        await add_memories(ports, OPERATOR, AddMemories(scope=OTHER, messages=said, infer=True))
        while (await ports.storage.queue_state()).running == 0:
            await ports.storage.wait_for_jobs(timeout_s=0.05)
        [values] = await in_turns(min(count, 100), [search(ports, QUESTIONS)])
        if (await ports.storage.queue_state()).running == 0:
            print("The digest ended early: the next row is too good.")
    report(DIGESTING_SEARCH, place.engine, values)


async def adds(where: Sequence[Place], local: LocalEmbedder, seconds: float) -> None:
    texts = Texts(seed=5)
    said = [texts.record() for _ in range(int(seconds * ADDS_A_SECOND))]
    values: list[list[float]] = [[] for _ in where]
    async with stores(where, local) as opened:
        for _ in range(ROUNDS):
            for ports, taken in zip(opened, values, strict=True):

                async def add(number: int, ports: Ports = ports) -> object:
                    scope = Scope(workspace=OPERATOR.workspace, user_id=f"user-{number % 50}")
                    message = Message(role="user", content=said[number])
                    return await add_memories(ports, OPERATOR, AddMemories(scope=scope, messages=(message,)))

                async with working(ports):
                    taken += await open_rate(seconds / ROUNDS, add, per_second=ADDS_A_SECOND)
    _report_each(VERB_ADD, where, values)


async def door(where: Sequence[Place], seconds: float) -> None:
    """One server at a time: one that still digests would take the cores from the other."""
    values: list[list[float]] = [[] for _ in where]
    seen: list[tuple[Server, float]] = []
    for _ in range(ROUNDS):
        for place, taken in zip(where, values, strict=True):
            async with running_server(place.folder, **place.settings) as server:
                taken += await adds_over_http(server, seconds / ROUNDS)
                seen.append((server, server.resident_mb()))
    _report_each(HTTP_ADD, where, values)
    # Of the first round: a start on an empty place.
    for place, (server, resident_mb) in zip(where, seen, strict=False):
        report_one(START, place.engine, server.ready_s, "s")
        report_one(RESIDENT, place.engine, resident_mb, "MB")


async def adds_over_http(server: Server, seconds: float) -> list[float]:
    texts = Texts(seed=9)
    said = [texts.record() for _ in range(int(seconds * ADDS_A_SECOND))]
    connections = [await Connection.open(server.port) for _ in range(16)]
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        free.put_nowait(connection)

    async def add(number: int) -> None:
        connection = await free.get()
        await connection.call("memory_add", {"messages": said[number], "user_id": f"user-{number % 50}"})
        free.put_nowait(connection)

    values = await open_rate(seconds, add, per_second=ADDS_A_SECOND)
    for connection in connections:
        connection.close()
    return values


async def door_cost(place: Place, local: LocalEmbedder, count: int) -> None:
    """Processor time of one `tools/call` in the server, less that of the same verb called directly."""
    async with stores([place], local) as [ports]:
        page = await list_memories(ports, OPERATOR, ListMemories(scope=USER, page_size=1))
        memory_id = page.memories[0].id
        begin = time.process_time()
        for _ in range(count):
            await get_memory(ports, OPERATOR, memory_id)
        verb_ms = (time.process_time() - begin) / count * 1000
    async with running_server(place.folder, embedder="hashed", **place.settings) as server:
        connection = await Connection.open(server.port)
        for _ in range(100):
            await connection.call("memory_get", {"memory_id": memory_id})
        begin = server.cpu_s()
        for _ in range(count):
            await connection.call("memory_get", {"memory_id": memory_id})
        call_ms = (server.cpu_s() - begin) / count * 1000
        connection.close()
    print(f"processor time on {place.engine}: verb {verb_ms:.3f} ms, tools/call {call_ms:.3f} ms")
    report_one(DOOR, place.engine, call_ms - verb_ms, "ms")


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="fewer repetitions")
    add_server_option(arguments)
    options = arguments.parse_args()
    count, seconds = (200, 5.0) if options.quick else (1000, 20.0)
    print(machine())
    gc.freeze()  # As `yiku serve` does.
    local = LocalEmbedder(text_characters=8_000)
    with postgres_server(options.database_url) as server_url:
        with places(server_url) as where:
            await searches(where, local, count)
            for place in where:
                await door_cost(place, local, count * 3)
        with places(server_url) as where:
            await adds(where, local, seconds)
        await local.close()
        with places(server_url) as where:
            await door(where, seconds)
    print(f"at the end: {machine()}")


if __name__ == "__main__":
    uvloop.run(main())  # As `yiku serve` does.
