"""Is what differs in a number, a date, a name or a negation ever taken for the same, in whatever order it comes?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.core.facts import Mind, heard, home
from yiku.core.memory.forgetting import Request, surely_meant
from yiku.core.memory.slots import is_fuller, refines
from yiku.model.facts import Precision, When
from yiku.model.memories import DecisionKind

NAMES_ZH = ("张伟", "张伟明", "王芳", "上海", "北京", "上海路")
NAMES_EN = ("Anna", "Annabel", "York", "New York", "Berlin", "C", "C++", "Java", "JavaScript")
SENTENCES = (
    (
        "用户的同事{name}在{month}月{day}日买了{number}个苹果",
        "用户的同事{name}没有在{month}月{day}日买{number}个苹果",
        NAMES_ZH,
    ),
    ("用户{month}月{day}日要和{name}开{number}次会", "用户{month}月{day}日不和{name}开{number}次会", NAMES_ZH),
    (
        "The user met {name} on {month}/{day} and paid {number} euros",
        "The user never met {name} on {month}/{day} and paid {number} euros",
        NAMES_EN,
    ),
    ("{name} is number {number} since {day}.{month}.", "{name} isn't number {number} since {day}.{month}.", NAMES_EN),
)

sentences = st.sampled_from(SENTENCES).flatmap(
    lambda forms: st.builds(
        lambda denied, name, month, day, number: forms[denied].format(name=name, month=month, day=day, number=number),
        st.integers(0, 1),
        st.sampled_from(forms[2]),
        st.integers(1, 12),
        st.integers(1, 28),
        st.integers(0, 130) | st.sampled_from([-5, 5, 50, 500]),
    )
)  # fmt: skip


@given(st.lists(sentences, min_size=2, max_size=12))
def test_facts_without_a_slot_are_the_same_only_in_the_same_words(texts: list[str]) -> None:
    mind = Mind()
    decisions = [mind.hear(heard(text)) for text in texts]
    assert len(mind.current) == len(set(texts))
    assert {decision.kind for decision in decisions} <= {DecisionKind.ADD, DecisionKind.NOOP}


@given(sentences, sentences)
def test_a_text_never_counts_as_a_fuller_one_of_what_it_contradicts(one: str, other: str) -> None:
    first, second = heard(one), heard(other)
    assert not is_fuller(second, first)
    assert not refines(home(other), home(one)) or other.startswith(one)


@given(sentences, sentences)
def test_a_request_to_forget_one_thing_leaves_the_others(one: str, other: str) -> None:
    memories = [heard(text) for text in dict.fromkeys((one, other))]
    meant, _ = surely_meant(Request(text=one, words=one, message_ids=()), memories)
    assert [memory.text for memory in meant] == [one]


moves = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from(["rome", "paris", "berlin", "上海", "北京"])),
    min_size=1,
    max_size=7,
    unique_by=lambda move: move[0],
)


@given(moves.flatmap(lambda told: st.tuples(st.just(told), st.permutations(told))))
def test_at_every_moment_the_answer_is_the_same_whatever_the_order_of_arrival(
    both: tuple[list[tuple[int, str]], list[tuple[int, str]]],
) -> None:
    in_order, arrived = both
    start = datetime(2024, 1, 1, tzinfo=UTC)
    mind = Mind()
    for day, place in arrived:
        moment = start + timedelta(days=day)
        when = When(moment, moment + timedelta(days=1), Precision.DAY)
        mind.hear(heard(f"On day {day} the user moved to {place}", home(place), when))
    expected = dict(sorted(in_order))
    for day in range(0, 402, 3):
        moment = start + timedelta(days=day, hours=1)
        held = {m.slot.value for m in mind.memories.values() if m.slot and m.holds_at(moment)}
        so_far = [place for since, place in expected.items() if since <= day]
        assert held == set(so_far[-1:]), day
