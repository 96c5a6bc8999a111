"""What does a person's message say? Every statement: in the third person where that is sure, else in own words."""

from __future__ import annotations

from dataclasses import replace

from yiku.core.memory.extraction import third_person_en, third_person_zh
from yiku.core.memory.extraction.facts import IN_OWN_WORDS, IN_THIRD_PERSON, Fact, LeftOut
from yiku.core.memory.extraction.fragments import leans, stands_alone
from yiku.core.memory.extraction.in_context import sift_message
from yiku.core.memory.extraction.language import Language, language_of
from yiku.core.memory.extraction.left_out import Sifted
from yiku.model.messages import Message

# Longer, and one vector would stand for too many things to be found by any of them.
_FACT_CHARACTERS = 600

_SUBJECTS: dict[Language, str] = {"zh": "用户", "en": "the user"}
_LABELS: dict[Language, str] = {"zh": "用户：", "en": "User: "}


def from_person(message: Message, position: int, question: str | None) -> tuple[list[Fact], list[LeftOut]]:
    """The facts of one message, in its order, and what was left out of it. `question` was asked just before."""
    facts: list[Fact] = []
    left_out: list[LeftOut] = []
    for sifted in sift_message(message.content, question):
        left_out += (LeftOut(text=text, position=position, reason=reason) for text, reason in sifted.left_out)
        if sifted.kept:
            facts[-1:] = _told(sifted, message, position, facts[-1] if facts else None)
    return facts, left_out


def own_words(text: str, speaker: str | None, role_labels: dict[Language, str] = _LABELS) -> str:
    """`text` after its speaker: a name if there is one, else the role in the language of the text."""
    language = language_of(text)
    if speaker:
        return f"{speaker}：{text}" if language == "zh" else f"{speaker}: {text}"
    return role_labels[language] + text


def _told(sifted: Sifted, message: Message, position: int, last: Fact | None) -> list[Fact]:
    """`last`, and the sentence: as a part of it where it leans on it, else as a fact of its own."""
    before = [last] if last else []
    retold = not (sifted.verbatim or sifted.is_block or sifted.kept.endswith(("?", "？")))
    statement = _in_third_person(sifted.kept, message.name) if retold else None
    if last and len(last.text) < _FACT_CHARACTERS:
        joined = _joined(last, sifted, statement)
        if joined:
            return [joined]
    if statement:
        text, reason = _without_stop(statement), IN_THIRD_PERSON
    else:
        text, reason = own_words(sifted.kept, message.name), IN_OWN_WORDS
    return [*before, Fact(text=text, position=position, speaker=message.name, reason=reason)]


def _in_third_person(text: str, name: str | None) -> str | None:
    language = language_of(text)
    retell = third_person_zh.in_third_person if language == "zh" else third_person_en.in_third_person
    return retell(text, name or _SUBJECTS[language])


def _joined(last: Fact, sifted: Sifted, statement: str | None) -> Fact | None:
    """What does not say whom it is about goes with the sentence before: "It was so powerful", "Loved the view"."""
    leaning = not (sifted.verbatim or sifted.is_block) and leans(sifted.kept)
    if last.reason == IN_OWN_WORDS:
        alone = not leaning and (sifted.verbatim or statement is not None or stands_alone(sifted.kept))
        return None if alone else replace(last, text=_with_next(last.text, sifted.kept))
    if not leaning or (statement is None and _mentions_speaker(sifted.kept)):
        return None
    return replace(last, text=_with_next(last.text, _without_stop(statement or sifted.kept)))


def _mentions_speaker(text: str) -> bool:
    return third_person_zh.mentions_speaker(text) or third_person_en.mentions_speaker(text)


def _with_next(first: str, second: str) -> str:
    """Two sentences side by side. The first may have lost its stop, with a clause that was left out or on its own."""
    if "\n" in second:
        return f"{first}\n{second}"
    stopless = first[-1].isalnum()
    if language_of(second) == "zh":
        return first + ("。" if stopless else "") + second
    return first + (". " if stopless else " ") + second


def _without_stop(statement: str) -> str:
    return statement.rstrip(" .。!！;；~～…")
