"""Is what was deleted gone at once, everywhere, and for good?"""

from __future__ import annotations

from tests.core.memories import ADMIN
from yiku.core.audit import list_audit
from yiku.core.memory.add import DIGEST
from yiku.core.work import run_jobs

from .conftest import Doors
from .ledger import proves


@proves("B026")
async def test_one_call_deletes_however_many_there_are(doors: Doors) -> None:
    messages = [{"role": "user", "content": f"I like fruit number {number}"} for number in range(148)]
    for user_id in ("u", "v"):
        await doors.add(messages, user_id)
    everything = {"filters": {"AND": [{"user_id": "u"}]}}
    assert (await doors.rest.call("POST", "/memories/delete", everything))["count"] == 148
    assert await doors.listed() == []
    await doors.rest.call("DELETE", "/users/v")
    assert await doors.listed("v") == []


@proves("B028", "B029")
async def test_a_repeated_search_no_longer_finds_what_was_deleted_between(doors: Doors) -> None:
    for text in ("我的猫叫咪咪", "I like strawberry jam"):
        await doors.add(text)
    for query in ("咪咪", "strawberry"):
        [hit, *_] = await doors.found(query)
        [memory_id] = [row["id"] for row in await doors.listed() if row["memory"] == hit]
        await doors.tool("memory_delete", memory_id=memory_id)
        assert hit not in await doors.found(query)
    assert await doors.listed() == []


@proves("B028")
async def test_what_the_user_asks_to_forget_is_gone_with_its_words(doors: Doors) -> None:
    [memory_id] = (await doors.add("我喜欢喝咖啡"))["results"]
    await doors.add("我喜欢喝茶")
    asked = await doors.add("忘掉我喜欢咖啡")
    assert [(row["decision"], row["memory_id"], row["memory"]) for row in asked["decisions"]] == [
        ("DELETE", memory_id, "(deleted)")
    ]
    assert ["茶" in row["memory"] for row in await doors.listed()] == [True]
    assert not any("咖啡" in text for text in await doors.found("咖啡"))
    [entry] = (await list_audit(doors.ports, ADMIN, before=None, limit=1)).entries
    assert (entry.action, entry.subject, entry.outcome) == ("memory.forget", "u", "done")
    doubtful = await doors.add("忘掉我的大学")
    assert {row["decision"] for row in doubtful["decisions"]} == {"SKIP"}
    assert len(await doors.listed()) == 1


@proves("B031")
async def test_a_digest_that_relied_on_what_was_deleted_meanwhile_decides_again(doors: Doors) -> None:
    [memory_id] = (await doors.add("I live in Berlin"))["results"]
    await doors.rest.call("POST", "/memories/add", {"messages": "I live in Munich", "user_id": "u"})
    jobs = await doors.ports.storage.claim((DIGEST,), lease_s=60, limit=8)
    await doors.rest.call("DELETE", f"/memories/{memory_id}")
    await run_jobs(doors.ports, jobs)
    [row] = await doors.listed()
    history = await doors.rest.call("GET", f"/memories/{row['id']}/history")
    assert [value["id"] for value in history["values"]] == [row["id"]]


@proves("B034")
async def test_nothing_of_a_deleted_user_comes_back_with_a_new_add(doors: Doors) -> None:
    window = [{"role": "user", "content": "I am allergic to nuts", "id": "1"}]
    await doors.add(window)
    await doors.rest.call("DELETE", "/users/u")
    await doors.add("I like tea")
    assert ["tea" in row["memory"] for row in await doors.listed()] == [True]
    assert len((await doors.add(window))["results"]) == 1
