"""What is known of a fact beside its words: its time, its kind, whether it corrects; and what is to be forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from yiku.core.memory.extraction import Extraction, extract
from yiku.core.memory.extraction.facts import ONLY_CORRECTS, PASTED, REACTION
from yiku.model.facts import FactKind, Precision
from yiku.model.messages import Message

ANCHOR = datetime(2023, 5, 24, 10, tzinfo=timezone(timedelta(hours=8)))

DATED = [
    ("我上周去了巴黎", "用户上周去了巴黎（2023-05-15 至 2023-05-21）"),
    ("昨天去了杭州，玩得很开心", "用户：昨天去了杭州（2023-05-23），玩得很开心"),
    ("我明天下午三点要开会", "用户明天下午三点要开会（2023-05-25 15:00）"),
    ("我2021年3月5日结的婚", "用户2021年3月5日结的婚"),
    ("I went to a support group yesterday.", "The user went to a support group yesterday (2023-05-23)"),
    ("I moved last month", "The user moved last month (2023-04)"),
    ("I loved last week's concert", "The user loved last week's concert (2023-05-15 to 2023-05-21)"),
    ("I graduated in 2019", "The user graduated in 2019"),
    ("我的生日是5月3日", "用户的生日是5月3日"),
    ("My mom's birthday is on June 5", "The user's mom's birthday is on June 5"),
]

KINDS = [
    ("我喜欢跑步", FactKind.PREFERENCE),
    ("我不吃香菜", FactKind.PREFERENCE),
    ("我住在北京", FactKind.PROFILE),
    ("我打算明年去日本", FactKind.PLAN),
    ("我下周三有个面试", FactKind.PLAN),
    ("我昨天丢了钱包", FactKind.EVENT),
    ("我有两个儿子", FactKind.RELATION),
    ("以后请用中文回答我", FactKind.INSTRUCTION),
    ("还有，叫我老王", FactKind.INSTRUCTION),
    ("I like tea", FactKind.PREFERENCE),
    ("I work at Siemens", FactKind.PROFILE),
    ("I'm going to visit Japan", FactKind.PLAN),
    ("My exam is next Friday", FactKind.PLAN),
    ("I lost my wallet yesterday", FactKind.EVENT),
    ("I have two sons", FactKind.RELATION),
    ("Please always answer briefly", FactKind.INSTRUCTION),
    ("call me Bob", FactKind.INSTRUCTION),
]

CORRECTIONS = [
    *["不对，我住在杭州", "我说错了，我住在杭州", "其实是周五，不是周四", "我说错了。我住在杭州。"],
    *[
        "Actually, it's Berlin.",
        "Sorry, I meant Berlin",
        "No wait, that was wrong, I live in Berlin",
        "That was not me.",
        "那不是我",
    ],
    *["My flight is on Friday, not Thursday."],
]
NO_CORRECTIONS = [
    *["我住在杭州", "其实我不喝酒", "我搬到杭州了", "不是我不想去"],
    *["I actually like it", "Actually I moved to Berlin", "I'm not tired", "I don't like tea"],
]

FORGOTTEN = [
    ("忘掉我的地址", "我的地址", ("user", "address", None)),
    ("把我的生日从记忆里删掉", "我的生日", ("user", "birthday", None)),
    ("请忘记我喜欢咖啡", "我喜欢咖啡", ("user", "likes", "咖啡")),
    ("你能忘掉我前女友的名字吗？", "我前女友的名字", None),
    ("另外忘掉我的旧手机号吧，已经不用了", "我的旧手机号吧，已经不用了", None),
    ("Forget what I told you about my dog Rex.", "my dog Rex", None),
    ("Can you forget that I like coffee?", "I like coffee", ("user", "likes", "coffee")),
    ("I want you to forget my birthday.", "my birthday", ("user", "birthday", None)),
    ("forget what I said about being vegetarian", "being vegetarian", None),
]

PASTED_TEXT = [
    ("帮我把下面这段话润色一下：我叫王强，我住在纽约。", "我叫王强，我住在纽约。"),
    ('Can you fix the grammar in this email: "Hi Tom, I has a dog."', '"Hi Tom, I has a dog."'),
    ("Translate this into French: I live in Paris.", "I live in Paris."),
    ("这样写对吗？\n```\nI = 1\n```", "```\nI = 1\n```"),
]

REACTIONS = [
    *["那我试试看", "听起来不错", "学到了", "好主意", "祝你好运"],
    *["I'll give that a try.", "That's a great idea!", "Makes sense.", "You're right", "I'm so happy for you!"],
]


def said(text: str, anchor: datetime | None = ANCHOR) -> Extraction:
    return extract([Message(role="user", content=text)], anchor)


@pytest.mark.parametrize(("text", "fact"), DATED)
def test_a_fact_says_the_date_that_its_words_mean(text: str, fact: str) -> None:
    """B086: counted from the message's time."""
    assert [found.text for found in said(text).facts] == [fact]


