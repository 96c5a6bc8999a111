"""Which records does a vector find, and how exact is the cosine?"""

from __future__ import annotations

import numpy as np
import pytest

from tests.contract.builders import ALICE, BOB, Found, changes, hit, hit_ids, random_vectors, record, search, vector
from yiku.model.records import Embedding
from yiku.ports.storage import Storage

COSINE_TOLERANCE = 0.01
"""Engines may store vectors with fewer bits; nobody reads more than two digits of a similarity."""
TIE = 0.01
"""Records nearer to each other than this may trade places at the cut."""


def _cosines(vectors: list[Embedding], query: Embedding) -> dict[str, float]:
    return {
        f"m-{number:03}": float(np.dot(one.values.astype(np.float64), query.values.astype(np.float64)))
        for number, one in enumerate(vectors)
    }


def _assert_nearest(found: Found, cosines: dict[str, float], *, limit: int) -> None:
    best = sorted(cosines.values(), reverse=True)[:limit]
    assert sorted((cosines[one.record.id] for one in found.hits), reverse=True) == pytest.approx(best, abs=TIE)
    for one in found.hits:
        assert one.cosine == pytest.approx(cosines[one.record.id], abs=COSINE_TOLERANCE)


async def test_vectors_bring_the_nearest(storage: Storage) -> None:
    vectors = random_vectors(500, dimensions=32, seed=1)
    await storage.commit(changes(*(record(f"m-{number:03}", embedding=one) for number, one in enumerate(vectors))))
    for query in [*random_vectors(20, dimensions=32, seed=2), vectors[7]]:
        _assert_nearest(await search(storage, embedding=query, limit=10), _cosines(vectors, query), limit=10)


async def test_among_many_that_lie_close_together_the_nearest_are_told_apart_where_that_is_asked(
    storage: Storage,
) -> None:
    """By less than bytes can tell: without it one or two of the ten nearest are missed."""
    (centre,), noise = random_vectors(1, dimensions=64, seed=5), random_vectors(301, dimensions=64, seed=6)
    close = [vector(*(centre.values + 0.15 * one.values)) for one in noise]
    vectors, query = close[:300], close[300]
    await storage.commit(changes(*(record(f"m-{number:03}", embedding=one) for number, one in enumerate(vectors))))
    cosines = _cosines(vectors, query)
    nearest = set(sorted(cosines, key=lambda name: -cosines[name])[:10])
    found = (await search(storage, embedding=query, limit=64, exact=True)).hits
    ten = sorted(found, key=lambda one: -(one.cosine or 0))[:10]
    assert len(nearest & {one.record.id for one in ten}) >= 9
    for one in ten:
        assert one.cosine == pytest.approx(cosines[one.record.id], abs=0.001)


async def test_vectors_bring_the_nearest_while_records_change(storage: Storage) -> None:
    vectors = random_vectors(200, dimensions=32, seed=3)
    (query,) = random_vectors(1, dimensions=32, seed=4)
    await storage.commit(
        changes(*(record(f"m-{number:03}", embedding=one) for number, one in enumerate(vectors[:100])))
    )
    await search(storage, embedding=query)
    replaced = [vectors[100 + number] for number in range(50)]
    added = vectors[150:]
    present = [*replaced, *vectors[50:100], *added]
    await storage.commit(
        changes(
            *(record(f"m-{number:03}", embedding=one) for number, one in enumerate(replaced)),
            *(record(f"m-{100 + number:03}", embedding=one) for number, one in enumerate(added)),
        )
    )
    _assert_nearest(await search(storage, embedding=query, limit=15), _cosines(present, query), limit=15)
    cosines = _cosines(present, query)
    nearest = max(cosines, key=lambda name: cosines[name])
    await storage.commit(changes(deletes=[nearest]))
    del cosines[nearest]
    _assert_nearest(await search(storage, embedding=query, limit=15), cosines, limit=15)


async def test_the_nearest_are_found_even_when_all_point_away(storage: Storage) -> None:
    await storage.commit(changes(record("away", embedding=vector(-1, 0)), record("aside", embedding=vector(-1, 1))))
    found = await search(storage, embedding=vector(1, 0))
    assert hit(found, "away").cosine == pytest.approx(-1.0, abs=COSINE_TOLERANCE)
    assert hit(found, "aside").cosine == pytest.approx(-(0.5**0.5), abs=COSINE_TOLERANCE)
    assert hit_ids(await search(storage, embedding=vector(1, 0), limit=1)) == ["aside"]


async def test_vectors_of_another_model_are_never_compared(storage: Storage) -> None:
    same, other = vector(1, 0, 0), vector(1, 0, 0, model="model-b")
    await storage.commit(changes(record("same", "tea", embedding=same), record("other", "tea", embedding=other)))
    assert hit_ids(await search(storage, embedding=same)) == ["same"]
    assert hit_ids(await search(storage, embedding=other)) == ["other"]
    both = await search(storage, "tea", embedding=same)
    assert hit(both, "same").cosine == pytest.approx(1.0, abs=COSINE_TOLERANCE)
    assert hit(both, "other").cosine is None
    assert (await search(storage, embedding=vector(1, 0, 0, model="model-c"))).hits == ()


async def test_models_may_have_different_dimensions_in_one_partition(storage: Storage) -> None:
    small = [vector(1, number) for number in range(5)]
    large = random_vectors(5, dimensions=48, seed=5, model="model-b")
    await storage.commit(
        changes(
            *(record(f"small-{number}", embedding=one) for number, one in enumerate(small)),
            *(record(f"large-{number}", embedding=one) for number, one in enumerate(large)),
        )
    )
    assert hit_ids(await search(storage, embedding=small[0], limit=1)) == ["small-0"]
    assert hit_ids(await search(storage, embedding=large[3], limit=1)) == ["large-3"]
    assert len((await search(storage, embedding=large[3])).hits) == 5


async def test_a_record_that_moves_to_another_model_leaves_the_old_one(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", embedding=vector(1, 0))))
    await search(storage, embedding=vector(1, 0))
    await storage.commit(changes(record("m-1", embedding=vector(1, 0, 0, model="model-b"))))
    assert (await search(storage, embedding=vector(1, 0))).hits == ()
    assert hit_ids(await search(storage, embedding=vector(1, 0, 0, model="model-b"))) == ["m-1"]


async def test_the_nearest_of_several_partitions_are_those_of_all_together(storage: Storage) -> None:
    vectors = random_vectors(100, dimensions=16, seed=6)
    (query,) = random_vectors(1, dimensions=16, seed=7)
    for partition, start in ((ALICE, 0), (BOB, 50)):
        part = vectors[start : start + 50]
        await storage.commit(
            changes(
                *(record(f"m-{start + number:03}", embedding=one) for number, one in enumerate(part)),
                partition=partition,
            )
        )
    found = await search(storage, embedding=query, partitions=[ALICE, BOB], limit=10)
    _assert_nearest(found, _cosines(vectors, query), limit=10)
