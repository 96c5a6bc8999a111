"""Is every label of the extraction sets consistent with its dialogue and with itself?"""

from __future__ import annotations

from collections import Counter

import pytest
from bench.dialogues import Dialogue, LabelledFact, dialogue, dialogues, set_names

LABELLED = [(name, one) for name in set_names() for one in dialogues(name)]
each_dialogue = pytest.mark.parametrize("one", [pytest.param(one, id=f"{name}:{one.id}") for name, one in LABELLED])


def sources(one: Dialogue, fact: LabelledFact) -> str:
    return "\n".join(one.messages[index].content for index in sorted(fact.messages)).casefold()


def test_ids_are_unique_within_a_set() -> None:
    taken = Counter((name, one.id) for name, one in LABELLED)
    assert [key for key, count in taken.items() if count > 1] == []


@each_dialogue
def test_a_dialogue_without_facts_says_so_on_purpose(one: Dialogue) -> None:
    assert one.language in {"zh", "en", "mixed"}
    assert one.messages
    assert one.nothing == (not one.facts)


@each_dialogue
def test_facts_rest_on_messages_that_exist(one: Dialogue) -> None:
    wrong = [fact.text for fact in one.facts if not fact.messages or not fact.messages <= set(range(len(one.messages)))]
    assert wrong == []


@each_dialogue
def test_a_gist_says_its_own_fact(one: Dialogue) -> None:
    assert [fact.text for fact in one.facts if not fact.words or not fact.says(fact.text)] == []


@each_dialogue
def test_words_occur_where_the_fact_was_said(one: Dialogue) -> None:
    """So that a memory in the speaker's own words can match."""
    unsaid = [
        (fact.text, entry)
        for fact in one.facts
        for entry in fact.words
        if not any(word in sources(one, fact) for word in entry)
    ]
    assert unsaid == []


@each_dialogue
def test_no_alternative_is_empty(one: Dialogue) -> None:
    entries = [entry for fact in one.facts for entry in (*fact.words, *fact.not_words)]
    assert [entry for entry in entries if not all(word.strip() for word in entry)] == []


@each_dialogue
def test_times_end_after_they_start_and_keep_the_offset_of_the_anchor(one: Dialogue) -> None:
    times = [fact.when for fact in one.facts if fact.when is not None]
    assert [when for when in times if when.start >= when.end] == []
    assert {time.utcoffset() for when in times for time in (when.start, when.end)} <= {one.anchor.utcoffset()}


def test_what_the_format_does_not_know_is_refused() -> None:
    row = {"id": "x", "language": "en", "anchor": "2025-01-01T00:00:00+00:00", "messages": [], "facts": []}
    with pytest.raises(ValueError, match="notes"):
        dialogue({**row, "notes": "a slip"})
    with pytest.raises(ValueError, match="offset"):
        dialogue({**row, "anchor": "2025-01-01T00:00:00"})
