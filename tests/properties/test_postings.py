"""Are terms grouped as a stable sort would group them, whatever their hashes have in common?"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from yiku.engine.postings import Segment

HASHES = some.builds(
    lambda first, second: first << 32 | second,
    some.sampled_from([0, 1, 2**32 - 1]),
    some.sampled_from([0, 1, 7, 2**32 - 1]),
)
"""Few, and alike in one half or the other: by chance no two would be."""


@given(some.lists(HASHES, max_size=60))
def test_each_term_has_its_entries_in_the_order_in_which_they_came(hashes: list[int]) -> None:
    terms = np.array(hashes, np.uint64)
    rows, counts = np.arange(len(terms), dtype=np.int32), np.arange(len(terms), dtype=np.uint16)[::-1]
    segment = Segment.of(terms, rows, counts)
    expected = sorted(range(len(hashes)), key=hashes.__getitem__)
    assert segment.rows.tolist() == expected
    assert segment.counts.tolist() == [len(hashes) - 1 - row for row in expected]
    assert segment.terms.tolist() == sorted(set(hashes))
    assert np.diff(segment.offsets).tolist() == [hashes.count(term) for term in sorted(set(hashes))]
