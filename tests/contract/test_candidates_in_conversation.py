"""What does a search know of a record's conversation, speaker and time?"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.contract.builders import ALICE, BOB, START, Hit, changes, hit, hit_ids, record, search, setting, vector
from yiku.model.conditions import Eq
from yiku.model.records import Record, Setting
from yiku.ports.storage import Storage

NORTH, EAST = vector(1, 0), vector(0, 1)


def said(id: str, text: str, minute: float, *, where: Setting | None = None, **known: object) -> Record:
    """One turn of a conversation, with a vector to the north when it speaks of tea."""
    embedding = NORTH if "tea" in text else EAST
    stands = where or setting(minute=minute)
    return record(id, text, minute=minute, embedding=embedding, setting=stands, **known)  # type: ignore[arg-type]


def alone(one: Hit) -> bool:
    return one.words_around == one.words and one.cosine_around == one.cosine


async def test_turns_beside_each_other_count_by_their_distance(storage: Storage) -> None:
    texts = ["tea", *["milk"] * 5]
    await storage.commit(changes(*(said(f"m-{number}", text, number) for number, text in enumerate(texts))))
    found = await search(storage, "tea", embedding=NORTH)
    around = [hit(found, f"m-{number}").words_around for number in range(4)]
    assert around == sorted(around, reverse=True)
    assert around[3] > 0
    assert hit(found, "m-1").words == 0
    # m-0 counts once, m-1 to m-3 three quarters, a half and a quarter; only m-0 points north.
    assert hit(found, "m-0").cosine_around == pytest.approx(1 / 2.5, abs=0.01)
    assert [hit(found, name).words_around for name in ("m-4", "m-5") if name in hit_ids(found)] in (
        [],
        [0.0],
        [0.0, 0.0],
    )


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(setting(thread="another", minute=1), id="another thread"),
        pytest.param(setting(minute=600), id="told long after"),
        pytest.param(None, id="no setting"),
    ],
)
async def test_who_stands_alone_is_their_own_surroundings(storage: Storage, other: Setting | None) -> None:
    first = record("m-1", "tea", embedding=NORTH, setting=setting())
    second = record("m-2", "milk tea", minute=1, embedding=EAST, setting=other)
    await storage.commit(changes(first, second))
    found = await search(storage, "tea", embedding=NORTH)
    assert hit_ids(found) == ["m-1", "m-2"]
    assert all(alone(one) for one in found.hits)


async def test_the_conversation_of_another_partition_is_another_one(storage: Storage) -> None:
    await storage.commit(changes(said("m-1", "tea", 0)))
    await storage.commit(changes(said("m-2", "tea milk", 1), partition=BOB))
    found = await search(storage, "tea", embedding=NORTH, partitions=[ALICE, BOB])
    assert len(found.hits) == 2
    assert all(alone(one) for one in found.hits)


async def test_the_order_is_that_in_which_the_turns_were_made(storage: Storage) -> None:
    """Whatever the order of storing: a turn that was corrected keeps its place."""
    await storage.commit(changes(*(said(f"m-{number}", "milk", number) for number in range(9))))
    await search(storage, "tea", embedding=NORTH)
    await storage.commit(changes(said("m-1", "tea", 1)))
    found = await search(storage, "tea", embedding=NORTH)
    assert hit(found, "m-0").words_around == hit(found, "m-2").words_around > 0
    assert hit(found, "m-8").words_around == 0


async def test_what_was_deleted_or_has_expired_is_no_neighbour(storage: Storage) -> None:
    await storage.commit(changes(said("m-1", "tea", 0), said("m-2", "milk", 1), said("m-3", "tea", 2, expires_s=-1)))
    await search(storage, "tea", embedding=NORTH)
    await storage.commit(changes(deletes=["m-1"]))
    found = await search(storage, "tea", embedding=NORTH)
    assert hit_ids(found) == ["m-2"]
    assert (hit(found, "m-2").words_around, hit(found, "m-2").cosine_around) == (0.0, hit(found, "m-2").cosine)


async def test_neighbours_count_though_a_condition_leaves_them_out(storage: Storage) -> None:
    await storage.commit(changes(said("m-1", "tea", 0), said("m-2", "milk", 1, fields={"chosen": True})))
    found = await search(storage, "tea", embedding=NORTH, where=Eq("chosen", True))
    assert hit_ids(found) == ["m-2"]
    assert hit(found, "m-2").words_around > 0


async def test_a_record_without_text_is_not_found_by_the_words_of_others(storage: Storage) -> None:
    silent = record("m-2", minute=1, embedding=EAST, setting=setting(minute=1))
    await storage.commit(changes(said("m-1", "tea", 0), silent))
    assert hit_ids(await search(storage, "tea")) == ["m-1"]


@pytest.mark.parametrize(
    ("asked", "marked"),
    [
        ("What does Anna drink?", ["m-1"]),
        ("what did anna and 小明 say?", ["m-1", "m-2"]),
        ("小明喜欢喝什么？", ["m-2"]),
        ("What about Annabel?", []),
        ("", []),
    ],
)
async def test_records_of_a_speaker_whom_the_question_names_are_marked(
    storage: Storage, asked: str, marked: list[str]
) -> None:
    speakers = ["Anna Maria", "小明", None]
    await storage.commit(
        changes(*(said(f"m-{n}", "tea", n, where=setting(speaker=name)) for n, name in enumerate(speakers, start=1)))
    )
    found = await search(storage, "tea", asked=asked)
    assert sorted(one.record.id for one in found.hits if one.is_by_whom) == marked


async def test_records_about_people_who_said_nothing_themselves_are_marked(storage: Storage) -> None:
    await storage.commit(
        changes(
            said("by", "tea", 0, where=setting(speaker="Anna")),
            said("about", "Bart Simpson drinks tea", 1),
            said("neither", "Simpson drinks tea with Anna", 2),
        )
    )
    found = await search(storage, "tea", people=("Bart Simpson", "Anna"))
    assert [one.record.id for one in found.hits if one.is_by_whom] == ["about"]


@pytest.mark.parametrize(
    ("begins", "ends", "marked"),
    [(0, 0, True), (59, 59, True), (60, 60, False), (-10, 0, False), (-10, 1, True), (59, 90, True), (-10, 90, True)],
)
async def test_records_that_speak_of_a_time_asked_for_are_marked(
    storage: Storage, begins: int, ends: int, marked: bool
) -> None:
    """The hour after START is asked for; minutes from then."""
    first, last = START + timedelta(minutes=begins), START + timedelta(minutes=ends)
    await storage.commit(changes(record("m-1", "tea", setting=setting(begins=first, ends=last))))
    periods = ((START - timedelta(days=9), START - timedelta(days=8)), (START, START + timedelta(hours=1)))
    assert hit(await search(storage, "tea", periods=periods), "m-1").is_of_then is marked
    assert hit(await search(storage, "tea"), "m-1").is_of_then is False


async def test_what_holds_no_more_or_not_yet_is_left_out_when_asked_so(storage: Storage) -> None:
    hour, day = timedelta(hours=1), timedelta(days=1)
    await storage.commit(
        changes(
            record("past", "tea", embedding=NORTH, setting=setting(until=START + hour)),
            record("present", "tea", embedding=NORTH, setting=setting()),
            record("future", "tea", embedding=NORTH, setting=setting(since=START + day)),
            record("no setting", "tea", embedding=NORTH),
        )
    )
    for arm in ({"text": "tea"}, {"embedding": NORTH}):
        for asked, expected in (
            ({}, ["future", "no setting", "past", "present"]),
            ({"until_after": START + hour}, ["future", "no setting", "present"]),
            ({"since_by": START, "until_after": START}, ["no setting", "past", "present"]),
            ({"since_by": START + day, "until_after": START + day}, ["future", "no setting", "present"]),
        ):
            assert hit_ids(await search(storage, **arm, **asked)) == expected  # type: ignore[arg-type]


async def test_what_answers_by_what_it_is_is_a_hit_whatever_its_words(storage: Storage) -> None:
    home = {"slot": "home of the user"}
    ended = setting(until=START + timedelta(days=1))
    await storage.commit(
        changes(
            record("words", "where do I live", setting=setting()),
            record("york", "moved to York", fields=home, setting=setting()),
            record("leeds", "moved to Leeds", fields=home, setting=ended),
            record("bob", "moved to Rome", fields={"slot": "home of Bob"}, setting=setting()),
        )
    )
    answers = Eq("slot", "home of the user")
    found = await search(storage, "where do I live", answers=answers)
    assert {one.record.id: one.is_answer for one in found.hits} == {"words": False, "york": True, "leeds": True}
    assert [one.record.id for one in (await search(storage, "live", answers=answers, past_answers=True)).hits] == [
        "leeds", "words"
    ]  # fmt: skip


async def test_no_answer_gets_past_the_condition_or_the_partition(storage: Storage) -> None:
    home = {"slot": "home of the user"}
    await storage.commit(changes(record("york", "moved to York", fields=home | {"agent_id": "a"})))
    await storage.commit(changes(record("rome", "moved to Rome", fields=home), partition=BOB))
    answers = Eq("slot", "home of the user")
    assert hit_ids(await search(storage, "live", answers=answers)) == ["york"]
    assert hit_ids(await search(storage, "live", answers=answers, where=Eq("agent_id", "b"))) == []
