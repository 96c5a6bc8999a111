"""Whoever puts himself right in the same breath has said one thing: what he means, and never what slipped out."""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.facts import TAKEN_BACK
from yiku.model.messages import Message


def told(text: str) -> list[str]:
    return [fact.text for fact in extract([Message(role="user", content=text)]).facts]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("我住在上海,不对,说错了,是杭州", "用户住在杭州"),
        ("我住在上海，不对，是杭州。", "用户住在杭州"),
        ("我住在上海，哦不对，应该是杭州", "用户住在杭州"),
        ("我住在上海，啊不，是杭州。", "用户住在杭州"),
        ("我住在上海……不对，杭州。", "用户住在杭州"),
        ("我住在上海。不对，说错了，是杭州。", "用户住在杭州"),
        ("我住在上海。哦，说错了，我住在杭州", "用户住在杭州"),
        ("我住在上海，对不起，我说错了，是杭州", "用户住在杭州"),
        ("我在腾讯上班，不是，是在阿里上班", "用户在阿里上班"),
        ("我叫张伟，口误，叫张维", "用户叫张维"),
        ("我对花生过敏，更正一下，是对虾过敏", "用户对虾过敏"),
        ("我今年32岁，说错了，33岁", "用户今年33岁"),
        ("我的生日是3月5日，不对，3月6日", "用户的生日是3月6日"),
        ("我喜欢喝咖啡，不对，是喜欢喝茶", "用户喜欢喝茶"),
        ("我下周三去北京，不对，是下周四", "用户下周四去北京"),
        ("我妈妈住在上海，等等，不对，是苏州", "用户妈妈住在苏州"),
        ("我搬到杭州了，不对，说错了，是搬到宁波了。", "用户搬到宁波了"),
    ],
)
def test_in_chinese_only_what_was_meant_is_remembered(said: str, meant: str) -> None:
    assert told(said) == [meant]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I live in Leeds, no wait, I mean York", "The user lives in York"),
        ("I live in Leeds, I mean York.", "The user lives in York"),
        ("I live in Leeds. No wait, I mean York.", "The user lives in York"),
        ("I live in Leeds — sorry, I meant York.", "The user lives in York"),
        ("I live in Leeds, sorry, York.", "The user lives in York"),
        ("I live in Leeds, no, York", "The user lives in York"),
        ("I live in Leeds, scratch that, I live in York.", "The user lives in York"),
        ("I live in Leeds, correction: York.", "The user lives in York"),
        ("I live in Leeds, or rather York.", "The user lives in York"),
        ("I live in Leeds, wait, make that York.", "The user lives in York"),
        ("I'm 32, sorry, 33.", "The user is 33"),
        ("I work at Google, I mean, at Apple.", "The user works at Apple"),
        ("I'm allergic to nuts, no, I meant shrimp.", "The user is allergic to shrimp"),
        ("My birthday is March 5, no wait, March 6.", "The user's birthday is March 6"),
        ("I'm a nurse, sorry, I meant a doctor", "The user is a doctor"),
        ("My flight is on Friday, no wait, I mean Saturday.", "The user's flight is on Saturday"),
        ("My sister lives in Leeds, sorry, I meant York.", "The user's sister lives in York"),
    ],
)
def test_in_english_only_what_was_meant_is_remembered(said: str, meant: str) -> None:
    assert told(said) == [meant]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我叫张伟，住在上海，说错了，是杭州，喜欢跑步。", ["用户叫张伟", "用户住在杭州", "用户喜欢跑步"]),
        ("我喜欢苹果、香蕉，不对，是橙子", ["用户喜欢苹果", "用户喜欢橙子"]),
        ("I'm a nurse, no, a doctor, and I live in York.", ["The user is a doctor", "The user lives in York"]),
        ("I live in Leeds, I mean York. I work at Apple.", ["The user lives in York", "The user works at Apple"]),
    ],
)
def test_what_stands_around_it_is_kept(said: str, kept: list[str]) -> None:
    assert told(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "我住在上海，不是北京",
        "我喜欢茶，不好意思，我不喜欢咖啡",
        "我对花生过敏，不对猫过敏",
        "我喜欢咖啡，等等，我先接个电话",
        "I live in Leeds, sorry for the delay.",
        "I like tea, no sugar.",
        "I like tea, actually I love it.",
        "I live in Leeds. Actually, I work in York.",
        "I like tea, I mean it really calms me.",
        '他说"我住在上海，不对，杭州"',
    ],
)
def test_what_only_sounds_like_a_slip_takes_nothing_back(said: str) -> None:
    assert TAKEN_BACK not in {part.reason for part in extract([Message(role="user", content=said)]).left_out}
    first = said.split("，")[0] if "，" in said else said.split(",")[0].split(".")[0]
    assert first.split()[-1][-2:] in " ".join(told(said))


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("我刚才说错了，我在腾讯上班。", "用户在腾讯上班"),
        ("不对，我住在杭州", "用户住在杭州"),
        ("Scratch that, I work at Boeing.", "The user works at Boeing"),
        ("No wait, I live in York.", "The user lives in York"),
    ],
)
def test_a_message_that_puts_an_earlier_one_right_is_a_correction_of_its_slot(said: str, right: str) -> None:
    [fact] = extract([Message(role="user", content=said)]).facts
    assert (fact.text, fact.corrects) == (right, True)
    assert fact.slot is not None


@pytest.mark.parametrize(
    ("said", "apart"),
    [
        ("我换工作了，现在在阿里上班。", ["用户换工作了", "用户现在在阿里上班"]),
        ("I changed jobs and work at Airbus now", ["The user changed jobs", "The user works at Airbus now"]),
        ("I moved, I live in York now.", ["The user moved", "The user lives in York now"]),
        ("我去了杭州，住在西湖边", ["用户去了杭州，住在西湖边"]),
    ],
)
def test_news_and_what_is_new_are_told_apart(said: str, apart: list[str]) -> None:
    assert told(said) == apart


def test_the_event_can_say_what_was_taken_back() -> None:
    extraction = extract([Message(role="user", content="I live in Leeds, no wait, I mean York")])
    assert [(part.text, part.reason) for part in extraction.left_out] == [
        ("I live in Leeds, no wait, I mean", TAKEN_BACK)
    ]
