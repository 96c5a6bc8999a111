"""What holds for the tokeniser, whatever the text?"""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from yiku.model.tokens import (
    CHARACTER_MARK,
    fold,
    index_terms,
    length_of,
    query_terms,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
mixed_texts = st.text(
    st.sampled_from("我喜欢喝咖啡茶軟體软体東京カタカナ서울 abcRUNning15iPhone'’,，。·_-\n"), max_size=60
)
chinese = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=30)


@given(before=mixed_texts, run=chinese, after=mixed_texts, data=st.data())
def test_two_neighbouring_characters_of_a_text_find_it(before: str, run: str, after: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 2))
    end = data.draw(st.integers(start + 2, len(run)))
    words = query_terms(run[start:end], limit=512).words
    assert words
    assert set(words) <= set(index_terms(before + run + after))


@given(text=texts | mixed_texts)
def test_a_text_finds_itself_by_each_of_its_words(text: str) -> None:
    terms = query_terms(text, limit=10_000)
    assert set(terms.words) | set(terms.characters) == set(index_terms(text))
    assert set(terms.lone_characters) <= set(terms.characters)


@given(text=texts | mixed_texts)
@example("H\u0331")  # lower case has a composed form (ẖ), upper case has none
@example("薴")  # its simplified form 苧 is itself a traditional form of 苎
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(text=texts | mixed_texts)
@example("·茶 ·a a·b")
def test_only_characters_of_scripts_without_spaces_are_marked(text: str) -> None:
    for term in index_terms(text):
        if term.startswith(CHARACTER_MARK):
            assert re.fullmatch(rf"{CHARACTER_MARK}[^\x00-\u2e7f]", term)
    for word in query_terms(text, limit=512).words:
        assert not word.startswith(CHARACTER_MARK)


@given(text=texts | mixed_texts)
def test_marked_characters_do_not_add_to_the_length(text: str) -> None:
    terms = index_terms(text)
    words = sum(count for term, count in terms.items() if term[0] != CHARACTER_MARK)
    assert length_of(terms) == words


@given(text=texts | mixed_texts, limit=st.integers(1, 5))
def test_a_query_has_no_more_terms_than_its_limit_and_none_twice(text: str, limit: int) -> None:
    terms = query_terms(text, limit=limit)
    for kind in (terms.words, terms.characters, terms.lone_characters):
        assert len(kind) <= limit
        assert len(kind) == len(set(kind))
    assert terms.words == query_terms(text, limit=10_000).words[:limit]


@given(before=texts | mixed_texts, after=texts | mixed_texts)
def test_texts_on_two_lines_have_the_terms_of_both(before: str, after: str) -> None:
    both = index_terms(f"{before}\n{after}")
    assert both == index_terms(before) + index_terms(after)
    assert length_of(both) == sum(count for term, count in both.items() if not term.startswith(CHARACTER_MARK))
