"""A list is several memories, so that one of them can be withdrawn."""

from __future__ import annotations

import pytest

from tests.core.memories import add, listed
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.extraction import extract
from yiku.model.facts import Slot
from yiku.model.messages import Message
from yiku.ports import Ports


def told(text: str) -> list[str]:
    return [fact.text for fact in extract([Message(role="user", content=text)]).facts]


@pytest.mark.parametrize(
    ("said", "several"),
    [
        ("我喜欢苹果、香蕉和梨", ["用户喜欢苹果", "用户喜欢香蕉", "用户喜欢梨"]),
        ("我对花生、虾和牛奶过敏", ["用户对花生过敏", "用户对虾过敏", "用户对牛奶过敏"]),
        ("我不吃猪肉和羊肉", ["用户不吃猪肉", "用户不吃羊肉"]),
        ("我会说英语、法语", ["用户会说英语", "用户会说法语"]),
        ("我喜欢看电影、旅游", ["用户喜欢看电影", "用户喜欢旅游"]),
        ("我妈妈喜欢茶和咖啡", ["用户妈妈喜欢茶", "用户妈妈喜欢咖啡"]),
        (
            "I'm allergic to nuts, shrimp and milk",
            ["The user is allergic to nuts", "The user is allergic to shrimp", "The user is allergic to milk"],
        ),
        ("I like tea and coffee", ["The user likes tea", "The user likes coffee"]),
        ("I don't eat pork or lamb", ["The user doesn't eat pork", "The user doesn't eat lamb"]),
        ("I like watching films and hiking", ["The user likes watching films", "The user likes hiking"]),
        ("My sister speaks French and German", ["The user's sister speaks French", "The user's sister speaks German"]),
    ],
)
def test_each_item_is_a_memory(said: str, several: list[str]) -> None:
    assert told(said) == several


@pytest.mark.parametrize(
    "said",
    [
        "我喜欢和平",
        "我喜欢柔和色调",
        "我喜欢和朋友爬山",
        "我喜欢钓鱼和跟朋友聊天",
        "I like rock and roll",
        "I like tea or coffee",
        "I love Lyon and its food",
        "I like hiking and my dog",
        "I like cooking and want to learn French",
    ],
)
def test_what_is_no_list_of_equals_stays_whole(said: str) -> None:
    assert len(told(said)) == 1


@pytest.mark.parametrize("said", ["我对虾不过敏了", "我对虾不会过敏", "我对虾没有过敏"])
def test_no_allergy_is_no_allergy_to_something_else(said: str) -> None:
    [fact] = extract([Message(role="user", content=said)]).facts
    assert fact.slot == Slot(subject="user", attribute="allergy", topic="虾", value="no")


def test_no_interest_is_no_liking_of_something_else() -> None:
    [fact] = extract([Message(role="user", content="我对足球不感兴趣")]).facts
    assert fact.slot == Slot(subject="user", attribute="likes", topic="足球", value="dislike")


@pytest.mark.parametrize(
    ("listing", "withdrawal", "now"),
    [
        ("我喜欢苹果、香蕉和梨", "其实我不喜欢香蕉了", {"用户喜欢苹果", "用户喜欢梨", "其实用户不喜欢香蕉了"}),
        ("我对花生、虾和牛奶过敏", "我对虾不过敏了", {"用户对花生过敏", "用户对牛奶过敏", "用户对虾不过敏了"}),
        (
            "I like apples, bananas and pears",
            "I don't like bananas anymore",
            {"The user likes apples", "The user likes pears", "The user doesn't like bananas anymore"},
        ),
    ],
)
async def test_one_item_is_withdrawn_and_the_others_hold(
    ports: Ports, clock: ManualClock, listing: str, withdrawal: str, now: set[str]
) -> None:
    await add(ports, listing)
    clock.advance(60)
    await add(ports, withdrawal)
    assert {memory.text for memory in await listed(ports) if memory.valid_until is None} == now
