"""What becomes of a fact when something is known already: repeated, corrected, replaced over time, or new?"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

import pytest

from tests.core.facts import Mind, heard, home, year
from yiku.core.memory.merging import EVIDENCE_KEPT
from yiku.model.facts import FactKind, Slot
from yiku.model.memories import DecisionKind

MID_2024 = datetime(2024, 6, 1, tzinfo=UTC)


def likes(topic: str, value: str = "like") -> Slot:
    return Slot(subject="user", attribute="likes", topic=topic, value=value)


def test_the_same_value_in_other_words_is_the_same_memory() -> None:
    mind = Mind()
    first = mind.hear(heard("用户喜欢喝咖啡", likes("咖啡")))
    again = mind.hear(heard("用户特别爱喝咖啡", likes("咖啡")))
    assert (again.kind, again.memory_id) == (DecisionKind.NOOP, first.memory_id)
    assert again.memory_id is not None and again.memory_id in again.reason
    assert mind.current == ["用户喜欢喝咖啡"]


def test_the_same_value_with_something_beside_it_loses_nothing() -> None:
    mind = Mind()
    first = mind.hear(heard("The user lives in Berlin", home("berlin")))
    fuller = mind.hear(heard("The user lives in Berlin with two cats", home("berlin")))
    assert (fuller.kind, fuller.memory_id) == (DecisionKind.UPDATE, first.memory_id)
    assert (fuller.old_id, fuller.old_text) == (first.memory_id, "The user lives in Berlin")
    beside = mind.hear(heard("Berlin is where the user feels at home since 2019, close to the river", home("berlin")))
    assert beside.kind is DecisionKind.ADD
    assert len(mind.current) == 2


def test_another_value_over_time_supersedes_and_the_old_one_is_kept_as_past() -> None:
    mind = Mind()
    old = mind.hear(heard("用户住在上海", home("上海"), year(2023)))
    new = mind.hear(heard("用户住在北京", home("北京"), year(2024)))
    assert (new.kind, new.old_id, new.old_text) == (DecisionKind.SUPERSEDE, old.memory_id, "用户住在上海")
    assert new.memory_id != old.memory_id
    past, present = mind.memories[old.memory_id or ""], mind.memories[new.memory_id or ""]
    assert (past.valid_until, past.superseded_by) == (datetime(2024, 1, 1, tzinfo=UTC), new.memory_id)
    assert (present.valid_until, present.supersedes) == (None, (old.memory_id,))
    assert mind.current == ["用户住在北京"]


def test_all_that_told_the_old_value_ends_with_it() -> None:
    mind = Mind()
    mind.hear(heard("The user lives in Berlin", home("berlin")))
    mind.hear(heard("Berlin is close to the lake where the user swims each summer", home("berlin")))
    mind.hear(heard("The user lives in Munich", home("munich")))
    assert mind.current == ["The user lives in Munich"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_holds_later_wins_whatever_the_order_of_arrival(order: tuple[int, ...]) -> None:
    told = [
        heard("2023年住上海", home("上海"), year(2023)),
        heard("2024年住北京", home("北京"), year(2024)),
        heard("2025年又搬回上海", home("上海"), year(2025)),
    ]
    mind = Mind()
    for place in order:
        mind.hear(told[place])
    assert mind.current == ["2025年又搬回上海"]
    assert mind.at(MID_2024) == ["2024年住北京"]
    assert mind.at(datetime(2023, 6, 1, tzinfo=UTC)) == ["2023年住上海"]


def test_a_value_that_returns_is_a_new_memory_though_its_words_are_the_same() -> None:
    mind = Mind()
    first = mind.hear(heard("用户住在上海", home("上海")))
    mind.hear(heard("用户住在北京", home("北京")))
    back = mind.hear(heard("用户住在上海", home("上海")))
    assert back.kind is DecisionKind.SUPERSEDE
    assert back.memory_id != first.memory_id
    assert mind.current == ["用户住在上海"]


def test_a_correction_keeps_the_id_the_old_words_and_the_evidence_of_both() -> None:
    mind = Mind()
    first = mind.hear(heard("用户住在上海", home("上海")))
    corrected = mind.hear(heard("不对，用户住在杭州", home("杭州")), corrects=True)
    assert (corrected.kind, corrected.memory_id) == (DecisionKind.UPDATE, first.memory_id)
    [memory] = mind.memories.values()
    assert (memory.text, memory.slot) == ("不对，用户住在杭州", home("杭州"))
    assert [revision.text for revision in memory.revisions] == ["用户住在上海"]
    assert len(memory.evidence) == 2


def test_a_correction_of_the_time_moves_the_end_of_what_was_before() -> None:
    mind = Mind()
    mind.hear(heard("The user lived in Rome", home("rome"), year(2019)))
    mind.hear(heard("The user moved to Berlin in 2022", home("berlin"), year(2022)))
    mind.hear(heard("No, the user moved to Berlin Mitte in 2021", home("berlin mitte"), year(2021)), corrects=True)
    rome = next(memory for memory in mind.memories.values() if "Rome" in memory.text)
    assert rome.valid_until == datetime(2021, 1, 1, tzinfo=UTC)


def test_the_same_place_said_more_exactly_is_the_same_memory_and_a_name_that_only_looks_so_is_not() -> None:
    mind = Mind()
    first = mind.hear(heard("The user lives in Berlin", home("berlin")))
    finer = mind.hear(heard("The user lives in Berlin, Kreuzberg", home("berlin, kreuzberg")))
    assert (finer.kind, finer.memory_id) == (DecisionKind.UPDATE, first.memory_id)
    coarser = mind.hear(heard("The user lives in Berlin", home("berlin")))
    assert coarser.kind is DecisionKind.NOOP
    name = Slot(subject="user", attribute="name", value="张伟")
    mind.hear(heard("用户叫张伟", name))
    other = mind.hear(heard("用户叫张伟明", Slot(subject="user", attribute="name", value="张伟明")))
    assert other.kind is DecisionKind.SUPERSEDE


def test_liking_and_disliking_one_thing_supersede_each_other_and_leave_other_things_alone() -> None:
    mind = Mind()
    mind.hear(heard("用户喜欢喝咖啡", likes("咖啡")))
    mind.hear(heard("用户喜欢喝茶", likes("茶")))
    flipped = mind.hear(heard("用户不喜欢喝咖啡", likes("咖啡", "dislike")))
    assert flipped.kind is DecisionKind.SUPERSEDE
    assert mind.current == ["用户喜欢喝茶", "用户不喜欢喝咖啡"]


def test_other_people_have_their_own_answers() -> None:
    mind = Mind()
    mind.hear(heard("The user lives in Berlin", home("berlin")))
    mind.hear(heard("The user's sister lives in Rome", home("rome", "sister")))
    assert len(mind.current) == 2


def test_a_plan_takes_the_place_of_nothing() -> None:
    mind = Mind()
    mind.hear(heard("The user lives in Berlin", home("berlin")))
    plan = mind.hear(heard("The user will move to Rome", home("rome"), year(2027), kind=FactKind.PLAN))
    assert plan.kind is DecisionKind.ADD
    assert len(mind.current) == 2
    moved = mind.hear(heard("The user lives in Paris", home("paris")))
    assert moved.old_text == "The user lives in Berlin"


def test_the_same_words_about_another_day_are_another_fact() -> None:
    mind = Mind()
    mind.hear(heard("用户去了巴黎", when=year(2023)))
    assert mind.hear(heard("用户去了巴黎", when=year(2024))).kind is DecisionKind.ADD
    assert mind.hear(heard("用户去了巴黎", when=year(2023))).kind is DecisionKind.NOOP


def test_what_an_earlier_version_wrote_learns_its_slot_when_it_is_said_again() -> None:
    old = heard("The user lives in Berlin", kind=None)
    mind = Mind(old)
    mind.hear(heard("The user lives in Berlin", home("berlin")))
    mind.hear(heard("The user lives in Munich", home("munich")))
    assert mind.current == ["The user lives in Munich"]
    assert mind.memories[old.id].superseded_by is not None


@pytest.mark.parametrize(
    ("false", "denial"),
    [("用户去年在火星住过", "用户：那不是我"), ("The user lived on Mars", "No, that was not the user.")],
)
def test_what_is_taken_back_is_no_longer_current_and_the_denial_is_no_memory(false: str, denial: str) -> None:
    mind = Mind()
    kept = mind.hear(heard("The user likes tea"))
    wrong = mind.hear(heard(false))
    taken = mind.hear(heard(denial), corrects=True)
    assert (taken.kind, taken.memory_id, taken.old_id) == (DecisionKind.SUPERSEDE, None, wrong.memory_id)
    assert mind.current == ["The user likes tea"]
    assert kept.memory_id != wrong.memory_id


def test_what_a_denied_value_had_taken_the_place_of_holds_again() -> None:
    mind = Mind()
    mind.hear(heard("用户住在上海", home("上海")))
    mind.hear(heard("用户住在火星", home("火星")))
    mind.hear(heard("用户：那不是我"))
    assert mind.current == ["用户住在上海"]
    assert mind.hear(heard("用户住在上海", home("上海"))).kind is DecisionKind.NOOP


def test_a_denial_that_says_who_it_was_instead_takes_the_place_of_what_it_denies() -> None:
    mind = Mind()
    wrong = mind.hear(heard("用户去年在火星住过"))
    taken = mind.hear(heard("用户：那不是我，是我弟弟"))
    assert (taken.kind, taken.old_id) == (DecisionKind.SUPERSEDE, wrong.memory_id)
    assert mind.current == ["用户：那不是我，是我弟弟"]


def test_a_denial_of_nothing_is_kept_like_anything_else() -> None:
    mind = Mind()
    assert mind.hear(heard("用户：那不是我")).kind is DecisionKind.ADD
    assert mind.hear(heard("用户：那不是我想要的颜色")).kind is DecisionKind.ADD
    assert len(mind.current) == 2


def test_a_repeat_is_evidence_too() -> None:
    mind = Mind()
    first, again = heard("用户喜欢喝咖啡", likes("咖啡")), heard("用户特别爱喝咖啡", likes("咖啡"))
    mind.hear(first)
    mind.hear(again)
    [memory] = mind.memories.values()
    assert memory.evidence == (*first.evidence, *again.evidence)
    assert (memory.text, memory.updated) == (first.text, first.updated)
    mind.hear(again)
    assert mind.memories[memory.id].evidence == memory.evidence


def test_evidence_of_what_is_told_every_day_is_bounded() -> None:
    mind = Mind()
    told = [heard("用户每天喝咖啡", likes("咖啡")) for _ in range(EVIDENCE_KEPT + 5)]
    for one in told:
        mind.hear(one)
    [memory] = mind.memories.values()
    assert len(memory.evidence) == EVIDENCE_KEPT
    assert (memory.evidence[0], memory.evidence[-1]) == (told[0].evidence[0], told[-1].evidence[0])


def test_evidence_of_what_is_corrected_is_bounded() -> None:
    mind = Mind()
    for number in range(EVIDENCE_KEPT + 5):
        mind.hear(heard(f"The user lives at number {number}", home(f"number {number}")), corrects=True)
    [memory] = mind.memories.values()
    assert len(memory.evidence) == EVIDENCE_KEPT
