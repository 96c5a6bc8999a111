"""Is a record that was made ready elsewhere stored, found and told like one that the store works out itself?"""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.contract.builders import ALICE, BOB, START, changes, record, search, vector
from yiku.adapters.ready import made_ready
from yiku.model.conditions import Eq
from yiku.model.records import Record, Setting
from yiku.model.scopes import Partition
from yiku.ports.storage import Storage

SETTING = Setting(thread="t", told=START, begins=START, ends=START, since=START, speaker="安")
RECORDS = [
    record(
        "m-1",
        "我喜欢喝茶 and tea",
        body={"a": [1, "二"]},
        fields={"cat": ("a", 1), "ok": True},
        unique_key="key",
        embedding=vector(3, 4, 1),
        setting=SETTING,
        expires_s=3_600,
    ),
    record("m-2", "coffee", minute=1, embedding=vector(0, 1, 0)),
    record("m-3", "words alone", minute=2, fields={"cat": "b"}),
    record("m-4", minute=3, body={"no": "text"}),
]


def from_another_process(records: list[Record]) -> list[Record]:
    return [replace(one, ready=pickle.loads(pickle.dumps(one.ready))) for one in made_ready(records)]


async def told(storage: Storage, partition: Partition) -> list[Record]:
    """As a scan tells them, with vectors that can be compared."""
    records = [change.record for change in await storage.scan(partition) if change.record is not None]
    return [replace(one, embedding=None) for one in records]


async def test_it_is_told_alike(storage: Storage) -> None:
    await storage.commit(changes(*RECORDS))
    await storage.commit(changes(*from_another_process(RECORDS), partition=BOB))
    assert await told(storage, BOB) == await told(storage, ALICE)
    for ours, theirs in zip(await storage.scan(BOB), await storage.scan(ALICE), strict=True):
        assert ours.record is not None
        assert theirs.record is not None
        if theirs.record.embedding is None:
            assert ours.record.embedding is None
        else:
            assert ours.record.embedding is not None
            np.testing.assert_array_equal(ours.record.embedding.values, theirs.record.embedding.values)


@pytest.mark.parametrize("asked", ["喝茶", "tea", "coffee and tea"])
async def test_it_is_found_alike(storage: Storage, asked: str) -> None:
    await storage.commit(changes(*RECORDS))
    await storage.commit(changes(*from_another_process(RECORDS), partition=BOB))
    for question in ({}, {"embedding": vector(0, 1, 1)}, {"where": Eq("cat", "a")}):
        ours = await search(storage, asked, partitions=[BOB], **question)
        theirs = await search(storage, asked, **question)
        assert ours.hits != ()
        assert [replace(hit, partition=ALICE) for hit in ours.hits] == list(theirs.hits)


async def test_it_replaces_and_is_replaced_like_any_other(storage: Storage) -> None:
    await storage.commit(changes(*RECORDS))
    await storage.commit(changes(*from_another_process([replace(one, text="milk") for one in RECORDS])))
    assert {one.version for one in await told(storage, ALICE)} == {2}
    assert len((await search(storage, "milk")).hits) == len(RECORDS)
    await storage.commit(changes(*RECORDS))
    assert (await search(storage, "milk")).hits == ()
    assert (await storage.check()).problems == ()
