"""Does every engine mean by a condition what `conditions.matches` says, whatever the fields and the tree?"""

from __future__ import annotations

from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.builders import changes, hit_ids, record, search, vector
from yiku.model.conditions import (
    INTEGER_MAX,
    INTEGER_MIN,
    And,
    Condition,
    Eq,
    Exists,
    Fields,
    Glob,
    In,
    Not,
    Or,
    Range,
    Scalar,
    matches,
)
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition
from yiku.ports.storage import Storage

NORTH = vector(1, 0)
AWKWARD = "aAb[]^!*?-\\'\"%_.:\n é中😀\uffee"
_partition_numbers = count()

names = st.sampled_from(["cat", "名字", 'it\'s "odd"', "%", "a.b", ""])
# Few characters and few numbers, so that records and conditions meet; wide ones, so that they also miss.
short_texts = st.text(AWKWARD, max_size=3)
wide_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)
texts = short_texts | wide_texts | st.sampled_from(["1", "1.0", "true", "null", "True", "None"])
numbers = (
    st.integers(-2, 2)
    | st.sampled_from([-1.0, 0.0, -0.0, 0.5, 1.0, 2**53, 2**53 + 1, float(2**53), float(2**63), 1e300, 5e-324])
    | st.sampled_from([INTEGER_MIN, INTEGER_MAX, INTEGER_MAX - 1])
    | st.integers(INTEGER_MIN, INTEGER_MAX)
    | st.floats(allow_nan=False, allow_infinity=False)
)
scalars: st.SearchStrategy[Scalar] = texts | numbers | st.booleans() | st.none()
field_values = scalars | st.lists(scalars, max_size=4).map(tuple)
fields = st.dictionaries(names, field_values, max_size=4)


def _ranges(bounds: st.SearchStrategy[str] | st.SearchStrategy[int | float]) -> st.SearchStrategy[Condition]:
    chosen = st.dictionaries(st.sampled_from(["gt", "gte", "lt", "lte"]), bounds, min_size=1, max_size=3)
    return st.builds(lambda name, given_bounds: Range(name, **given_bounds), names, chosen)


leaves: st.SearchStrategy[Condition] = (
    st.builds(Eq, names, scalars)
    | st.builds(In, names, st.lists(scalars, max_size=4).map(tuple))
    | st.builds(Exists, names)
    | st.builds(Glob, names, st.text(AWKWARD + "**??", max_size=4) | wide_texts)
    | _ranges(texts)
    | _ranges(numbers)
)
conditions: st.SearchStrategy[Condition] = st.recursive(
    leaves,
    lambda parts: (
        st.builds(Not, parts)
        | st.builds(And, st.lists(parts, max_size=3).map(tuple))
        | st.builds(Or, st.lists(parts, max_size=3).map(tuple))
    ),
    max_leaves=8,
)


@given(held=st.lists(fields, min_size=1, max_size=30), asked=st.lists(conditions, min_size=1, max_size=6))
@settings(
    max_examples=60,
    deadline=None,
    # One storage serves every example: each has a partition of its own, and opening one per example would be slow.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_an_engine_finds_exactly_what_matches(
    storage: Storage, held: list[Fields], asked: list[Condition]
) -> None:
    partition = Partition("default", f"user:{next(_partition_numbers)}")
    records = [
        record(f"m-{number:02}", "word", fields=one, embedding=NORTH, minute=number) for number, one in enumerate(held)
    ]
    await storage.commit(changes(*records, partition=partition))
    for condition in asked:
        expected = [one.id for one in records if matches(condition, one.fields)]
        page = await storage.page(PageQuery(partitions=(partition,), kind="memory", where=condition, ascending=True))
        assert [one.id for one in page.records] == expected
        assert page.count == len(expected)
        assert hit_ids(await search(storage, "word", partitions=[partition], where=condition)) == expected
        assert hit_ids(await search(storage, embedding=NORTH, partitions=[partition], where=condition)) == expected
    stored = await storage.get(partition, "memory", [one.id for one in records])
    assert [one.fields for one in stored] == held
