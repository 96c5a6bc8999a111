"""Is every text, whatever stands in it, cut into nodes that lose nothing, hold each other and keep their ids?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from yiku.core.knowledge.cuts import CLOSING, sizes_of
from yiku.core.knowledge.lines import lines_of, page_at
from yiku.core.knowledge.nodes import NodeTree, nodes_of
from yiku.core.knowledge.sections import sections_of
from yiku.model.knowledge import Node, NodeKind, Outline
from yiku.model.parsed import Heading

LEAF_SIZE = 40
PIECES = st.sampled_from(
    [
        "知识库检索", "配置权限。", "他说：“好。”", "！？", "，", "）", "The quick brown fox", "jumps. ", "e.g. ",
        "3.14", ", ", "\n", "\n\n", "\n \n", " ", "\u3000", "\t", "```\n", "~~~", "\n| a | b |\n", "|---|---|\n",
        "| 城 | 1 |\n", "---\n", "===\n", "👩\u200d👧", "e\u0301", '"', "\u2028", "\x0c", "字" * 60, "x" * 150, "; ",
        "\\", ">",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=60).map("".join)


@st.composite
def sections_written(draw: st.DrawFn) -> list[tuple[int, str, str]]:
    """Level, title and body of each section of a document."""
    titles = st.sampled_from(["概述", "例", "Access", "a > b", "例"])
    return draw(st.lists(st.tuples(st.integers(1, 4), titles, TEXTS), max_size=8))


def written(preface: str, sections: list[tuple[int, str, str]]) -> tuple[str, tuple[Heading, ...]]:
    text, headings = preface, []
    for level, title, body in sections:
        text += "" if not text or text.endswith("\n") else "\n"
        headings.append(Heading(text.count("\n") + 1, level, title))
        text += f"{'#' * level} {title}\n{body}"
    return text, tuple(headings)


def leaf_texts(tree: NodeTree, parent_id: str | None) -> str:
    return "".join(leaf.content for leaf in tree.leaves if leaf.node.parent_id == parent_id)


@given(TEXTS, sections_written(), st.booleans())
def test_the_leaves_of_a_section_are_what_stands_in_it(
    preface: str, sections: list[tuple[int, str, str]], rows: bool
) -> None:
    text, headings = written(preface, sections)
    tree = nodes_of("doc-1", Outline("t", headings, (), rows), text, leaf_size=LEAF_SIZE)
    lines = lines_of(text)
    nodes = [node for node in tree.nodes if node.kind is NodeKind.SECTION]
    for node, section in zip(nodes, sections_of(headings, lines), strict=True):
        has_body = section.body_end >= section.body_start
        body = lines.text_of(section.body_start, section.body_end) if has_body else ""
        assert leaf_texts(tree, node.id) == (body if body.strip() else "")
    first = headings[0].line - 1 if headings else lines.count
    before = lines.text_of(1, first) if first else ""
    assert leaf_texts(tree, None) == (before if before.strip() else "")


@given(TEXTS, sections_written())
def test_leaves_are_slices_within_the_limit_and_begin_with_what_begins(
    preface: str, sections: list[tuple[int, str, str]]
) -> None:
    text, headings = written(preface, sections)
    tree = nodes_of("doc-1", Outline("t", headings), text, leaf_size=LEAF_SIZE)
    sizes = sizes_of(text)
    ends = {leaf.node.span.char_end for leaf in tree.leaves}
    for leaf in tree.leaves:
        span = leaf.node.span
        assert text[span.char_start : span.char_end] == leaf.content
        assert leaf.content.strip()
        assert sizes.between(span.char_start, span.char_end) <= LEAF_SIZE * 5 / 4
        # Behind a letter a cut was free to go before it instead.
        if span.char_start in ends and text[span.char_start - 1].isalnum():
            assert leaf.content[0] not in CLOSING
            assert not leaf.content[0].isspace()


@given(TEXTS, sections_written(), st.lists(st.integers(1, 60), max_size=5).map(sorted))
def test_parents_hold_their_children_and_siblings_follow_each_other(
    preface: str, sections: list[tuple[int, str, str]], pages: list[int]
) -> None:
    text, headings = written(preface, sections)
    tree = nodes_of("doc-1", Outline("t", headings, tuple(pages)), text, leaf_size=LEAF_SIZE)
    lines = lines_of(text)
    known: dict[str, Node] = {}
    ended: dict[str | None, int] = {}
    for ordinal, node in enumerate(tree.nodes):
        assert node.ordinal == ordinal
        assert node.id not in known
        span = node.span
        assert ended.get(node.parent_id, 0) <= span.char_start < span.char_end
        assert (span.start_line, span.end_line) == (lines.line_at(span.char_start), lines.line_at(span.char_end - 1))
        assert (span.page_start or 0) >= (page_at(span.start_line, pages) or 0)
        assert (span.page_start or 0) <= (span.page_end or 0) <= (page_at(span.end_line, pages) or 0)
        if node.parent_id is not None:
            parent = known[node.parent_id]
            assert parent.span.char_start < span.char_start
            assert span.char_end <= parent.span.char_end
            assert node.path == (parent.path if node.kind is NodeKind.LEAF else (*parent.path, node.title))
        known[node.id] = node
        ended[node.parent_id] = span.char_end


@given(TEXTS, sections_written(), TEXTS, st.data())
def test_an_edit_in_one_section_leaves_the_ids_of_all_others_alone(
    preface: str, sections: list[tuple[int, str, str]], replacement: str, data: st.DataObject
) -> None:
    edited = data.draw(st.integers(-1, len(sections) - 1))
    changed = [(*section[:2], replacement if n == edited else section[2]) for n, section in enumerate(sections)]
    trees = [
        nodes_of("doc-1", Outline("t", headings), text, leaf_size=LEAF_SIZE)
        for text, headings in (written(preface, sections), written(replacement if edited < 0 else preface, changed))
    ]
    section_ids = [[node.id for node in tree.nodes if node.kind is NodeKind.SECTION] for tree in trees]
    assert section_ids[0] == section_ids[1]
    spared = [None, *section_ids[0]]
    del spared[edited + 1]
    for parent_id in spared:
        before, after = ([leaf.node.id for leaf in tree.leaves if leaf.node.parent_id == parent_id] for tree in trees)
        assert before == after


@given(TEXTS)
def test_lines_joined_are_the_text_and_each_character_is_on_its_own(text: str) -> None:
    lines = lines_of(text)
    assert "".join(lines.text_of(line, line) for line in range(1, lines.count + 1)) == text
    assert all(lines.start_of(lines.line_at(n)) <= n < lines.end_of(lines.line_at(n)) for n in range(len(text)))
