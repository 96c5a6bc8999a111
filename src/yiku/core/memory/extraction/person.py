"""What does a person's message say? Every statement: in the third person where that is sure, else in own words."""

from __future__ import annotations

import re
from dataclasses import replace

from yiku.core.memory.extraction import third_person_en, third_person_zh
from yiku.core.memory.extraction.facts import IN_OWN_WORDS, IN_THIRD_PERSON, Fact, LeftOut
from yiku.core.memory.extraction.language import Language, language_of
from yiku.core.memory.extraction.left_out import sift
from yiku.core.memory.extraction.sentences import Sentence, sentences
from yiku.model.messages import Message

# Longer, and one vector would stand for too many things to be found by any of them.
_FACT_CHARACTERS = 600

_SUBJECTS: dict[Language, str] = {"zh": "用户", "en": "the user"}
_LABELS: dict[Language, str] = {"zh": "用户：", "en": "User: "}
_LEANING = re.compile(
    r"(?:it|that|this|these|those|they|he|she|there|which|but|and|so|because)\b|[(\[（【]"
    r"|[它他她这那]|其中|所以|因此|因为|但|不过|而且|然后|并且",
    re.IGNORECASE,
)


def from_person(message: Message, position: int) -> tuple[list[Fact], list[LeftOut]]:
    """The facts of one message, in its order, and what was left out of it."""
    facts: list[Fact] = []
    left_out: list[LeftOut] = []
    for sentence in sentences(message.content):
        sifted = sift(sentence)
        left_out += (LeftOut(text=text, position=position, reason=reason) for text, reason in sifted.left_out)
        if sifted.kept:
            kept = replace(sentence, text=sifted.kept)
            facts[-1:] = _told(kept, message, position, facts[-1] if facts else None)
    return facts, left_out


def own_words(text: str, speaker: str | None, role_labels: dict[Language, str] = _LABELS) -> str:
    """`text` after its speaker: a name if there is one, else the role in the language of the text."""
    language = language_of(text)
    if speaker:
        return f"{speaker}：{text}" if language == "zh" else f"{speaker}: {text}"
    return role_labels[language] + text


def _told(sentence: Sentence, message: Message, position: int, last: Fact | None) -> list[Fact]:
    """`last`, and the sentence: as a part of it where it leans on it, else as a fact of its own."""
    before = [last] if last else []
    statement = (
        None
        if sentence.is_block or sentence.text.endswith(("?", "？"))
        else _in_third_person(sentence.text, message.name)
    )
    if last and len(last.text) < _FACT_CHARACTERS:
        joined = _joined(last, sentence, statement)
        if joined:
            return [joined]
    if statement:
        text, reason = _without_stop(statement), IN_THIRD_PERSON
    else:
        text, reason = own_words(sentence.text, message.name), IN_OWN_WORDS
    return [*before, Fact(text=text, position=position, speaker=message.name, reason=reason)]


def _in_third_person(text: str, name: str | None) -> str | None:
    language = language_of(text)
    retell = third_person_zh.in_third_person if language == "zh" else third_person_en.in_third_person
    return retell(text, name or _SUBJECTS[language])


def _joined(last: Fact, sentence: Sentence, statement: str | None) -> Fact | None:
    """Own words go on in own words; "It was so powerful" goes with what it is about."""
    leans = not sentence.is_block and _LEANING.match(sentence.text) is not None
    if last.reason == IN_OWN_WORDS:
        stands_alone = statement is not None and not leans
        return None if stands_alone else replace(last, text=_with_next(last.text, sentence.text))
    if not leans:
        return None
    if statement is None and _mentions_speaker(sentence.text):
        return None
    return replace(last, text=_with_next(last.text, _without_stop(statement or sentence.text)))


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
