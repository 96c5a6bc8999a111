"""Does the yardstick for extraction count what its README says it counts?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from bench.dialogues import Dialogue, dialogue
from bench.extraction_scores import Counts, Extracted, counts, judged

from yiku.model.facts import FactKind, Precision, When

FRIDAY = {"start": "2025-03-07T00:00:00+00:00", "end": "2025-03-08T00:00:00+00:00", "precision": "day"}
COFFEE = {"text": "The user hates coffee.", "kind": "preference", "words": ["hate|dislike", "coffee"], "messages": [0]}
QUIT = {"text": "The user quit.", "kind": "event|profile", "words": ["quit"], "messages": [0], "when": FRIDAY}
TIRED = {"text": "The user is tired.", "kind": "statement", "words": ["tired"], "messages": [2], "optional": True}


def labelled(*facts: dict[str, Any]) -> Dialogue:
    contents = ("I hate coffee and I quit on Friday", "Oh!", "I'm tired")
    return dialogue(
        {
            "id": "one",
            "language": "en",
            "anchor": "2025-03-12T10:00:00+00:00",
            "messages": [{"role": "user", "content": content} for content in contents],
            "facts": list(facts),
        }
    )


def memory(text: str, message: int = 0, kind: FactKind | None = None, when: When | None = None) -> Extracted:
    return Extracted(text=text, messages=frozenset({message}), kind=kind, when=when)


def scored(facts: list[dict[str, Any]], *memories: Extracted) -> Counts:
    return counts([judged(labelled(*facts), memories)])


def test_a_fact_is_found_by_any_of_its_alternatives_whatever_their_case() -> None:
    assert scored([COFFEE], memory("The user DISLIKES Coffee")).found == 1


def test_a_memory_that_lacks_a_word_misses_the_fact_and_is_wrong() -> None:
    row = scored([COFFEE], memory("The user drinks coffee"))
    assert (row.found, row.right, row.precision, row.recall, row.f1) == (0, 0, 0.0, 0.0, 0.0)


def test_a_memory_with_a_word_that_must_not_occur_does_not_match() -> None:
    assert scored([{**COFFEE, "not_words": ["my sister|her sister"]}], memory("My sister hates coffee")).found == 0


def test_a_memory_that_rests_on_another_message_does_not_match() -> None:
    row = scored([COFFEE], memory("The user hates coffee", message=1))
    assert (row.found, row.right) == (0, 0)


def test_optional_facts_make_memories_right_but_are_not_asked_for() -> None:
    row = scored([COFFEE, TIRED], memory("I'm tired", message=2))
    assert (row.required, row.found, row.memories, row.right) == (1, 0, 1, 1)


def test_precision_counts_memories_and_recall_counts_facts() -> None:
    row = scored([COFFEE, QUIT], memory("I hate coffee and I quit on Friday"), memory("Oh!", 1), memory("Hm", 1))
    assert (row.precision, row.recall, row.f1) == (1 / 3, 1.0, 0.5)


def test_facts_in_one_memory_are_found_but_not_told_apart() -> None:
    both, one = memory("I hate coffee and I quit on Friday"), memory("I hate coffee")
    assert scored([COFFEE, QUIT], both).apart == 0
    assert scored([COFFEE, QUIT], both, one).apart == 1


def test_two_equal_memories_of_one_fact_still_say_it_alone() -> None:
    row = scored([COFFEE, QUIT], memory("I hate coffee"), memory("I hate coffee"))
    assert (row.found, row.apart, row.right) == (1, 1, 2)


def test_any_labelled_kind_is_right_and_the_first_one_says_where_the_fact_is_counted() -> None:
    judgements = [judged(labelled(COFFEE, QUIT), [memory("The user quit", kind=FactKind.PROFILE)])]
    assert counts(judgements).kind_right == 1
    assert counts(judgements, FactKind.EVENT).found == 1
    assert counts(judgements, FactKind.PREFERENCE).required == 1
    assert counts(judgements, FactKind.PREFERENCE).memories == 0
    assert counts(judgements, FactKind.PROFILE).right == 1


FRIDAY_ELSEWHERE = datetime(2025, 3, 7, 2, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("when", "right"),
    [
        (When(datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 8, tzinfo=UTC), Precision.DAY), 1),
        (When(FRIDAY_ELSEWHERE, FRIDAY_ELSEWHERE + timedelta(days=1), Precision.DAY), 1),
        (When(datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 8, tzinfo=UTC), Precision.WEEK), 0),
        (When(datetime(2025, 3, 14, tzinfo=UTC), datetime(2025, 3, 15, tzinfo=UTC), Precision.DAY), 0),
        (None, 0),
    ],
)
def test_a_time_is_right_when_its_instants_and_its_precision_are(when: When | None, right: int) -> None:
    row = scored([QUIT], memory("The user quit", when=when))
    assert (row.when_labelled, row.when_right, row.when_unasked) == (1, right, 0)


def test_a_time_that_nobody_labelled_is_counted_apart() -> None:
    friday = When(datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 8, tzinfo=UTC), Precision.DAY)
    assert scored([COFFEE], memory("The user hates coffee", when=friday)).when_unasked == 1


def test_nothing_made_of_nothing_is_neither_precise_nor_complete() -> None:
    row = scored([])
    assert (row.precision, row.recall, row.f1, row.kind_accuracy, row.when_accuracy) == (None,) * 5
