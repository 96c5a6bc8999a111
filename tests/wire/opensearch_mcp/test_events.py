"""The life of an add: pending, running, and what it ended with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from tests.core.test_work import BrokenEmbedder
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.add import DIGEST
from yiku.wire.fields import schema_of
from yiku.wire.opensearch_mcp.arguments import AddArguments
from yiku.wire.opensearch_mcp.tools import TOOLS
from yiku.wire.opensearch_results import DECISIONS_SHOWN

from .conftest import Door, open_door
from .requirements import proves

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


async def add(door: Door, messages: Any, **more: Any) -> str:
    """The id of the event."""
    event_id: str = (await door.call("memory_add", messages=messages, user_id="u", **more))["event_id"]
    return event_id


async def status(door: Door, event_id: str) -> dict[str, Any]:
    return await door.call("memory_event_status_get", event_id=event_id)


@proves("add:result", "event:result", "ids")
async def test_an_add_answers_before_anything_is_digested(door: Door) -> None:
    event = await door.call("memory_add", messages="I like tea", user_id="u")
    assert re.fullmatch(f"me-{UUID}", event["event_id"])
    assert event == {"event_id": event["event_id"], "status": "PENDING"}
    assert await status(door, event["event_id"]) == event | {"memory_ids": [], "extraction": "rules"}
    await door.work()
    [memory_id] = (await status(door, event["event_id"]))["memory_ids"]
    assert re.fullmatch(f"m-{UUID}", memory_id)


@proves("add:infer-false-settles")
async def test_an_add_without_extraction_is_pending_first_too_and_then_one_memory(door: Door) -> None:
    event_id = await add(door, "你好", infer=False)
    assert (await status(door, event_id))["status"] == "PENDING"
    await door.work()
    ended = await status(door, event_id)
    assert (ended["status"], len(ended["memory_ids"])) == ("SUCCEEDED", 1)


@proves("add:infer-default")
async def test_what_is_worth_remembering_is_extracted_unless_told_otherwise(door: Door) -> None:
    greeting = {"absent": await add(door, "你好"), "true": await add(door, "你好", infer=True)}
    await door.work()
    for event_id in greeting.values():
        ended = await status(door, event_id)
        assert (ended["memory_ids"], ended["decisions"][0]["decision"]) == ([], "SKIP")
    assert schema_of(AddArguments)["properties"]["infer"]["default"] is True


@proves("event:running")
async def test_an_event_is_running_while_somebody_works_on_it(door: Door) -> None:
    event_id = await add(door, "I like tea")
    jobs = await door.ports.storage.claim((DIGEST,), lease_s=60, limit=1)
    assert (await status(door, event_id))["status"] == "RUNNING"
    await door.ports.storage.release(jobs, delay_s=0, error=None)
    assert (await status(door, event_id))["status"] == "PENDING"
    await door.work()
    assert (await status(door, event_id))["status"] == "SUCCEEDED"


@proves("event:decisions", "event:extraction")
async def test_a_finished_event_says_what_was_decided_and_by_what(door: Door) -> None:
    event_id = await add(door, "我喜欢喝咖啡")
    await door.work()
    ended = await status(door, event_id)
    assert ended["extraction"] == "rules"
    [decision] = ended["decisions"]
    assert list(decision) == ["decision", "memory_id", "memory", "reason"]
    assert (decision["decision"], decision["memory_id"]) == ("ADD", ended["memory_ids"][0])
    assert decision["reason"]


@proves("event:extraction")
async def test_an_add_without_extraction_says_nothing_of_it(door: Door) -> None:
    assert "extraction" not in await status(door, await add(door, "tea", infer=False))


@proves("add:repeat", "event:decisions")
async def test_what_is_said_again_stays_one_memory_that_every_time_finds(door: Door) -> None:
    [memory_id] = await door.remember("我喜欢喝咖啡", metadata={"source": "chat"}, agent_id="a")
    event_id = await add(door, "我喜欢喝咖啡", metadata={"source": "mail", "urgent": True}, agent_id="b")
    await door.work()
    ended = await status(door, event_id)
    assert ended["memory_ids"] == []
    assert [(row["decision"], row["memory_id"]) for row in ended["decisions"]] == [("NOOP", memory_id)]
    assert (await door.call("memory_get_all", filters={"user_id": "u"}))["count"] == 1
    for told in ({"source": "chat"}, {"source": "mail"}, {"urgent": True}, {"agent_id": "a"}, {"agent_id": "b"}):
        listed = await door.call("memory_get_all", filters={"user_id": "u", **told})
        assert [row["id"] for row in listed["results"]] == [memory_id], told
    merged = (await door.call("memory_get", memory_id=memory_id))["metadata"]
    assert merged == {"source": "chat", "urgent": True}


@proves("event:decisions-bounded")
async def test_of_very_many_decisions_the_first_are_shown_and_the_rest_counted(door: Door) -> None:
    many = [{"role": "user", "content": f"I like fruit number {n}"} for n in range(DECISIONS_SHOWN + 1)]
    event_id = await add(door, many)
    await door.work()
    ended = await status(door, event_id)
    jsonschema.validate(ended, TOOLS["memory_event_status_get"].listing()["outputSchema"])
    assert (len(ended["memory_ids"]), len(ended["decisions"])) == (DECISIONS_SHOWN + 1, DECISIONS_SHOWN)
    assert ended["decisions_left_out"] == 1


@proves("event:deleted", "delete:gone")
async def test_the_words_of_a_deleted_memory_leave_its_event(door: Door) -> None:
    event_id = await add(door, [{"role": "user", "content": text} for text in ("我喜欢草莓", "我喜欢喝咖啡")])
    await door.work()
    [strawberries, coffee] = (await status(door, event_id))["decisions"]
    await door.call("memory_delete", memory_id=strawberries["memory_id"])
    after = await status(door, event_id)
    assert after["decisions"] == [strawberries | {"memory": "(deleted)"}, coffee]
    assert "草莓" not in json.dumps(after, ensure_ascii=False)


@proves("event:failed")
async def test_an_add_that_cannot_be_digested_ends_failed_and_says_so_in_our_words(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_door(tmp_path, embedder=BrokenEmbedder(), clock=clock) as door:
        event_id = await add(door, "I like poison ivy")
        for _ in range(door.ports.limits.job_attempts):
            assert (await status(door, event_id))["status"] == "PENDING"
            await door.work()
            clock.advance(301)
        ended = await status(door, event_id)
        jsonschema.validate(ended, TOOLS["memory_event_status_get"].listing()["outputSchema"])
        assert (ended["status"], ended["memory_ids"], ended["decisions"]) == ("FAILED", [], [])
        assert ended["error"]["code"] == "InternalError"
        assert "secret detail" not in ended["error"]["message"]
        assert (await door.call("memory_get_all", filters={"user_id": "u"}))["count"] == 0
