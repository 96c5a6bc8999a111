"""Which facts of a model's answer can be kept? Pure; nothing in it is believed before it is checked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from yiku.core.memory.extraction import roles
from yiku.core.memory.extraction.dated import dated
from yiku.core.memory.extraction.facts import Fact, LeftOut
from yiku.core.memory.extraction.grounding import Said
from yiku.core.memory.extraction.iso_times import written_time
from yiku.core.memory.extraction.slots import DISLIKE, LIKE, normalised
from yiku.core.memory.extraction.windows import Window
from yiku.core.memory.extraction.writing import Writing, writing_of
from yiku.core.memory.prompts.extraction import FACTS_MAX
from yiku.core.memory.wording import denies
from yiku.model.facts import FactKind, Slot, When
from yiku.model.messages import Message
from yiku.model.prompts import JsonObject, OutputLanguage

BY_MODEL = "found by the language model"
EMPTY = "the language model's words say nothing"
NO_MESSAGE = "the language model named no message of this conversation for it"
OTHER_LANGUAGE = "the language model told it in another language"
UNFOUNDED = "the language model told what nobody said ({why})"
TOO_MANY = f"the language model gave more than {FACTS_MAX} facts"

_FACT_CHARACTERS_MAX = 1_000
_WITH_TOPIC = ("favourite", "likes")
_SAID_NOTHING = re.compile(
    r"\W*(?:none|null|nil|n/?a|nothing(?: new| else)?(?: (?:to|worth|was|is) .{0,40})?"
    r"|(?:there (?:is|are|was|were) )?no(?: new| relevant| significant| important)*"
    r" (?:facts?|memor(?:y|ies)|information|content|details|data)\b.{0,40}"
    r"|无|暂无.{0,12}|(?:未|没有?|无)(?:发现|提取|找到|提供|任何)?.{0,8}(?:可|需要?|值得|提取|记录|记忆|记住)"
    r".{0,12}(?:信息|内容|事实|记忆|的)?|没有(?:任何)?(?:信息|内容|事实|记忆))\W*",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(r"用户|(?:the )?user\b", re.IGNORECASE)
_KIN = re.compile(rf"\b(?:{roles.ENGLISH})\b|{roles.CHINESE}", re.IGNORECASE)
_OF_THE_PAST = re.compile(
    r"\b(?:used to|formerly|previously|once|before|originally)\b|[以之从]前|曾|原来|原先|当[初时]|小时候", re.IGNORECASE
)
_NO_TEXT = ("Cc", "Cs")
_PINNED: Mapping[OutputLanguage, Writing] = {"zh": "zh", "en": "latin"}


@dataclass(frozen=True, slots=True)
class Sifted:
    """`refused` are the facts that cannot be kept, with the reasons in `LeftOut`."""

    facts: tuple[Fact, ...]
    refused: tuple[LeftOut, ...]


class Reading:
    """One window of a conversation, to be held against what a model says of it. `anchor` is when it was spoken."""

    def __init__(self, window: Window, anchor: datetime | None, language: OutputLanguage) -> None:
        self._first = window[0].position
        self._anchor = anchor
        self._language = language
        self._messages = {utterance.position: utterance.message for utterance in window}
        self._texts = dict.fromkeys(self._messages, "")
        for utterance in window:
            self._texts[utterance.position] += utterance.text
        self._said: dict[tuple[int, ...], Said] = {}

    def sifted(self, answer: JsonObject) -> Sifted:
        """The facts of an answer that is valid against the prompt's schema, in the order of their messages."""
        kept: list[Fact] = []
        refused: list[LeftOut] = []
        for place, told in enumerate(answer["facts"]):
            judged = TOO_MANY if place >= FACTS_MAX else self._judged(told)
            if isinstance(judged, Fact):
                kept.append(judged)
            else:
                position = next(iter(self._positions(told)), self._first)
                text = _clean(told["text"])[:_FACT_CHARACTERS_MAX]
                refused.append(LeftOut(text=text, position=position, reason=judged))
        kept.sort(key=lambda fact: fact.position)
        return Sifted(tuple(kept), tuple(refused))

    def complaint(self, answer: JsonObject) -> str | None:
        """What to say to the model about facts that cannot be kept, though another try may mend them."""
        mendable = [part for part in self.sifted(answer).refused if part.reason not in (EMPTY, TOO_MANY)]
        return f"“{mendable[0].text[:80]}”: {mendable[0].reason}" if mendable else None

    def _positions(self, told: Mapping[str, Any]) -> tuple[int, ...]:
        """Of the messages that a fact rests on, its own first: the last that a person said."""
        named = [position for position in dict.fromkeys(told["messages"]) if position in self._messages]
        by_person = [position for position in named if is_person(self._messages[position])]
        own = max(by_person) if by_person else named[0] if named else None
        return () if own is None else (own, *(position for position in sorted(named) if position != own))

    def _judged(self, told: Mapping[str, Any]) -> Fact | str:
        """The fact, or why there is none."""
        text = _clean(told["text"])[:_FACT_CHARACTERS_MAX]
        if not re.search(r"[^\W_]", text) or _SAID_NOTHING.fullmatch(text):
            return EMPTY
        positions = self._positions(told)
        if not positions:
            return NO_MESSAGE
        if not self._is_in_language(text, positions):
            return OTHER_LANGUAGE
        said = self._said_in(positions)
        if why := said.objection_to(text):
            return UNFOUNDED.format(why=why)
        fact = self._fact(told, text, positions, said)
        return dated(fact, self._anchor) if self._anchor else fact

    def _fact(self, told: Mapping[str, Any], text: str, positions: tuple[int, ...], said: Said) -> Fact:
        own = self._messages[positions[0]]
        by_person = is_person(own)
        return Fact(
            text=text,
            positions=positions,
            speaker=own.name,
            reason=BY_MODEL,
            kind=FactKind(told["kind"]) if by_person else FactKind.SUGGESTION,
            slot=_slot(told, own.name, said) if by_person else None,
            when=self._when(told["when"], said),
            corrects=bool(told["corrects"]) and by_person,
        )

    def _said_in(self, positions: tuple[int, ...]) -> Said:
        if positions not in self._said:
            names = [message.name for message in self._messages.values() if message.name]
            self._said[positions] = Said([self._texts[position] for position in positions], names, self._anchor)
        return self._said[positions]

    def _is_in_language(self, text: str, positions: Iterable[int]) -> bool:
        wanted = {writing_of(self._texts[position]) for position in positions}
        if self._language in _PINNED:
            wanted = {_PINNED[self._language]}
        # An answer in letters, numbers and names alone is in no language.
        return writing_of(text) in {*wanted, None} or wanted <= {None}

    def _when(self, written: str | None, said: Said) -> When | None:
        """Which of the times named in its messages the fact is about. A model counts days badly: ours are taken."""
        meant = written_time(written, self._anchor.tzinfo) if written and self._anchor else None
        if meant is None:
            return None
        return next((time for time in said.times if time.start < meant.end and meant.start < time.end), None)


