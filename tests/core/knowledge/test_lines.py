"""Do lines, characters and pages name the same places?"""

from __future__ import annotations

import pytest

from yiku.core.knowledge.lines import lines_of, page_at


def test_a_line_end_at_the_end_begins_no_further_line() -> None:
    assert lines_of("甲\n乙\n").count == lines_of("甲\n乙").count == 2
    assert lines_of("甲\n\n").count == 2
    assert lines_of("").count == 0


def test_lines_keep_their_line_ends_and_joined_they_are_the_text() -> None:
    lines = lines_of("第一行\n\nthird\nlast")
    assert [lines.text_of(number, number) for number in range(1, lines.count + 1)] == [
        "第一行\n",
        "\n",
        "third\n",
        "last",
    ]
    assert lines.text_of(2, 3) == "\nthird\n"
    assert (lines.start_of(3), lines.end_of(3), lines.start_of(5)) == (5, 11, 15)


@pytest.mark.parametrize("inside", ["\u2028", "\x0c", "\x0b", "\x85", "\x1c"])
def test_other_separators_do_not_end_a_line(inside: str) -> None:
    assert lines_of(f"one{inside}still one\ntwo").count == 2


def test_each_character_stands_on_a_line() -> None:
    lines = lines_of("ab\n\n中文\n")
    assert [lines.line_at(character) for character in range(7)] == [1, 1, 1, 2, 3, 3, 3]


def test_a_page_that_is_empty_has_no_line() -> None:
    page_lines = (1, 5, 5, 9)
    assert [page_at(line, page_lines) for line in (1, 4, 5, 8, 9, 100)] == [1, 1, 3, 3, 4, 4]


def test_what_stands_before_the_first_page_belongs_to_it() -> None:
    assert page_at(1, (3, 7)) == 1


def test_a_format_without_pages_has_none() -> None:
    assert page_at(1, ()) is None
