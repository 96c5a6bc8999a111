"""Is this new fact what we know already, put in other words, or what takes its place? Where rules cannot tell.

A fact without a slot is doubtful when it shares most of its words with something that holds. All doubtful pairs of an
add go to the language model in one call. Without a verdict, or without a model, both are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from yiku.core.memory.extraction import Fact
from yiku.core.memory.extraction.grounding import names_in
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.known import read_alike
from yiku.core.memory.prompts.doubts import Question, Verdict, doubts_prompt
from yiku.core.memory.wording import content_terms, denies, numbers, weight
from yiku.model.errors import LlmAnswerInvalid, LlmRefused, LlmUnavailable
from yiku.model.facts import FactKind
from yiku.model.memories import Memory
from yiku.model.scopes import Partition
from yiku.ports import Llm, Ports

PAIRS_MAX = 20
"""Of one call: it must stay short, and what is not asked is kept."""
KNOWN_A_FACT = 2
SHARED_AT_LEAST = 0.6
"""Of the words of the shorter text. Chinese characters and English stems, without those that say nothing."""
_CHARACTERS_MAX = 400
"""Longer texts say several things."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A new fact, when it was told, and a memory that it may be about."""

    fact: Fact
    told: datetime
    known: Memory


@dataclass(frozen=True, slots=True)
class Settled:
    """What a new fact does to a memory, as long as that says what it said."""

    known_id: str
    known_text: str
    verdict: Verdict


Settlement = Mapping[str, Settled]
"""By the fingerprint of the new fact."""


async def settlement_of(ports: Ports, partition: Partition, facts: Sequence[tuple[Fact, datetime]]) -> Settlement:
    """What the language model says about the doubtful ones of these facts, each with the time it was told at."""
    doubtful = [(fact, told) for fact, told in facts if _is_doubtful(fact)]
    if ports.llm is None or not doubtful:
        return {}
    known = await read_alike(ports, partition, [fact.text for fact, _ in doubtful])
    return await settle(ports.llm, pairs_of(doubtful, known))


def pairs_of(facts: Iterable[tuple[Fact, datetime]], known: Sequence[Memory]) -> list[Pair]:
    """The doubtful pairs, those that share most first in each fact."""
    holding = [(memory, content_terms(memory.text)) for memory in known if _may_be_meant(memory)]
    pairs: list[Pair] = []
    for fact, told in facts:
        terms = content_terms(fact.text)
        alike = [
            (shared, memory)
            for memory, known_terms in holding
            if _times_agree(fact, memory) and memory.fingerprint != fingerprint(fact.text, fact.when)
            if (shared := _shared(terms, known_terms)) >= SHARED_AT_LEAST
        ]
        alike.sort(key=lambda item: (-item[0], item[1].id))
        pairs += (Pair(fact=fact, told=told, known=memory) for _, memory in alike[:KNOWN_A_FACT])
    return pairs[:PAIRS_MAX]


async def settle(llm: Llm, pairs: Sequence[Pair]) -> Settlement:
    """A verdict on each fact for which the model is sure of one; one call, and no error."""
    if not pairs:
        return {}
    questions = [
        Question(known=pair.known.text, known_from=pair.known.valid_from, new=pair.fact.text, told=pair.told)
        for pair in pairs
    ]
    try:
        answer = await llm.complete(doubts_prompt(questions))
    except (LlmUnavailable, LlmRefused, LlmAnswerInvalid):
        return {}
    settled: dict[str, Settled] = {}
    for told in answer.value["verdicts"]:
        number, verdict = told["pair"], Verdict(told["verdict"])
        if 0 <= number < len(pairs) and _can_be(verdict, pairs[number]):
            pair = pairs[number]
            key = fingerprint(pair.fact.text, pair.fact.when)
            settled.setdefault(key, Settled(pair.known.id, pair.known.text, verdict))
    return settled


def _is_doubtful(fact: Fact) -> bool:
    """Of a slot, rules know what becomes; a plan takes the place of nothing."""
    return fact.slot is None and fact.kind is not FactKind.PLAN and len(fact.text) <= _CHARACTERS_MAX


def _may_be_meant(memory: Memory) -> bool:
    """What `infer=false` stored is never merged, and what has ended is settled."""
    return memory.fingerprint is not None and memory.valid_until is None and len(memory.text) <= _CHARACTERS_MAX


def _times_agree(fact: Fact, memory: Memory) -> bool:
    """What happened at two times happened twice."""
    return fact.when is None or memory.when is None or fact.when == memory.when


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    shorter = min(weight(one), weight(other))
    return weight(one & other) / shorter if shorter else 0.0


def _can_be(verdict: Verdict, pair: Pair) -> bool:
    """Texts that differ in a number, a name, a date or a denial are never the same, whatever is said (DESIGN §5)."""
    if verdict is Verdict.DIFFERENT:
        return False
    if verdict is not Verdict.SAME:
        return True
    new, known = pair.fact.text, pair.known.text
    return (
        numbers(new) == numbers(known)
        and denies(new) == denies(known)
        and set(names_in(new)) == set(names_in(known))
        and pair.fact.when == pair.known.when
    )
