"""The memory verbs, from an add to a search, over the real engine."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.core.memories import ADMIN, add, digest_all, found, listed, said, scope
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.memory.add import add_memories
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.events import event_status
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.search import STILL_WAITING, search_memories
from yiku.core.memory.second_stage import NO_RERANKER
from yiku.model.conditions import Eq
from yiku.model.errors import InvalidInput, NotFound, PermissionDenied, QueueFull
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ChangeMemory, DecisionKind, EventState, ListMemories, SearchMemories
from yiku.model.messages import Message
from yiku.model.metadata import metadata_equals
from yiku.model.records import PageQuery
from yiku.ports import Ports


async def test_an_add_is_pending_until_it_is_digested(ports: Ports) -> None:
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("我喜欢喝咖啡")))
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.PENDING
    [job] = await ports.storage.claim(["digest"], lease_s=60, limit=1)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.RUNNING
    await ports.storage.release([job], delay_s=0, error=None)
    await digest_all(ports)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.SUCCEEDED


async def test_the_seeds_example_becomes_the_seeds_memories(ports: Ports) -> None:
    messages = (
        Message(role="user", content="我喜欢喝咖啡，帮我推荐"),
        Message(role="assistant", content="为您推荐美式咖啡..."),
    )
    command = AddMemories(scope=scope(), messages=messages, metadata={"source": "chat"})
    event = await add_memories(ports, ADMIN, command)
    await digest_all(ports)
    event = await event_status(ports, ADMIN, event.id)
    memories = await listed(ports)
    assert {memory.text for memory in memories} == {"用户喜欢喝咖啡", "助手为用户推荐了美式咖啡"}
    assert {memory.id for memory in memories} == set(event.memory_ids)
    assert all(memory.metadata == {"source": "chat"} for memory in memories)
    assert set(await found(ports, "咖啡推荐")) == {memory.text for memory in memories}


async def test_infer_false_stores_a_dialogue_whole_and_never_merges(ports: Ports) -> None:
    first = await add(ports, "Hi", "I like tea", infer=False)
    second = await add(ports, "Hi", "I like tea", infer=False)
    assert [memory.text for memory in await listed(ports)] == ["user: Hi\nuser: I like tea"] * 2
    assert first.memory_ids != second.memory_ids


async def test_the_same_fact_twice_keeps_one_memory_and_says_so(ports: Ports) -> None:
    first = await add(ports, "我喜欢喝咖啡")
    again = await add(ports, "我喜歡喝咖啡。")
    [memory] = await listed(ports)
    [decision] = again.decisions
    assert again.memory_ids == ()
    assert (decision.kind, decision.memory_id) == (DecisionKind.NOOP, memory.id)
    assert first.memory_ids == (memory.id,)
    assert memory.id in decision.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢喝咖啡", "我不喜欢喝咖啡"),
        ("我住在上海", "我住在北京"),
        ("我的生日是3月5日", "我的生日是3月6日"),
        ("I weigh 80 kg", "I weigh 81 kg"),
        ("I know C++", "I know C"),
    ],
)
async def test_texts_that_differ_in_what_matters_are_both_kept(ports: Ports, one: str, other: str) -> None:
    [first] = (await add(ports, one)).memory_ids
    [second] = (await add(ports, other)).memory_ids
    assert first != second
    texts = [(await get_memory(ports, ADMIN, memory_id)).text for memory_id in (first, second)]
    assert len(set(texts)) == 2


async def test_fifty_parallel_adds_of_one_fact_make_one_memory(ports: Ports) -> None:
    command = AddMemories(scope=scope(), messages=said("Alice likes coffee"))
    events = await asyncio.gather(*(add_memories(ports, ADMIN, command) for _ in range(50)))
    await asyncio.gather(*(digest_all(ports) for _ in range(4)))
    assert len(await listed(ports)) == 1
    states = [(await event_status(ports, ADMIN, event.id)).state for event in events]
    assert states == [EventState.SUCCEEDED] * 50


async def test_a_repeat_in_another_run_is_found_in_both_runs(ports: Ports) -> None:
    await add(ports, "I am a vegetarian", where=scope(run_id="r1"))
    await add(ports, "I am a vegetarian", where=scope(run_id="r2"))
    assert len(await listed(ports)) == 1
    for run_id in ("r1", "r2"):
        assert await found(ports, "vegetarian", where=Eq("run_id", run_id))
    assert await found(ports, "vegetarian", where=Eq("run_id", "r3")) == []


async def test_small_talk_ends_with_a_reason_and_no_memory(ports: Ports) -> None:
    event = await add(ports, "你好", "Thanks!")
    assert event.state is EventState.SUCCEEDED
    assert event.memory_ids == ()
    assert {decision.kind for decision in event.decisions} == {DecisionKind.SKIP}
    assert all(decision.reason for decision in event.decisions)


async def test_an_updated_memory_keeps_its_id_and_metadata_and_loses_its_old_words(ports: Ports) -> None:
    event = await add(ports, "我喜欢喝咖啡", metadata={"source": "chat", "priority": 3})
    [memory_id] = event.memory_ids
    updated = await update_memory(ports, ADMIN, memory_id, ChangeMemory(text="用户偏好拿铁"))
    read = await get_memory(ports, ADMIN, memory_id)
    assert (read.id, read.text, read.metadata) == (memory_id, "用户偏好拿铁", {"source": "chat", "priority": 3})
    assert (read.created, read.updated) == (updated.created, updated.updated)
    hits = await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text="咖啡", threshold=0.5))
    assert hits.hits == ()
    assert await found(ports, "拿铁") == ["用户偏好拿铁"]


async def test_a_memory_may_be_updated_to_what_another_says_already(ports: Ports) -> None:
    [first] = (await add(ports, "I like tea")).memory_ids
    [second] = (await add(ports, "I like coffee")).memory_ids
    text = (await get_memory(ports, ADMIN, first)).text
    await update_memory(ports, ADMIN, second, ChangeMemory(text=text))
    assert [memory.text for memory in await listed(ports)] == [text, text]


async def test_what_was_deleted_is_not_found_again_in_any_way(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like strawberry.")).memory_ids
    assert await found(ports, "strawberry")
    await delete_memory(ports, ADMIN, memory_id)
    assert await found(ports, "strawberry") == []
    assert await listed(ports) == []
    with pytest.raises(NotFound):
        await get_memory(ports, ADMIN, memory_id)
    with pytest.raises(NotFound):
        await delete_memory(ports, ADMIN, memory_id)


async def test_a_deleted_fact_can_be_told_again(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like strawberry")).memory_ids
    await delete_memory(ports, ADMIN, memory_id)
    again = await add(ports, "I like strawberry")
    assert len(again.memory_ids) == 1
    assert again.memory_ids != (memory_id,)


async def test_pages_are_exact_complete_and_do_not_overlap(ports: Ports) -> None:
    for number in range(53):
        await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said(f"note {number}"), infer=False))
    await digest_all(ports)
    pages = [await list_memories(ports, ADMIN, ListMemories(scope=scope(), page=n, page_size=10)) for n in range(1, 8)]
    assert {page.count for page in pages} == {53}
    assert [len(page.memories) for page in pages] == [10, 10, 10, 10, 10, 3, 0]
    assert len({memory.id for page in pages for memory in page.memories}) == 53


async def test_a_page_past_the_window_is_refused(ports: Ports) -> None:
    with pytest.raises(InvalidInput):
        await list_memories(ports, ADMIN, ListMemories(scope=scope(), page=101, page_size=100))


async def test_another_users_memories_are_never_seen(ports: Ports) -> None:
    [memory_id] = (await add(ports, "我的密码提示是蓝色", where=scope("u1"))).memory_ids
    await add(ports, "我喜欢蓝色", where=scope("u2"))
    bound = replace(ADMIN, user_id="u2")
    assert await found(ports, "蓝色", "u2") == ["用户喜欢蓝色"]
    with pytest.raises(NotFound):
        await get_memory(ports, bound, memory_id)
    with pytest.raises(NotFound):
        await delete_memory(ports, bound, memory_id)
    with pytest.raises(PermissionDenied):
        await listed(ports, "u1", bound)
    assert len(await listed(ports, "u1")) == 1


async def test_another_workspace_does_not_know_the_id(ports: Ports) -> None:
    event = await add(ports, "I like tea")
    elsewhere = replace(ADMIN, workspace="other")
    with pytest.raises(NotFound):
        await get_memory(ports, elsewhere, event.memory_ids[0])
    with pytest.raises(NotFound):
        await event_status(ports, elsewhere, event.id)


async def test_a_key_without_the_permission_is_refused(ports: Ports) -> None:
    reader = replace(ADMIN, permissions=frozenset({"memory:read"}))
    with pytest.raises(PermissionDenied, match="memory:write"):
        await add_memories(ports, reader, AddMemories(scope=scope(), messages=said("hi there")))


async def test_a_full_queue_refuses_the_add_and_keeps_nothing_of_it(place: str, clock: ManualClock) -> None:
    limits = Limits(queue_jobs=1)
    storage = await open_place(place, clock=clock, limits=limits)
    ports = Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=limits)
    await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    with pytest.raises(QueueFull):
        await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like coffee")))
    events = await storage.page(PageQuery(partitions=(scope().partition,), kind="event"))
    messages = await storage.page(PageQuery(partitions=(scope().partition,), kind="message"))
    assert (events.count, messages.count) == (1, 1)
    await storage.close()


async def test_scores_lie_between_0_and_1_and_fall(ports: Ports) -> None:
    for text in ("I like coffee", "I like tea", "My dog is called Rex", "我喜欢喝咖啡", "我住在上海"):
        await add(ports, text)
    for question in ("coffee", "我喜欢喝什么", "Rex", "zebra"):
        hits = (await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text=question))).hits
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


async def test_a_threshold_keeps_the_exact_text_and_drops_the_unrelated(ports: Ports) -> None:
    for text in ("Payment terms are thirty days net", "The quick brown fox jumps"):
        await add(ports, text, infer=False)
    assert await found(ports, "The quick brown fox jumps", threshold=0.9) == ["The quick brown fox jumps"]
    assert await found(ports, "zebra umbrella xylophone", threshold=0.99) == []


async def test_top_k_is_honoured_past_the_usual_candidates(ports: Ports) -> None:
    for number in range(260):
        command = AddMemories(scope=scope(), messages=said(f"coffee note {number}"), infer=False)
        await add_memories(ports, ADMIN, command)
    await digest_all(ports)
    assert len(await found(ports, "coffee", top_k=250)) == 250
    assert len(await found(ports, "coffee", top_k=1000)) == 260


async def test_reranking_without_a_reranker_says_so(ports: Ports) -> None:
    await add(ports, "I bought a new car")
    hits = await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text="automobile", rerank=True))
    assert hits.notices == (NO_RERANKER,)
    assert len(hits.hits) == 1


async def test_a_repeat_with_other_metadata_is_found_by_either(ports: Ports) -> None:
    await add(ports, "I play golf", metadata={"source": "chat", "lang": "en"})
    await add(ports, "I play golf", metadata={"source": "mail", "thread": 7})
    [memory] = await listed(ports)
    assert memory.metadata == {"source": "chat", "lang": "en", "thread": 7}
    for key, value in (("source", "chat"), ("source", "mail"), ("thread", 7)):
        assert await found(ports, "golf", where=metadata_equals(key, value)) == [memory.text]
    assert await found(ports, "golf", where=metadata_equals("source", "crm")) == []


async def test_the_words_of_a_deleted_memory_leave_the_event_too(ports: Ports) -> None:
    event = await add(ports, "I like strawberry", "I like rhubarb")
    first, second = event.memory_ids
    await delete_memory(ports, ADMIN, first)
    event = await event_status(ports, ADMIN, event.id)
    assert [(d.memory_id, "rhubarb" in d.text, "strawberry" in d.text) for d in event.decisions] == [
        (first, False, False),
        (second, True, False),
    ]


async def test_an_empty_answer_says_when_adds_are_still_waiting(ports: Ports) -> None:
    query = SearchMemories(scope=scope(), text="tea")
    assert (await search_memories(ports, ADMIN, query)).notices == ()
    await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    assert (await search_memories(ports, ADMIN, query)).notices == (STILL_WAITING.format(count=1),)
    await digest_all(ports)
    assert (await search_memories(ports, ADMIN, query)).notices == ()


async def test_a_list_comes_in_the_order_in_which_things_were_said(ports: Ports) -> None:
    await add(ports, "I like apples", "I like pears", "I like plums")
    assert [memory.text.split()[-1] for memory in await listed(ports)] == ["plums", "pears", "apples"]


async def test_more_facts_than_a_commit_holds_are_told_several_at_a_time(ports: Ports) -> None:
    ports = replace(ports, limits=Limits(facts_per_commit=10))
    numbers = range(45)
    await add(ports, ". ".join(f"I like fruit {number}" for number in numbers), "I like tea")
    memories = await listed(ports)
    assert len(memories) <= 11
    words = {word for memory in memories for word in memory.text.replace(".", " ").split()}
    assert words >= {str(number) for number in numbers} | {"tea"}


async def test_adds_that_wait_together_are_committed_as_their_size_allows(ports: Ports) -> None:
    ports = replace(ports, limits=Limits(facts_per_commit=3))
    texts = [f"I like fruit {number}" for number in range(8)]
    for text in texts:
        await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said(text)))
    await digest_all(ports)
    assert len(await listed(ports)) == 8
