"""Are the bytes of a text's terms what its terms say, whichever shorter way they were made?"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b

import numpy as np
import pytest
from bench.datasets import FOLDER, available
from hypothesis import example, given
from hypothesis import strategies as st

from yiku.engine.features import TERM, term_hashes, text_feature
from yiku.model.tables import traditional_to_simplified
from yiku.model.tokens import CHARACTER_MARK, fold, index_terms, length_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
written = st.text(st.sampled_from("我喜欢喝咖啡茶軟體东京カタカナ서울 abcRUNning15iPhone'’,，。·_-\n"), max_size=60)


def _folded_in_full(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(traditional_to_simplified()).lower()
    return unicodedata.normalize("NFKC", folded)


def _check(text: str) -> None:
    """Against the definition: an array with the hash and the count of each term."""
    assert fold(text) == _folded_in_full(text)
    counts = index_terms(text)
    entries = np.frombuffer(text_feature(text)[0], TERM)
    hashes = [int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") for term in counts]
    assert entries["term"].tolist() == hashes == term_hashes(tuple(counts)).tolist()
    assert entries["count"].tolist() == [min(count, 65_535) for count in counts.values()]
    marked = sum(count for term, count in counts.items() if term.startswith(CHARACTER_MARK))
    assert text_feature(text)[1] == length_of(counts) == counts.total() - marked


@given(text=st.text(st.characters(max_codepoint=127), max_size=80) | texts | written)
@example("")
@example("茶 茶 tea tea tea")
@example("THE \x00\x1f\x7f QUICK")
def test_the_bytes_of_a_text_say_its_terms_and_how_often_each_stands_there(text: str) -> None:
    _check(text)


def test_a_word_that_stands_there_too_often_to_be_counted_is_counted_as_often_as_can_be() -> None:
    _check("tea " * 65_600 + "茶" * 3)


@pytest.mark.skipif(not available(), reason="the shared data is not beside this checkout")
def test_the_terms_of_what_people_said_are_as_defined() -> None:
    corpora = sorted(FOLDER.glob("*/corpus.jsonl"))
    assert corpora
    for corpus in corpora:
        with corpus.open(encoding="utf-8") as lines:
            for _, line in zip(range(300), lines, strict=False):
                _check(line)