def test_a_fact_holds_at_the_time_that_its_words_name() -> None:
    (fact,) = said("我上周去了巴黎").facts
    assert fact.when is not None
    assert (fact.when.start.isoformat(), fact.when.precision) == ("2023-05-15T00:00:00+08:00", Precision.WEEK)


def test_without_a_moment_no_date_is_resolved() -> None:
    (fact,) = said("我上周去了巴黎", None).facts
    assert (fact.text, fact.when) == ("用户上周去了巴黎", None)


def test_a_date_within_a_quotation_is_not_the_facts() -> None:
    (fact,) = said("我最喜欢的歌是“Friday I'm in love”").facts
    assert fact.when is None


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_fact_has_its_kind(text: str, kind: FactKind) -> None:
    assert [fact.kind for fact in said(text).facts] == [kind]


def test_what_the_assistant_recommended_is_a_suggestion() -> None:
    (fact,) = extract([Message(role="assistant", content="我推荐您试试瑜伽。")]).facts
    assert fact.kind is FactKind.SUGGESTION


@pytest.mark.parametrize("text", CORRECTIONS)
def test_words_that_put_something_right_correct(text: str) -> None:
    assert said(text).facts[-1].corrects


@pytest.mark.parametrize("text", NO_CORRECTIONS)
def test_news_and_denials_do_not_correct(text: str) -> None:
    assert not said(text).facts[-1].corrects


def test_words_that_only_say_that_something_was_wrong_are_left_out() -> None:
    assert [part.reason for part in said("I got that wrong. I live in Rome.").left_out] == [ONLY_CORRECTS]


@pytest.mark.parametrize(("text", "words", "key"), FORGOTTEN)
def test_a_request_to_forget_says_what(text: str, words: str, key: tuple[str, str, str | None] | None) -> None:
    extraction = said(text)
    assert extraction.facts == ()
    assert [(request.text, request.words, request.key) for request in extraction.forget] == [(text, words, key)]


def test_what_is_known_instead_is_kept_beside_a_request_to_forget() -> None:
    extraction = said("忘掉我的地址，我搬到北京了")
    assert [fact.text for fact in extraction.facts] == ["用户搬到北京了"]
    assert [request.text for request in extraction.forget] == ["忘掉我的地址"]


@pytest.mark.parametrize(("text", "pasted"), PASTED_TEXT)
def test_text_that_the_assistant_is_to_work_on_is_no_fact(text: str, pasted: str) -> None:
    extraction = said(text)
    assert extraction.facts == ()
    assert (pasted, PASTED) in [(part.text, part.reason) for part in extraction.left_out]


@pytest.mark.parametrize("text", REACTIONS)
def test_a_reaction_is_left_out(text: str) -> None:
    extraction = said(text)
    assert extraction.facts == ()
    assert [part.reason for part in extraction.left_out] == [REACTION]


def test_praise_among_friends_is_left_out_and_what_is_told_of_a_friend_is_kept() -> None:
    messages = [
        Message(role="user", name="Anna", content="You're a real bookworm! You met Carla at my party."),
        Message(role="assistant", name="Tom", content="Anna! I like tea."),
    ]
    assert [fact.text for fact in extract(messages).facts] == ["Anna: You met Carla at my party.", "Tom likes tea"]
