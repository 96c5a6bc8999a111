"""Grep and read speak of the same lines, in however many parts the text is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yiku.core.knowledge.grep_lines import LINE_CHARACTERS_MAX, Part, grep, read_lines


class Words:
    """A pattern that is a plain text."""

    def __init__(self, word: str) -> None:
        self._word = word.encode()

    def matches(self, line: bytes) -> Iterator[tuple[int, int]]:
        return (found.span() for found in re.finditer(re.escape(self._word), line))

    def lines_with(self, text: bytes) -> Iterator[int]:
        return (number for number, line in enumerate(text.split(b"\n")) if self._word in line)


def parts_of(text: str, *cuts: int) -> list[Part]:
    """The text in parts that end with the lines of these numbers."""
    lines = text.splitlines(keepends=True)
    ends = [0, *cuts, len(lines)]
    return [(start + 1, "".join(lines[start:end])) for start, end in pairwise(ends)]


TEXT = "".join(f"第{number}行 line {number}\n" for number in range(1, 11))


@pytest.mark.parametrize("cuts", [(), (5,), (4, 5, 6), tuple(range(1, 10))])
def test_what_stands_around_a_match_may_be_in_other_parts(cuts: tuple[int, ...]) -> None:
    (match,) = grep(parts_of(TEXT, *cuts), Words("line 5"), context=2, limit=10).matches
    assert match.line_number == 5
    assert match.line == "第5行 line 5"
    assert match.context == tuple(f"第{number}行 line {number}" for number in range(3, 8))
    assert match.column == 5


def test_at_the_ends_of_the_text_there_is_less_around() -> None:
    first, tenth = grep(parts_of(TEXT), Words("line 1"), context=1, limit=10).matches
    assert first.context == ("第1行 line 1", "第2行 line 2")
    assert tenth.context == ("第9行 line 9", "第10行 line 10")


def test_the_line_end_of_the_last_line_begins_no_line() -> None:
    class Everywhere(Words):
        def matches(self, line: bytes) -> Iterator[tuple[int, int]]:
            return iter([(0, 0)])

    assert grep(parts_of(TEXT, 3), Everywhere(""), context=0, limit=100).total == 10
    assert grep([(1, "\n")], Everywhere(""), context=0, limit=100).total == 1
    assert grep([], Everywhere(""), context=0, limit=100).total == 0


def test_all_matches_are_counted_and_so_many_shown() -> None:
    found = grep(parts_of(TEXT, 5), Words("行"), context=0, limit=3)
    assert [match.line_number for match in found.matches] == [1, 2, 3]
    assert found.total == 10
    assert not found.is_cut


def test_counting_ends_somewhere_and_that_is_said() -> None:
    assert grep(parts_of(TEXT, 5), Words("行"), context=0, limit=3, count_max=10).is_cut is False
    found = grep(parts_of(TEXT, 5), Words("行"), context=0, limit=3, count_max=9)
    assert found.total == 9
    assert found.is_cut


def test_no_part_is_read_that_changes_nothing() -> None:
    taken: list[int] = []

    def parts() -> Iterator[Part]:
        for first, text in parts_of(TEXT, *range(1, 10)):
            taken.append(first)
            yield first, text

    (match,) = grep(parts(), Words("行"), context=3, limit=1, count_max=1).matches
    assert len(match.context) == 4
    assert taken == [1, 2, 3, 4]


def test_of_a_long_line_the_neighbourhood_of_the_match_is_shown() -> None:
    line = "前" * 50_000 + "needle" + "后" * 50_000
    (match,) = grep([(1, "short\n" + line + "\nend")], Words("needle"), context=1, limit=10).matches
    assert match.column == 50_001
    assert match.is_cut
    assert "needle" in match.line
    assert len(match.line) == LINE_CHARACTERS_MAX
    assert match.context == ("short", match.line, "end")


def test_what_is_shown_in_all_is_bounded() -> None:
    text = "".join(f"{'x' * 2_000}\n" for _ in range(2_000))
    found = grep([(1, text)], Words("x"), context=20, limit=1_000)
    assert found.total == 2_000
    assert sum(len(line) for match in found.matches for line in match.context) < 1_100_000


def test_reading_begins_with_the_line_that_is_asked_for() -> None:
    """claude-supertool#945, kilocode#12756: an offset is the number of a line, not a count of lines to skip."""
    read = read_lines(parts_of(TEXT, 3, 7), offset=5, limit=1, characters_max=10_000)
    assert (read.content, read.start_line, read.end_line, read.total_lines) == ("第5行 line 5", 5, 5, 10)
    assert read.has_more
    last = read_lines(parts_of(TEXT, 3, 7), offset=6, limit=100, characters_max=10_000)
    assert (last.end_line, last.has_more) == (10, False)


def test_behind_the_text_nothing_is_read_and_its_length_is_said() -> None:
    read = read_lines(parts_of(TEXT), offset=11, limit=5, characters_max=10_000)
    assert (read.content, read.end_line, read.total_lines, read.has_more) == ("", 10, 10, False)


def test_only_whole_lines_are_read_unless_one_alone_is_too_long() -> None:
    read = read_lines(parts_of(TEXT), offset=1, limit=10, characters_max=25)
    assert read.content == "第1行 line 1\n第2行 line 2"
    assert (read.end_line, read.has_more, read.is_cut) == (2, True, False)
    book = read_lines([(1, "书" * 2_000_000)], offset=1, limit=10, characters_max=1_000)
    assert (len(book.content), book.end_line, book.is_cut) == (1_000, 1, True)


def test_who_knows_the_length_reads_only_what_is_needed() -> None:
    parts = parts_of(TEXT, 3, 7)
    read = read_lines(parts[1:2], offset=5, limit=2, characters_max=10_000, total_lines=10)
    assert (read.content, read.total_lines, read.has_more) == ("第5行 line 5\n第6行 line 6", 10, True)


@given(st.lists(st.text(alphabet="ab中\u2028 ", max_size=5), min_size=1, max_size=12), st.data())
def test_parts_make_no_difference(lines: list[str], data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(1, max(len(lines) - 1, 1))))
    ends = [0, *sorted(cut for cut in cuts if cut < len(lines)), len(lines)]
    parts = [(start + 1, "".join(f"{line}\n" for line in lines[start:end])) for start, end in pairwise(ends)]
    whole = [(1, "".join(f"{line}\n" for line in lines))]
    context, limit, offset = (data.draw(st.integers(low, 5)) for low in (0, 1, 1))
    assert grep(parts, Words("a"), context=context, limit=limit) == grep(
        whole, Words("a"), context=context, limit=limit
    )
    read = read_lines(parts, offset=offset, limit=limit, characters_max=1_000)
    assert read == read_lines(whole, offset=offset, limit=limit, characters_max=1_000)
    assert read.content == "\n".join(lines[offset - 1 : offset - 1 + limit])
