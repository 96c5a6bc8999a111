"""What is to be forgotten? The words for it in a request, and the question that they answer."""

from __future__ import annotations

import re

from yiku.core.memory.extraction.facts import Forget
from yiku.core.memory.extraction.sentences import plain
from yiku.core.memory.extraction.structure import slot_in

Key = tuple[str, str, str | None]

_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:请|麻烦|你|您|帮我|帮忙|能不能|可不可以|可以|能|给我|另外|还有|对了|顺便|那|就|把|[，,])++",
        r"^(?:忘掉|忘记|忘了|删掉|删除|清除|清空|别记|不要记)(?:关于)?",
        r"(?:从|在)?(?:你的)?(?:记忆)?(?:里|中)?(?:都|全部|全)?(?:忘掉|忘了|忘记|删掉|删除|清除|清空|抹掉)(?:吧|了)?$",
        r"^我(?:刚才|刚刚|之前|以前|上次)?(?:跟你|和你|给你|告诉你)?(?:说|提|讲|告诉)过?(?:你)?(?:的)?(?:关于)?(?=.)",
        r"(?:这件事|这个信息|这条|的事情?|的信息|的记忆|吗|吧)$",
        r"^(?:(?:please|just|now|ok|so|and|also|hey),? )++",
        r"^(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:want|need|like) you to )",
        r"^(?:forget|delete|erase|remove|clear|wipe) (?:about |everything about |the memory (?:about|of|that) )?",
        r"^what i (?:(?:told|said to) you|said|mentioned)(?: earlier| before)? about ",
        r"^(?:that|about|the fact that) ",
        r"(?: (?:from|in) (?:your|the) (?:memory|memories|notes|records)| please)$",
    )
)
_ATTRIBUTES = tuple(
    (attribute, re.compile(words, re.IGNORECASE))
    for attribute, words in (
        ("address", r"(?:我的?)?(?:家庭|收货)?(?:地址|住址)|(?:my )?(?:home )?address"),
        ("birthday", r"(?:我的?)?生日|(?:my )?birthday"),
        ("name", r"(?:我的?)?(?:名字|姓名)|(?:my )?name"),
        ("age", r"(?:我的?)?(?:年龄|年纪)|(?:my )?age"),
        ("job", r"(?:我的?)?(?:工作|职业)|(?:my )?(?:job|profession)"),
        ("employer", r"(?:我的?)?(?:公司|单位)|(?:my )?employer|where i work"),
        ("home", r"(?:我)?住(?:在)?哪[里儿]?|where i live"),
        ("contact", r"(?:我的?)?(?P<topic>手机号|电话|邮箱|微信号?)"),
        ("contact", r"(?:my )?(?P<topic>phone number|email)"),
    )
)


def forget(text: str, position: int, speaker: str | None) -> Forget:
    """The request `text`, taken apart."""
    words = plain(text)
    for frame in _FRAMES:
        words = frame.sub("", words, count=1).strip(" ，,")
    return Forget(text=text, words=words, position=position, key=_key(words, speaker))


def _key(words: str, speaker: str | None) -> Key | None:
    slot = slot_in(words, speaker, subject_may_be_left_out=True)
    if slot:
        return slot.key
    for attribute, asked in _ATTRIBUTES:
        if found := asked.fullmatch(words):
            return (speaker or "user", attribute, found.groupdict().get("topic"))
    return None
