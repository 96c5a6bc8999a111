"""What does a person's message say? Every statement: in the third person where that is sure, else in own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from yiku.core.memory.extraction import third_person_en, third_person_zh
from yiku.core.memory.extraction.answers import slot_of_answer
from yiku.core.memory.extraction.corrections import corrects, only_corrects
from yiku.core.memory.extraction.facts import (
    FORGET,
    IN_OWN_WORDS,
    IN_THIRD_PERSON,
    ONLY_CORRECTS,
    REACTION,
    SMALL_TALK,
    TAKEN_BACK,
    Extraction,
    Fact,
    Forget,
    LeftOut,
)
from yiku.core.memory.extraction.forgetting import forget
from yiku.core.memory.extraction.fragments import leans, stands_alone
from yiku.core.memory.extraction.in_context import sift_message
from yiku.core.memory.extraction.language import Language, language_of
from yiku.core.memory.extraction.left_out import Sifted
from yiku.core.memory.extraction.reactions import is_about_the_listener
from yiku.core.memory.extraction.same_breath import day_or_number_meant, opening
from yiku.core.memory.extraction.sentences import plain
from yiku.core.memory.extraction.several import statements_in
from yiku.core.memory.extraction.structure import kind_of, slot_in
from yiku.model.facts import FactKind
from yiku.model.messages import Message

# Longer, and one vector would stand for too many things to be found by any of them.
_FACT_CHARACTERS = 600

_SUBJECTS: dict[Language, str] = {"zh": "用户", "en": "the user"}
_LABELS: dict[Language, str] = {"zh": "用户：", "en": "User: "}


def from_person(message: Message, position: int, question: str | None, listeners: frozenset[str]) -> Extraction:
    """What one message says, in its order. `question` was asked just before; `listeners` are others with a name."""
    facts: list[Fact] = []
    left_out: list[LeftOut] = []
    to_forget: list[Forget] = []
    put_right = False
    for sifted in sift_message(message.content, question, message.name):
        for text, reason in sifted.left_out:
            if reason == FORGET:
                to_forget.append(forget(text, position, message.name))
            else:
                left_out.append(LeftOut(text=text, position=position, reason=reason))
        wrong, right = ("", sifted.kept) if sifted.verbatim else opening(sifted.kept, message.name)
        if wrong:
            # What was wrong is no memory; that it was is what the correction says of itself.
            left_out.append(LeftOut(text=wrong, position=position, reason=ONLY_CORRECTS))
            sifted, put_right = replace(sifted, kept=right), True
        put_right = put_right or any(corrects(text) for text, why in sifted.left_out if why != TAKEN_BACK)
        if only_corrects(sifted.kept):
            left_out.append(LeftOut(text=sifted.kept, position=position, reason=ONLY_CORRECTS))
            put_right = True
        elif plain(sifted.kept) in listeners:
            left_out.append(LeftOut(text=sifted.kept, position=position, reason=SMALL_TALK))
        elif listeners and is_about_the_listener(sifted.kept):
            left_out.append(LeftOut(text=sifted.kept, position=position, reason=REACTION))
        elif sifted.kept:
            for part in _parts(sifted, message.name):
                correction = put_right or corrects(sifted.kept)
                facts[-1:] = _told(part, message, position, facts[-1] if facts else None, correction=correction)
            put_right = False
    told = (_among_people(fact) for fact in facts) if listeners else facts
    return Extraction(tuple(told), tuple(left_out), tuple(to_forget))


def _among_people(fact: Fact) -> Fact:
    """ "Keep going!" to a friend is no instruction for an assistant."""
    return replace(fact, kind=FactKind.STATEMENT) if fact.kind is FactKind.INSTRUCTION else fact


def _parts(sifted: Sifted, speaker: str | None) -> Iterator[Sifted]:
    if sifted.verbatim or sifted.is_block or sifted.kept.endswith(("?", "？")):
        yield sifted
    else:
        yield from (replace(sifted, kept=part) for part in statements_in(sifted.kept, speaker))


def own_words(text: str, speaker: str | None, role_labels: dict[Language, str] = _LABELS) -> str:
    """`text` after its speaker: a name if there is one, else the role in the language of the text."""
    language = language_of(text)
    if speaker:
        return f"{speaker}：{text}" if language == "zh" else f"{speaker}: {text}"
    return role_labels[language] + text


def _told(sifted: Sifted, message: Message, position: int, last: Fact | None, *, correction: bool) -> list[Fact]:
    """`last`, and the sentence: as a part of it where it leans on it, else as a fact of its own."""
    before = [last] if last else []
    retold = not (sifted.verbatim or sifted.is_block or sifted.kept.endswith(("?", "？")))
    statement = _in_third_person(sifted.kept, message.name) if retold else None
    if last and not correction and len(last.text) < _FACT_CHARACTERS:
        joined = _joined(last, sifted, statement)
        if joined:
            return [joined]
    if statement:
        text, reason = _without_stop(statement), IN_THIRD_PERSON
    else:
        text, reason = own_words(sifted.kept, message.name), IN_OWN_WORDS
    fact = Fact(text=text, positions=(position,), speaker=message.name, reason=reason, corrects=correction)
    return [*before, _with_structure(fact, sifted, first=last is None, retold=retold)]


def _with_structure(fact: Fact, sifted: Sifted, *, first: bool, retold: bool) -> Fact:
    """`first`: nothing was said before in this message, so that words without a subject are about the speaker."""
    if sifted.question is not None:
        slot = slot_of_answer(sifted.answer, sifted.question, fact.speaker)
        positions = (fact.position, fact.position - 1)
        return replace(fact, slot=slot, positions=positions, kind=kind_of(sifted.answer, slot))
    if sifted.is_block:
        return replace(fact, kind=kind_of(sifted.kept, None))
    slot = slot_in(sifted.kept, fact.speaker, subject_may_be_left_out=first) if retold else None
    meant = day_or_number_meant(sifted.kept) if first and slot is None else None
    return replace(fact, slot=slot, kind=kind_of(sifted.kept, slot), puts_right=meant)


def _in_third_person(text: str, name: str | None) -> str | None:
    language = language_of(text)
    retell = third_person_zh.in_third_person if language == "zh" else third_person_en.in_third_person
    return retell(text, name or _SUBJECTS[language])


def _joined(last: Fact, sifted: Sifted, statement: str | None) -> Fact | None:
    """`last` with the next sentence, where that leans on it; its kind too where `last` had none of its own."""
    text = _text_joined(last, sifted, statement)
    if text is None:
        return None
    kind = last.kind if last.kind is not FactKind.STATEMENT else kind_of(sifted.kept, None)
    return replace(last, text=text, kind=kind)


def _text_joined(last: Fact, sifted: Sifted, statement: str | None) -> str | None:
    """What does not say whom it is about goes with the sentence before: "It was so powerful", "Loved the view"."""
    leaning = not (sifted.verbatim or sifted.is_block) and leans(sifted.kept)
    if last.reason == IN_OWN_WORDS:
        alone = not leaning and (sifted.verbatim or statement is not None or stands_alone(sifted.kept))
        return None if alone else _with_next(last.text, sifted.kept)
    if not leaning or (statement is None and _mentions_speaker(sifted.kept)):
        return None
    return _with_next(last.text, _without_stop(statement or sifted.kept))


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
