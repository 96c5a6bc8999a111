"""What does an extraction find of the labelled facts, and what does it make that nobody said?

A required fact is found when one memory holds its words and rests on one of its messages; a memory is right when it
matches a fact in this way, a required or an optional one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from bench.dialogues import Dialogue, LabelledFact
from yiku.model.facts import FactKind, When


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """One memory that an extraction made, whatever made it."""

    text: str
    messages: frozenset[int]
    kind: FactKind | None = None
    when: When | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """One dialogue's memories held against its labels."""

    found: tuple[tuple[LabelledFact, tuple[Extracted, ...]], ...]
    """Each required fact with the memories that say it."""
    missed: tuple[LabelledFact, ...]
    right: tuple[Extracted, ...]
    wrong: tuple[Extracted, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """What adds up over dialogues."""

    required: int = 0
    found: int = 0
    apart: int = 0
    """Of the required: those that some memory says without saying another required one."""
    memories: int = 0
    right: int = 0
    kind_right: int = 0
    """Of the found."""
    when_labelled: int = 0
    """Of the found."""
    when_right: int = 0
    """Of those."""
    when_unasked: int = 0
    """Found facts without a labelled time to which every memory of them gave one."""

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)})

    @property
    def precision(self) -> float | None:
        return _share(self.right, self.memories)

    @property
    def recall(self) -> float | None:
        return _share(self.found, self.required)

    @property
    def apart_share(self) -> float | None:
        return _share(self.apart, self.required)

    @property
    def f1(self) -> float | None:
        """The harmonic mean; None where either is."""
        precision, recall = self.precision, self.recall
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    @property
    def kind_accuracy(self) -> float | None:
        return _share(self.kind_right, self.found)

    @property
    def when_accuracy(self) -> float | None:
        return _share(self.when_right, self.when_labelled)


def judged(dialogue: Dialogue, memories: Sequence[Extracted]) -> Judgement:
    """Which facts are found and which memories are right."""
    found, missed = [], []
    for fact in dialogue.facts:
        saying = tuple(memory for memory in memories if matches(fact, memory))
        if saying and not fact.optional:
            found.append((fact, saying))
        elif not fact.optional:
            missed.append(fact)
    right = tuple(memory for memory in memories if any(matches(fact, memory) for fact in dialogue.facts))
    wrong = tuple(memory for memory in memories if not any(matches(fact, memory) for fact in dialogue.facts))
    return Judgement(found=tuple(found), missed=tuple(missed), right=right, wrong=wrong)


def matches(fact: LabelledFact, memory: Extracted) -> bool:
    return fact.says(memory.text) and not fact.messages.isdisjoint(memory.messages)


def counts(judgements: Iterable[Judgement], kind: FactKind | None = None) -> Counts:
    """Totals; those of one kind take facts by their label and memories by the kind that they were given.

    A label that allows several kinds stands under its first.
    """
    total = Counts()
    for judgement in judgements:
        found = [(fact, saying) for fact, saying in judgement.found if kind in (None, fact.kinds[0])]
        missed = [fact for fact in judgement.missed if kind in (None, fact.kinds[0])]
        right = [memory for memory in judgement.right if kind in (None, memory.kind)]
        wrong = [memory for memory in judgement.wrong if kind in (None, memory.kind)]
        total += Counts(
            required=len(found) + len(missed),
            found=len(found),
            apart=sum(any(_says_alone(judgement, memory) for memory in saying) for _, saying in found),
            memories=len(right) + len(wrong),
            right=len(right),
            kind_right=sum(any(memory.kind in fact.kinds for memory in saying) for fact, saying in found),
            when_labelled=sum(fact.when is not None for fact, _ in found),
            when_right=sum(
                fact.when is not None and any(same_time(fact.when, memory.when) for memory in saying)
                for fact, saying in found
            ),
            when_unasked=sum(
                fact.when is None and all(memory.when is not None for memory in saying) for fact, saying in found
            ),
        )
    return total


def _says_alone(judgement: Judgement, memory: Extracted) -> bool:
    return sum(any(memory is one for one in saying) for _, saying in judgement.found) == 1


def same_time(labelled: When, given: When | None) -> bool:
    """The same instants in the same unit; how the offset is written does not matter."""
    return given is not None and labelled == given


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
