"""Does each section go from its heading to where the next of its rank begins?"""

from __future__ import annotations

from yiku.core.knowledge.lines import lines_of
from yiku.core.knowledge.sections import Section, sections_of
from yiku.model.parsed import Heading


def sections(text: str, *headings: tuple[int, int, str]) -> list[Section]:
    return list(sections_of([Heading(*heading) for heading in headings], lines_of(text)))


def test_a_section_holds_its_subsections_and_ends_before_the_next_of_its_rank() -> None:
    text = "序\n# 一\n甲\n## 一之一\n乙\n## 一之二\n丙\n# 二\n丁\n"
    first, inner, second_inner, last = sections(text, (2, 1, "一"), (4, 2, "一之一"), (6, 2, "一之二"), (8, 1, "二"))
    assert [(s.start_line, s.end_line) for s in (first, inner, second_inner, last)] == [(2, 7), (4, 5), (6, 7), (8, 9)]
    assert (first.body_start, first.body_end) == (3, 3)
    assert second_inner.path == ("一", "一之二")
    assert [first.parent, inner.parent, second_inner.parent, last.parent] == [None, 0, 0, None]


def test_a_rank_that_was_skipped_makes_no_section_of_its_own() -> None:
    top, deep, middle = sections("a\nb\nc\n", (1, 1, "a"), (2, 3, "b"), (3, 2, "c"))
    assert deep.path == ("a", "b")
    assert middle.path == ("a", "c")
    assert (top.end_line, deep.end_line, middle.end_line) == (3, 2, 3)


def test_a_text_may_begin_with_a_lower_rank() -> None:
    low, high = sections("x\ny\n", (1, 3, "low"), (2, 1, "high"))
    assert (low.parent, high.parent, low.end_line) == (None, None, 1)


def test_sections_of_one_title_are_counted_within_their_parent() -> None:
    found = sections("a\nb\nc\nd\ne\n", (1, 1, "A"), (2, 2, "例"), (3, 2, "例"), (4, 1, "A"), (5, 2, "例"))
    assert [section.occurrence for section in found] == [0, 0, 1, 1, 0]


def test_a_heading_with_nothing_below_has_no_body() -> None:
    first, second = sections("# A\n# B", (1, 1, "A"), (2, 1, "B"))
    assert first.body_end < first.body_start
    assert second.body_end < second.body_start


def test_the_line_that_underlines_a_title_belongs_to_it() -> None:
    (section,) = sections("Title\n=====\ntext\n", (1, 1, "Title"))
    assert section.body_start == 3
    (ruled,) = sections("# Title\n---\ntext\n", (1, 1, "Title"))
    assert ruled.body_start == 2


def test_headings_that_share_a_line_or_lie_behind_the_text_make_no_empty_sections() -> None:
    found = sections("a\nb\n", (1, 1, "one"), (1, 2, "same line"), (2, 2, "two"), (3, 1, "nowhere"))
    assert [section.title for section in found] == ["one", "two"]
