"""Does the next message put right a day or a number, and nothing of which it is not sure?"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.core.memories import ADMIN, add, listed, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.add import add_memories
from yiku.core.memory.history import memory_history
from yiku.core.work import HANDLERS, run_jobs
from yiku.model.memories import AddMemories, DecisionKind
from yiku.model.messages import Message
from yiku.ports import Ports


async def texts(ports: Ports) -> list[str]:
    return [memory.text for memory in await listed(ports)]


@pytest.mark.parametrize(
    ("first", "second", "meant"),
    [
        ("我的会议在周四", "不对，是周五", "用户的会议在周五（2026-01-02）"),
        ("我明天去北京", "说错了，应该是后天", "用户后天去北京（2026-01-03）"),
        ("我的生日是3月5日", "说错了，是3月6日", "用户的生日是3月6日"),
        ("我的手机号是13800001111", "打错了，是13800002222", "用户的手机号是13800002222"),
        ("我今年30岁", "打错了，是31岁", "用户今年31岁"),
        ("My flight is on Friday", "Correction: Saturday", "The user's flight is on Saturday (2026-01-03)"),
        ("My birthday is March 5", "Sorry, I meant March 6", "The user's birthday is March 6"),
        ("I have 2 dogs", "Wait, I meant 3", "The user has 3 dogs"),
        ("My phone number is 555-1234", "typo: 555-1235", "The user's phone number is 555-1235"),
        ("I moved to Berlin in 2019", "I meant 2018", "The user moved to Berlin in 2018"),
    ],
)
async def test_a_day_or_number_is_put_in_its_place(ports: Ports, first: str, second: str, meant: str) -> None:
    await add(ports, first)
    [before] = await listed(ports)
    event = await add(ports, second)
    [after] = await listed(ports)
    assert (after.text, after.id) == (meant, before.id)
    assert event.decisions[0].kind is DecisionKind.UPDATE
    assert len(after.evidence) == 2
    assert [version.text for version in after.revisions] == [before.text]


async def test_what_it_answers_is_put_right_with_it(ports: Ports) -> None:
    await add(ports, "我的手机号是13800001111")
    await add(ports, "打错了，是13800002222")
    await add(ports, "我的手机号是13800002222")
    [memory] = await listed(ports)
    assert memory.slot is not None
    assert memory.slot.value == "13800002222"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我住在上海", "不对，是杭州"),  # It may answer what the assistant asked in between.
        ("I live in Berlin", "No, Munich"),
        ("I like tea", "不对，是周五"),  # Nothing there names a day.
        ("I work from 9 to 5", "I meant 6"),  # Which of the two?
        ("我的生日是3月5日", "不对，是周五"),  # A weekday is no date.
        ("我今年30岁", "不对，是31公斤"),  # Another unit.
        ("My meeting is on Friday at 3pm", "correction: Monday"),  # The hour would be lost.
        ("My flight is on Friday", "Friday is my favourite day, no wait, Saturday"),
        ("My flight is on Friday", "Actually, Saturday"),
    ],
)
async def test_where_it_is_not_sure_nothing_is_lost(ports: Ports, first: str, second: str) -> None:
    await add(ports, first)
    [before] = await listed(ports)
    await add(ports, second)
    assert before.text in await texts(ports)


async def test_only_what_was_said_just_before_is_put_right(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "My flight is on Friday")
    await add(ports, "I like tea")
    await add(ports, "Correction: Saturday")
    assert "The user's flight is on Friday (2026-01-02)" in await texts(ports)
    await add(ports, "我的会议在周四")
    clock.advance(timedelta(hours=2).total_seconds())
    await add(ports, "不对，是周五")
    assert "用户的会议在周四（2026-01-01）" in await texts(ports)


async def test_another_run_is_another_conversation(ports: Ports) -> None:
    await add(ports, "我的会议在周四", where=scope(run_id="r1"))
    await add(ports, "不对，是周五", where=scope(run_id="r2"))
    assert "用户的会议在周四（2026-01-01）" in await texts(ports)


async def test_adds_that_are_digested_together_and_messages_of_one_add_know_each_other(ports: Ports) -> None:
    for text in ("我的会议在周四", "不对，是周五"):
        message = Message(role="user", content=text)
        await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=(message,)))
    await run_jobs(ports, await ports.storage.claim(tuple(HANDLERS), lease_s=60, limit=10))
    assert await texts(ports) == ["用户的会议在周五（2026-01-02）"]
    await add(ports, "I have 2 cats", "Sorry, I meant 3")
    assert "The user has 3 cats" in await texts(ports)


async def test_the_history_tells_what_was_said_first(ports: Ports) -> None:
    await add(ports, "我的会议在周四")
    await add(ports, "不对，是周五")
    [memory] = await listed(ports)
    history = await memory_history(ports, ADMIN, memory.id)
    assert "用户的会议在周四（2026-01-01）" in str(history)
