"""What does the REST door cost over the verb, in processor time of the server?

    python -m bench.rest

Like `door_cost` of `bench.speed`: one kept-alive connection, so that the client's work is not in the numbers.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

from bench.machine import machine
from bench.server_process import Connection, Server, running_server
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.adapters.sqlite import open_sqlite
from yiku.backends import OPERATOR
from yiku.core.memory.add import DIGEST, add_memories
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.work import run_jobs
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ListMemories
from yiku.model.messages import Message
from yiku.model.scopes import Scope
from yiku.ports import Ports

CALLS = 3_000
ROUNDS = 3
BUDGET_MS = 0.5
BASE = "/v4/openapi/workspaces/default/memory/agentic-memory"
USER = Scope(workspace=OPERATOR.workspace, user_id="ann")
ONE = ListMemories(scope=USER, page_size=1)
LIST = json.dumps({"filters": {"AND": [{"user_id": "ann"}]}, "page_size": 1}).encode()


async def one_memory(ports: Ports) -> str:
    """The id of the only memory there is."""
    message = Message(role="user", content="I like tea")
    await add_memories(ports, OPERATOR, AddMemories(scope=USER, messages=(message,), infer=False))
    await run_jobs(ports, await ports.storage.claim((DIGEST,), lease_s=60, limit=1))
    return (await list_memories(ports, OPERATOR, ONE)).memories[0].id


async def verb_ms(call: Callable[[], Awaitable[object]]) -> float:
    begin = time.process_time()
    for _ in range(CALLS):
        await call()
    return (time.process_time() - begin) / CALLS * 1000


async def request_ms(server: Server, method: str, path: str, body: bytes) -> float:
    connection = await Connection.open(server.port)
    for _ in range(200):
        await connection.send(method, path, body)
    begin = server.cpu_s()
    for _ in range(CALLS):
        await connection.send(method, path, body)
    spent = server.cpu_s() - begin
    connection.close()
    return spent / CALLS * 1000


async def main() -> None:
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        clock, limits = SystemClock(), Limits()
        storage = await open_sqlite(Path(folder), clock=clock, limits=limits)
        ports = Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=limits)
        memory_id = await one_memory(ports)
        verbs = {
            ("GET", f"{BASE}/memories/{memory_id}", b""): lambda: get_memory(ports, OPERATOR, memory_id),
            ("POST", f"{BASE}/memories/list", LIST): lambda: list_memories(ports, OPERATOR, ONE),
        }
        async with running_server(Path(folder), embedder="hashed") as server:
            for _ in range(ROUNDS):
                for (method, path, body), call in verbs.items():
                    # One right after the other: the speed of a virtual machine changes within seconds.
                    verb, whole = await verb_ms(call), await request_ms(server, method, path, body)
                    verdict = "ok" if whole - verb <= BUDGET_MS else "OVER"
                    name = f"{method} {path.removeprefix(BASE)[:14]}"
                    print(f"{name:20} verb {verb:.3f} ms, request {whole:.3f} ms: {whole - verb:.3f} ms {verdict}")
        await storage.close()


if __name__ == "__main__":
    uvloop.run(main())  # As `yiku serve` does.
