"""What becomes of two conversations, from the first message to a search of the past? Makes docs/worked-example.md.

`python -m tests.docs.worked_example` writes the page again; `test_worked_example.py` compares it with what comes out.
The conversations go over HTTP to a door with a real store and the real local model; only the clock is held.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.docs.worked_conversations import CONVERSATIONS, Asked, Conversation
from tests.wire.opensearch_rest.conftest import Door, open_door
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders.cached import CachedQueries
from yiku.adapters.embedders.local import LocalEmbedder

PAGE = Path(__file__).parents[2] / "docs" / "worked-example.md"
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
A_DAY_S = 86_400.0
INTRODUCTION = """# A worked example

Two conversations, and all that becomes of them: what is decided on each message and why, what the memories look like
afterwards, and what searches find. Nothing here is written by hand but the conversations: `python -m
tests.docs.worked_example` sends them over HTTP to a server with the built-in rules and the local model, and writes this
page; a test does the same and compares. Ids are shortened to `m1`, `m2` … in the order in which they appear. What
the words of the decisions mean is said in [memory](memory.md).

"Where do I live?" finds "I moved to York", though no word of one stands in the other: both are about the same slot, the
user's home. Questions of no such form go by words and meaning alone. With `explain`, the parts add up to a hit's place
among the others; the score says how sure the answer is.

The clock starts on Monday, 2 March 2026, 09:00 UTC; each message comes a day after the one before it.
"""


async def page() -> str:
    parts = [INTRODUCTION]
    for conversation in CONVERSATIONS:
        with tempfile.TemporaryDirectory() as folder:
            clock = ManualClock(START)
            embedder = CachedQueries(LocalEmbedder(), 16)
            async with open_door(folder, embedder=embedder, clock=clock) as door:
                parts.append(await _chapter(door, clock, conversation))
    return "\n".join(parts)


async def _chapter(door: Door, clock: ManualClock, conversation: Conversation) -> str:
    shown = _Ids()
    parts = [f"## {conversation.title}\n", *await _told(door, clock, conversation, shown)]
    parts += await _remembered(door, conversation, shown)
    for asked in conversation.asked:
        parts.append(await _search(door, conversation, asked, shown))
    return "\n".join(parts)


async def _told(door: Door, clock: ManualClock, conversation: Conversation, shown: _Ids) -> list[str]:
    """Each message with its decisions; the first with its whole call."""
    parts = []
    for number, said in enumerate(conversation.said, start=1):
        body = {"messages": [{"role": "user", "content": said}], "user_id": conversation.user_id}
        added = await door.call("POST", "/memories/add", body)
        if number == 1:
            parts.append(f"`POST /v4/memories/add`\n\n{_json(body)}\n\nand each of the others in the same way.\n")
        await door.work()
        event = await door.call("GET", f"/events/{added['event_id']}")
        parts.append(f"**{number}. {clock.now():%a %d %b}:** {said}\n")
        parts.append(_table(["Decision", "Text", "Reason"], [_decision(d, shown) for d in event["decisions"]]))
        clock.advance(A_DAY_S)
    return parts


def _decision(decision: dict[str, Any], shown: _Ids) -> list[str]:
    memory_id = decision.get("memory_id")
    text = decision["memory"] if "memory" in decision else decision["text"]
    old = decision.get("old_memory") or decision.get("old_text")
    words = f"{old} → {text}" if old else text
    named = f"`{shown.of(memory_id)}` " if memory_id else ""
    return [f"`{decision['decision']}`", named + words, shown.within(decision["reason"])]


async def _remembered(door: Door, conversation: Conversation, shown: _Ids) -> list[str]:
    user = {"AND": [{"user_id": conversation.user_id}]}
    listed = await door.call("POST", "/memories/list", {"filters": user})
    held = sorted(listed["results"], key=lambda memory: shown.number(memory["id"]))
    rows = [[f"`{shown.of(m['id'])}`", m["memory"], m["kind"], _day(m["valid_from"])] for m in held]
    parts = [f"### {conversation.heads['held']}\n", _table(["", "Memory", "Kind", "Holds from"], rows)]
    for m in held:
        history = await door.call("GET", f"/memories/{m['id']}/history")
        if len(history["results"]) > 1 or len(history.get("values", ())) > 1:
            parts.append(_history(m, history, shown))
    return parts


def _history(memory: dict[str, Any], history: dict[str, Any], shown: _Ids) -> str:
    wordings = [[row["memory"], _day(row["since"]), _day(row.get("until"))] for row in history["results"]]
    values = [
        [f"`{shown.of(v['id'])}` {v['memory']}", _day(v["valid_from"]), _day(v.get("valid_until")), len(v["evidence"])]
        for v in history.get("values", ())
    ]
    told = f"`GET /v4/memories/{shown.of(memory['id'])}/history`: its wordings\n\n"
    told += _table(["Memory", "Since", "Until"], wordings)
    if values:
        told += "\nand all answers to its question, with how many messages each rests on\n\n"
        told += _table(["Memory", "Holds from", "Until", "Evidence"], values)
    return told


async def _search(door: Door, conversation: Conversation, asked: Asked, shown: _Ids) -> str:
    body: dict[str, Any] = {"query": asked.query, "filters": {"AND": [{"user_id": conversation.user_id}]}}
    body |= {"top_k": 3, **asked.more}
    answer = await door.call("POST", "/memories/search", body)
    rows = []
    for hit in answer["results"]:
        row = [f"{hit['score']:.2f}", f"`{shown.of(hit['id'])}` {hit['memory']}"]
        legs = (f"{name} {value:.2f}" for name, value in hit.get("explain", {}).items())
        rows.append([*row, ", ".join(legs)] if asked.more.get("explain") else row)
    heads = ["Score", "Memory", "Explained"] if asked.more.get("explain") else ["Score", "Memory"]
    found = _table(heads, rows) if rows else 'Nothing: `"results": []`.\n'
    notices = "".join(f"\n{notice}\n" for notice in answer.get("notices", ()))
    return f"### {asked.title}\n\n`POST /v4/memories/search`\n\n{_json(body)}\n\n{found}{notices}"


class _Ids:
    """Ids as they are shown: m1, m2 … in the order in which they are met."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def of(self, memory_id: str) -> str:
        return self._names.setdefault(memory_id, f"m{len(self._names) + 1}")

    def number(self, memory_id: str) -> int:
        return int(self.of(memory_id)[1:])

    def within(self, text: str) -> str:
        return re.sub(r"m-[0-9a-f-]{36}", lambda found: f"`{self.of(found[0])}`", text)


def _day(moment: str | None) -> str:
    return moment[:10] if moment else "–"


def _json(value: Any) -> str:
    return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"


def _table(heads: list[str], rows: list[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(page()), encoding="utf-8")
