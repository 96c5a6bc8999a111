"""The two conversations of docs/worked-example.md, and what is asked about each afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    title: str
    query: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conversation:
    title: str
    user_id: str
    said: tuple[str, ...]
    asked: tuple[Asked, ...]
    heads: Mapping[str, str]


CHINESE = Conversation(
    title="周敏",
    user_id="zhou-min",
    said=(
        "我叫周敏，住在成都，在华西医院上班，喜欢爬山。",
        "我喜欢喝绿茶、咖啡和豆浆。我的手机号是13812345678。",
        "下周三我要去重庆出差。",
        "我妈妈住在苏州，她对花生过敏。",
        "我搬到杭州了，不对，说错了，是搬到宁波了。",
        "我换工作了，现在在阿里上班。",
        "我刚才说错了，我在腾讯上班。",
        "我住在宁波。你觉得宁波冬天冷吗？",
        "其实我不喜欢咖啡了。",
        "忘掉我的手机号。",
    ),
    asked=(
        Asked("现在", "我住在哪里？"),
        Asked("3 月 4 日那天（`as_of`）", "我住在哪里？", {"as_of": "2026-03-04T00:00:00Z"}),
        Asked("现在的工作", "我在哪里上班？"),
        Asked("问过去", "我以前住在哪里？"),
        Asked("分数的组成（`explain`）", "妈妈对什么过敏？", {"explain": True}),
        Asked("没有答案的问题", "我的车是什么牌子？", {"threshold": 0.5}),
    ),
    heads={"held": "现在记着的"},
)

ENGLISH = Conversation(
    title="Nora",
    user_id="nora",
    said=(
        "I'm Nora, I live in Leeds and work at Siemens, and I love rowing.",
        "I'm allergic to nuts, shrimp and milk. My phone number is 555 123 4567.",
        "I'm flying to Oslo next Friday.",
        "My sister lives in Rome. She is a nurse.",
        "I moved to Hull, no wait, I mean York.",
        "I work at Airbus now.",
        "Scratch that, I work at Boeing.",
        "I live in York. What should I see there?",
        "I'm not allergic to milk anymore.",
        "Please forget my phone number.",
    ),
    asked=(
        Asked("Now", "Where do I live?"),
        Asked("On 4 March (`as_of`)", "Where do I live?", {"as_of": "2026-03-04T00:00:00Z"}),
        Asked("The job now", "Where do I work?"),
        Asked("A question about the past", "Where did I work before?"),
        Asked("What a score consists of (`explain`)", "Who is a nurse?", {"explain": True}),
        Asked("What nobody ever told", "Which car do I drive?", {"threshold": 0.5}),
    ),
    heads={"held": "What is remembered now"},
)

CONVERSATIONS = (ENGLISH, CHINESE)
