"""What is to be forgotten? The words for it in a request, and the question that they answer."""

from __future__ import annotations

import re

from yiku.core.memory.extraction import subjects_en, subjects_zh
from yiku.core.memory.extraction.facts import Forget
from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.questions_named import questions_named
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
        r"^(?:从|在)?(?:你的?)?记忆(?:里|中)(?:关于|的)?",
        r"(?:这件事|这个信息|这条|的事情?|的?信息|的记忆|吗|吧)$",
        r"^(?:(?:please|just|now|ok|so|and|also|hey),? )++",
        r"^(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:want|need|like) you to )",
        r"^(?:forget|delete|erase|remove|clear|wipe) (?:about |everything about |the memory (?:about|of|that) )?",
        r"^what i (?:(?:told|said to) you|said|mentioned)(?: earlier| before)? about ",
        r"^(?:that|about|the fact that) ",
        r"(?: (?:from|in) (?:your|the) (?:memory|memories|notes|records)| please)$",
    )
)
_JOINT = re.compile(r"、|[，,]?\s*(?:和|以及|还有|跟)|,? and |, ", re.IGNORECASE)
_MINE = re.compile(r"^(?:的|is )")


def forget(text: str, position: int, speaker: str | None) -> Forget:
    """The request `text`, taken apart."""
    words = plain(text)
    for frame in _FRAMES:
        words = frame.sub("", words, count=1).strip(" ，,")
    return Forget(text=text, words=words, position=position, keys=_keys(words, speaker))


def _keys(words: str, speaker: str | None) -> tuple[Key, ...]:
    slot = slot_in(words, speaker, subject_may_be_left_out=True)
    return (slot.key,) if slot else _of_questions(words, speaker)


def _of_questions(words: str, speaker: str | None) -> tuple[Key, ...]:
    """The keys of "my address and phone number". None of them where one part is no question that we know."""
    about = speaker or "user"
    keys: list[Key] = []
    for part in _JOINT.split(words):
        about, asked = _taken_apart(part, speaker, about)
        named = questions_named(asked)
        if not named:
            return ()
        keys += ((about, attribute, topic) for attribute, topic in named)
    return tuple(keys)


def _taken_apart(part: str, speaker: str | None, about: str) -> tuple[str, str]:
    """Whose it is, and what: my sister's address. What names nobody belongs to whom the part before named."""
    zh = language_of(part) == "zh"
    subject = subjects_zh.subject_of(part, speaker) if zh else subjects_en.subject_of(part, speaker)
    return (about, part) if subject is None else (subject.name, _MINE.sub("", subject.rest))
