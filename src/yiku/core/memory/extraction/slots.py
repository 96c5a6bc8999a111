"""What is a rule for a slot, and when is an answer one answer?

A rule must know every word of what is said: of "I live in Lyon with my parents" it knows too little, and a slot that
says less than the words would make the words seem a mere repetition. Sure or not at all: a wrong slot makes wrong
updates, and without one the fact is still kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from yiku.model.facts import Slot
from yiku.model.tokens import fold

LIKE, DISLIKE, YES, NO = "like", "dislike", "yes", "no"

_ARTICLE = re.compile(r"^(?:(?:a|an|the|my|some|any)\s+|一[个只条名位]|的)|的$")
_AROUND = re.compile(r"""^[\s"'“”‘’「」『』《》.,，。:：!！?？~～]+|[\s"'“”‘’「」『』《》.,，。:：!！?？~～]+$""")
_SEVERAL = re.compile(r"[、,，;；/]|\s(?:and|or|but|nor)\s|[和跟与及或]|以及|还有")
_NO_ANSWER = re.compile(
    r"\b(?:i|me|you|he|him|she|her|it|we|us|they|them|this|that|these|those|there|here|what|how|when|if|because|who"
    r"|to|too|one|ones|myself|yourself|something|anything|nothing|everything|anymore|now)\b"
    r"|[我你您他她它咱这那]|什么|怎么|哪|谁|因为|所以|如果|但是",
    re.IGNORECASE,
)
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class SlotRule:
    """What `pattern` knows, whole, about a subject.

    Topic and value are the words of its groups of that name, or else what is given here. `one` says that several
    answers at once (tea and milk) are no answer; in a name or a place these words mean nothing.
    """

    attribute: str
    pattern: re.Pattern[str]
    topic: str | None = None
    value: str | None = None
    one: bool = True


def slot_of(rest: str, subject: str, rules: Iterable[SlotRule]) -> Slot | None:
    """The slot that `rest`, the words after the subject, fill by the first rule that knows them."""
    for rule in rules:
        if match := rule.pattern.fullmatch(rest):
            return _slot(rule, match, subject)
    return None


def _slot(rule: SlotRule, match: re.Match[str], subject: str) -> Slot | None:
    groups = match.groupdict()
    topic, value = groups.get("topic") or rule.topic, groups.get("value") or rule.value
    if value is None or not all(_is_answer(words, one=rule.one) for words in (topic, value) if words):
        return None
    normal_topic, normal_value = topic and normalised(topic), normalised(value)
    if not normal_value or normal_topic == "":
        return None
    return Slot(subject=subject, attribute=rule.attribute, topic=normal_topic, value=normal_value)


def _is_answer(words: str, *, one: bool) -> bool:
    return len(words) <= _LONGEST and not _NO_ANSWER.search(words) and not (one and _SEVERAL.search(words))


def normalised(words: str) -> str:
    """Equal for equal answers: one case, width and script, no articles, no marks around."""
    text = _AROUND.sub("", fold(words))
    return " ".join(_AROUND.sub("", _ARTICLE.sub("", text)).split())
