"""The worked example of the docs is what comes out, word for word; scores to two digits, within one of the last."""

from __future__ import annotations

import re

from tests.docs.worked_example import PAGE, page

AGAIN = "the page is out of date: python -m tests.docs.worked_example writes it again"
_SCORE = re.compile(r"(?<![\d.])[01]\.\d\d(?!\d)")
# Arithmetic of vectors differs in the last digits from one processor to another.
_ALIKE = 0.015


async def test_the_worked_example_is_what_comes_out() -> None:
    written, made = PAGE.read_text(encoding="utf-8"), await page()
    assert _SCORE.sub("#", made) == _SCORE.sub("#", written), AGAIN
    pairs = zip(_SCORE.findall(made), _SCORE.findall(written), strict=True)
    assert [pair for pair in pairs if abs(float(pair[0]) - float(pair[1])) > _ALIKE] == [], AGAIN
