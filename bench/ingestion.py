"""What does everybody else notice while a base is read in? Searches and adds of memories beside it, and memory taken.

    python -m bench.ingestion [--engine sqlite|postgres] [--database-url URL]

A server of its own process holds 10,000 memories of a user. `yiku kb add` puts case files in its queue (a handbook of
872 pages in DOCX, PDFs, a large page of HTML, in Chinese and English); while the server reads them in, searches and
adds of memories go through MCP for two minutes, one after the other. The same is measured before, when nothing else
runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import uvloop

from bench.engines import Place, add_engine_options, chosen_place
from bench.machine import machine
from bench.report import (
    ALONE_ADD,
    ALONE_SEARCH,
    READING_IN_ADD,
    READING_IN_GROWTH,
    READING_IN_SEARCH,
    report,
    report_one,
)
from bench.server_process import Connection, Server, running_server
from bench.speed import USER, fill
from bench.texts import QUESTIONS, Texts
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.model.limits import Limits
from yiku.ports import Ports

FILES = Path(__file__).parents[2] / "shared" / "cases" / "files"
READ_IN = (
    "docx_handbook_872p.docx", "pdf_zh_report_22p.pdf", "pdf_en_headings.pdf", "pdf_en_2col_14p.pdf",
    "html_zh_wikipedia_1.4M.html", "xlsx_mineru_01.xlsx", "epub_small.epub",
)  # fmt: skip
BASE = "handbooks"
DOCUMENTS = "/v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/handbooks/docs?page_size=100"
ALONE_S, BESIDE_S = 20.0, 120.0


async def measured(server: Server, seconds: float, texts: Texts) -> tuple[list[float], list[float]]:
    """Milliseconds of searches and of adds, in turns; every question is new, so that none comes out of a cache."""
    searches: list[float] = []
    adds: list[float] = []
    connection = await Connection.open(server.port)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        number = len(searches)
        asked = {
            "query": f"{QUESTIONS[number % len(QUESTIONS)]} {number}",
            "filters": {"AND": [{"user_id": USER.user_id}]},
        }
        searches.append(await _timed(connection, "memory_search", asked))
        adds.append(await _timed(connection, "memory_add", {"messages": texts.record(), "user_id": "somebody"}))
        # At most twenty of each a second: a team that works, and not a flood.
        await asyncio.sleep(0.05)
    connection.close()
    return searches, adds


async def _timed(connection: Connection, tool: str, arguments: dict[str, Any]) -> float:
    begin = time.perf_counter()
    await connection.call(tool, arguments)
    return (time.perf_counter() - begin) * 1000


async def still_read_in(server: Server) -> int:
    """How many documents are not complete yet."""
    connection = await Connection.open(server.port)
    listed = json.loads(await connection.send("GET", DOCUMENTS))["result"]["results"]
    connection.close()
    return sum(document["status"] == "PROCESSING" for document in listed)


async def command(place: Place, *arguments: str) -> None:
    names = {"YIKU_DATA_DIR": str(place.folder)} | {
        f"YIKU_{name.upper()}": value for name, value in place.settings.items()
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "kb", *arguments, env={**os.environ, **names}, stdout=asyncio.subprocess.DEVNULL
    )
    if await process.wait() != 0:
        raise RuntimeError(f"yiku kb {arguments[0]} failed")


async def fill_memories(place: Place) -> None:
    local = LocalEmbedder(text_characters=8_000)
    storage = await place.open(SystemClock(), Limits())
    await fill(Ports(storage=storage, embedder=local, clock=SystemClock()))
    await storage.close()
    await local.close()


async def largest_resident_mb(server: Server, ended: asyncio.Event) -> float:
    """Looked at twenty times a second; the parsers' own processes end with their files and are not counted."""
    largest = 0.0
    while not ended.is_set():
        largest = max(largest, server.resident_mb())
        await asyncio.sleep(0.05)
    return largest


async def run(place: Place) -> None:
    texts = Texts(seed=17)
    await fill_memories(place)
    await command(place, "create", BASE, "--id", BASE)
    async with running_server(place.folder, **place.settings) as server:
        searches, adds = await measured(server, ALONE_S, texts)
        report(ALONE_SEARCH, place.engine, searches)
        report(ALONE_ADD, place.engine, adds)
        before, ended = server.resident_mb(), asyncio.Event()
        growing = asyncio.create_task(largest_resident_mb(server, ended))
        await command(place, "add", BASE, *(str(FILES / name) for name in READ_IN), "--no-wait")
        searches, adds = await measured(server, BESIDE_S, texts)
        left = await still_read_in(server)
        print(f"{len(READ_IN)} documents put in the queue, {left} not complete after {BESIDE_S:.0f} s")
        ended.set()
        report(READING_IN_SEARCH, place.engine, searches)
        report(READING_IN_ADD, place.engine, adds)
        report_one(READING_IN_GROWTH, place.engine, await growing - before, "MB")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine_options(arguments)
    options = arguments.parse_args()
    print(machine())
    if not FILES.is_dir():
        raise SystemExit("The case files are read from shared/cases/files, which is not here.")
    with chosen_place(options.engine, options.database_url) as place:
        uvloop.run(run(place))


if __name__ == "__main__":
    main()