def is_person(message: Message) -> bool:
    """A named assistant is a person too: dialogues of two people are often sent as user and assistant."""
    return message.role == "user" or (message.role == "assistant" and message.name is not None)


def _slot(told: Mapping[str, Any], speaker: str | None, said: Said) -> Slot | None:
    """Sure or not at all: a wrong slot makes wrong updates, and without one the fact is still kept."""
    attribute, topic, value = told["attribute"], told["topic"], told["value"]
    with_topic = attribute in _WITH_TOPIC
    if not attribute or not value or with_topic != bool(topic) or not _is_about(told["text"], speaker):
        return None
    answers = [topic, *([] if attribute == "likes" else [value])] if with_topic else [value]
    if not all(map(said.holds, answers)):
        return None
    normal_value, normal_topic = normalised(value), normalised(topic) if topic else None
    denied = denies(told["text"])
    if attribute == "likes":
        fits = normal_value == DISLIKE if denied else normal_value in (LIKE, DISLIKE)
    else:
        fits = bool(normal_value) and not denied
    if not fits:
        return None
    return Slot(
        subject=speaker or "user", attribute=attribute.replace("_", " "), topic=normal_topic, value=normal_value
    )


def _is_about(text: str, speaker: str | None) -> bool:
    """Whether it is the speaker's own present that is told of, and nobody else's, and no past."""
    first = _OWN_SUBJECT.match(text) or (speaker and text.startswith(speaker))
    return bool(first) and not _KIN.search(text) and not _OF_THE_PAST.search(text)


def _clean(text: str) -> str:
    """Without what no store can hold (lone surrogates, control characters) and without blanks around."""
    kept = (character for character in text if character in "\n\t" or unicodedata.category(character) not in _NO_TEXT)
    return "".join(kept).strip()
