"""What is known of a statement beside its words: whom it is about, the slot it fills, and what kind of fact it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from yiku.core.memory.dates import Named, named_in
from yiku.core.memory.extraction import kinds_en, kinds_zh, slots_en, slots_zh, subjects_en, subjects_zh
from yiku.core.memory.extraction.language import Language, language_of
from yiku.core.memory.extraction.sentences import plain
from yiku.core.memory.extraction.slots import slot_of
from yiku.model.facts import FactKind, Precision, Slot

_KINDS = {
    **dict.fromkeys(("likes", "favourite", "diet"), FactKind.PREFERENCE),
    "pet": FactKind.RELATION,
}
_TOLD_BY_A_DATE = ("birthday",)
_LASTING = ("likes", "diet", "habit", "favourite")
"""What is said of one day (我今天不吃晚饭) is none of these."""
_STATEMENT_CHARACTERS = 160
_KIND_CHARACTERS = 600
# Any moment will do where only the words for times are looked for, not the times.
_SOME_DAY = datetime(2024, 1, 1, tzinfo=UTC)
_BEFORE_A_DATE = re.compile(r"(?:,|\b(?:on|in|at|since|by|from|back in|for)|从|自|在)?\s*$", re.IGNORECASE)


@lru_cache(maxsize=2048)  # The same clause is asked about when a sentence is cut and again when it is told.
def slot_in(words: str, speaker: str | None, *, subject_may_be_left_out: bool = False) -> Slot | None:
    """The slot that a whole statement in the speaker's own words fills, dates aside."""
    bare = plain(words)
    if len(bare) > _STATEMENT_CHARACTERS:
        return None
    read = _slot_zh if language_of(bare) == "zh" else _slot_en
    named = named_in(bare, _SOME_DAY)
    slot = read(_without(bare, named), speaker, subject_may_be_left_out)
    if slot is None and named:
        slot = read(bare, speaker, subject_may_be_left_out)
        return slot if slot and slot.attribute in _TOLD_BY_A_DATE else None
    once = any(item.when.precision in (Precision.DAY, Precision.MINUTE) for item in named)
    return None if slot and once and slot.attribute in _LASTING else slot


def _without(words: str, named: Sequence[Named]) -> str:
    """`words` without those for a time: moved to Berlin last month."""
    for item in reversed(named):
        before, after = _BEFORE_A_DATE.sub("", words[: item.start]), words[item.end :].lstrip()
        words = f"{before} {after}" if before.isascii() and before else before + after
    return words.strip(" ,，")


def kind_of(words: str, slot: Slot | None) -> FactKind:
    """What kind of fact `words` tell. A slot decides by its attribute, except for what is still to come."""
    words = words[:_KIND_CHARACTERS]
    language: Language = language_of(words)
    if slot is not None:
        return _KINDS.get(slot.attribute, FactKind.PROFILE)
    return kinds_zh.kind_of(words) if language == "zh" else kinds_en.kind_of(words)


def _slot_zh(words: str, speaker: str | None, subject_may_be_left_out: bool) -> Slot | None:
    if labelled := slots_zh.LABELLED.fullmatch(words):
        return slot_of(labelled["topic"] + "是" + labelled["value"], speaker or "user", slots_zh.RULES)
    subject = subjects_zh.subject_of(words, speaker)
    if subject is not None:
        return slot_of(subject.rest, subject.name, slots_zh.RULES)
    if not subject_may_be_left_out:
        return None
    return slot_of(subjects_zh.without_subject(words), speaker or "user", slots_zh.RULES)


def _slot_en(words: str, speaker: str | None, subject_may_be_left_out: bool) -> Slot | None:
    subject = subjects_en.subject_of(words, speaker)
    if subject is None:
        return None
    return slot_of(subject.rest, subject.name, slots_en.OF_THING if subject.of_thing else slots_en.OF_SUBJECT)
