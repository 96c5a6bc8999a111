"""The main job on real input: one whole conversation in, over HTTP; twenty of its questions, over MCP.

    python -m bench.conversation [--engine sqlite|postgres] [--database-url URL] [URL KEY]

Without a URL a server is started on a fresh place. Every session of the first LoCoMo conversation is added as a
dialogue with its speakers, time and run, `infer=true`; the events are awaited; then the questions are asked
with `memory_search`, and the best memories are printed with their scores beside the labelled answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from itertools import groupby
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bench.datasets import FOLDER, Item, available, corpus
from bench.engines import add_engine_options, chosen_place
from bench.server_process import ENDPOINT, KEY, running_server

USER = "locomo-0"
QUESTIONS = 20
SHOWN = 3


async def walk(url: str, key: str) -> None:
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        begin = time.perf_counter()
        items = [item for item in corpus("locomo_a") if item.user == USER]
        sessions = [list(said) for _, said in groupby(items, key=lambda item: item.run)]
        events = [await add(http, session) for session in sessions]
        print(f"{len(items)} turns of {len(sessions)} sessions acknowledged in {time.perf_counter() - begin:.2f} s")
        results = [await settled(http, event) for event in events]
        print(f"digested after {time.perf_counter() - begin:.1f} s")
    decisions = Counter(decision["decision"] for result in results for decision in result["decisions"])
    print(f"states {dict(Counter(result['status'] for result in results))}, decisions {dict(decisions)}\n")
    await ask(url, key)


async def add(http: httpx.AsyncClient, session: list[Item]) -> str:
    speakers = dict.fromkeys(item.speaker for item in session)
    roles = dict(zip(speakers, ("user", "assistant"), strict=False))
    messages = [{"role": roles[item.speaker], "name": item.speaker, "content": item.text} for item in session]
    arguments = {
        "messages": messages,
        "user_id": USER,
        "run_id": session[0].run,
        "metadata": {"timestamp": session[0].time},
    }
    return str((await call(http, "memory_add", arguments))["event_id"])


async def settled(http: httpx.AsyncClient, event_id: str) -> dict[str, Any]:
    while True:
        event = await call(http, "memory_event_status_get", {"event_id": event_id})
        if event["status"] in ("SUCCEEDED", "FAILED"):
            return event
        await asyncio.sleep(0.2)


async def call(http: httpx.AsyncClient, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    result: dict[str, Any] = (await http.post(ENDPOINT, json=body)).json()["result"]["structuredContent"]
    return result


async def ask(url: str, key: str) -> None:
    """With the official MCP client."""
    rows = [json.loads(line) for line in (FOLDER / "locomo_a" / "queries.jsonl").open(encoding="utf-8")]
    chosen = [row for row in rows if row["user"] == USER][:QUESTIONS]
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        transport = streamable_http_client(url + ENDPOINT, http_client=http)
        async with Client(transport) as client:
            for row in chosen:
                filters = {"AND": [{"user_id": USER}]}
                answer = await client.call_tool(
                    "memory_search", {"query": row["text"], "filters": filters, "top_k": SHOWN}
                )
                print(f"Q: {row['text']}\n   labelled: {row['answer']}")
                for hit in (answer.structured_content or {})["results"]:
                    print(f"   {hit['score']:.3f}  {hit['metadata'].get('timestamp', '')[:10]}  {hit['memory'][:150]}")


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("server", nargs="*", metavar="URL KEY", help="a running server, and a key of it")
    add_engine_options(arguments)
    options = arguments.parse_args()
    if not available():
        print("The retrieval sets (../shared/data/memory) are not on this machine: no conversation to tell.")
    elif options.server:
        if len(options.server) != 2:
            arguments.error("a running server is named by its URL and a key")
        await walk(*options.server)
    else:
        with chosen_place(options.engine, options.database_url) as place:
            async with running_server(place.folder, **place.settings) as server:
                await walk(f"http://127.0.0.1:{server.port}", KEY)


if __name__ == "__main__":
    asyncio.run(main())
