"""Do nodes stand where they say, and do they keep their ids where nothing of them has changed?"""

from __future__ import annotations

import re

import pytest

from yiku.core.knowledge.nodes import LeafText, NodeTree, nodes_of, section_path
from yiku.model.knowledge import NodeKind, Outline
from yiku.model.parsed import Heading

GUIDE = """前言在此。
# 概述
本产品用于管理。
## 快速开始
先安装，再运行。
## 例
Run the installer first.
## 例
Then start the server.
# 空章
# Access > Roles
按角色授权。
"""


def headings_of(text: str) -> tuple[Heading, ...]:
    lines = enumerate(text.split("\n"), 1)
    found = ((number, re.fullmatch(r"(#+) (.+)", line)) for number, line in lines)
    return tuple(Heading(number, len(match[1]), match[2]) for number, match in found if match)


def tree_of(text: str, title: str = "手册", *, document_id: str = "doc-1", pages: tuple[int, ...] = ()) -> NodeTree:
    tree = nodes_of(document_id, Outline(title, headings_of(text), pages), text)
    assert [node.ordinal for node in tree.nodes] == list(range(len(tree.nodes)))
    assert len({node.id for node in tree.nodes}) == len(tree.nodes)
    return tree


def leaf(tree: NodeTree, words: str) -> LeafText:
    return next(leaf for leaf in tree.leaves if words in leaf.content)


def test_nodes_come_in_the_order_of_the_text_and_know_where_they_stand() -> None:
    tree = tree_of(GUIDE)
    assert [(node.kind.value, node.title, node.level) for node in tree.nodes] == [
        ("leaf", "手册", 0),
        ("section", "概述", 1),
        ("leaf", "概述", 1),
        ("section", "快速开始", 2),
        ("leaf", "快速开始", 2),
        ("section", "例", 2),
        ("leaf", "例", 2),
        ("section", "例", 2),
        ("leaf", "例", 2),
        ("section", "空章", 1),
        ("section", "Access > Roles", 1),
        ("leaf", "Access > Roles", 1),
    ]
    ids = {node.id: node for node in tree.nodes}
    inner = leaf(tree, "先安装").node
    assert inner.path == ("概述", "快速开始")
    assert ids[str(inner.parent_id)].title == "快速开始"
    assert ids[str(ids[str(inner.parent_id)].parent_id)].title == "概述"
    assert tree.nodes[0].parent_id is None


def test_a_span_names_the_slice_of_the_text() -> None:
    tree = tree_of(GUIDE)
    for found in tree.leaves:
        span = found.node.span
        assert GUIDE[span.char_start : span.char_end] == found.content
        assert "\n".join(GUIDE.split("\n")[span.start_line - 1 : span.end_line]) + "\n" == found.content
    overview = tree.nodes[1].span
    assert (overview.start_line, overview.end_line) == (2, 9)
    assert GUIDE[overview.char_start :].startswith("# 概述")
    assert GUIDE[: overview.char_end].endswith("the server.\n")


def test_pages_are_those_on_which_something_is_said() -> None:
    text = "# 一\n甲\n\n\n乙\n\n\n# 二\n丙\n"
    tree = tree_of(text, pages=(1, 4, 7))
    assert [(n.title, n.kind.value, n.span.page_start, n.span.page_end) for n in tree.nodes] == [
        ("一", "section", 1, 2),
        ("一", "leaf", 1, 2),
        ("二", "section", 3, 3),
        ("二", "leaf", 3, 3),
    ]
    assert tree_of(text).nodes[0].span.page_start is None


def test_what_is_indexed_says_where_it_stands() -> None:
    tree = tree_of(GUIDE)
    assert leaf(tree, "先安装").index_text == "手册 > 概述 > 快速开始\n先安装，再运行。"
    assert leaf(tree, "按角色").index_text == "手册 > Access \\> Roles\n按角色授权。"
    assert leaf(tree, "前言").index_text == "手册\n前言在此。"


def test_a_document_named_like_its_only_heading_is_named_once() -> None:
    assert tree_of("# Guide\nText.\n", title="Guide").leaves[0].index_text == "Guide\nText."


def test_a_title_as_long_as_a_paragraph_leaves_room_for_the_leaf() -> None:
    found = tree_of("# " + "长" * 500 + "\n正文。\n").leaves[0]
    assert len(found.index_text) < 100
    assert found.index_text.endswith("…\n正文。")
    assert len(found.node.path[0]) == 500


def test_runs_of_blanks_are_not_indexed() -> None:
    found = tree_of("甲" + " " * 900 + "乙 \n \n 丙").leaves[0]
    assert found.index_text == "手册\n甲 乙\n丙"
    assert len(found.content) > 900


def test_the_context_of_a_table_is_indexed_but_is_not_content() -> None:
    text = "人口见下表：\n\n| 城市 | 人口 |\n|---|---|\n" + "".join(f"| 第{n}城 | {n} |\n" for n in range(80))
    tree = tree_of(text)
    assert len(tree.leaves) > 1
    for found in tree.leaves[1:]:
        assert found.index_text.startswith("手册\n人口见下表：\n| 城市 | 人口 |\n| 第")
        assert found.content.startswith("| 第")


def test_paths_with_the_mark_inside_a_title_do_not_look_alike() -> None:
    assert section_path(["a > b", "c"]) != section_path(["a", "b > c"]) != section_path(["a", "b", "c"])
    assert section_path(["a\\", "b"]) != section_path(["a\\ > b"])


def test_sections_of_one_title_and_leaves_of_one_text_have_ids_of_their_own() -> None:
    tree = tree_of("# A\nsame\n# A\nsame\n# B\n" + ("重复的段落。" * 50 + "\n\n") * 3)
    assert [node.title for node in tree.nodes] == ["A", "A", "A", "A", "B", "B", "B", "B"]
    assert len({leaf.content for leaf in tree.leaves}) == 2


def test_a_change_in_one_section_leaves_the_ids_of_the_others_alone() -> None:
    before = tree_of(GUIDE)
    after = tree_of(GUIDE.replace("先安装，再运行。", "先安装。\n\n\n然后配置，再运行。").replace("前言在此。\n", ""))
    kept = {node.id for node in before.nodes} & {node.id for node in after.nodes}
    gone = [found for found in before.leaves if found.node.id not in kept]
    assert [found.content for found in gone] == ["前言在此。\n", "先安装，再运行。\n"]
    assert {node.id for node in before.nodes if node.kind is NodeKind.SECTION} <= kept


def test_blank_lines_around_a_leaf_do_not_change_its_id() -> None:
    assert tree_of("# A\ntext\n# B\n").nodes[1].id == tree_of("# A\n\n\ntext\n\n\n# B\n").nodes[1].id


def test_ids_are_those_of_a_document() -> None:
    one, other = tree_of(GUIDE), tree_of(GUIDE, document_id="doc-2")
    assert not {node.id for node in one.nodes} & {node.id for node in other.nodes}
    assert all(re.fullmatch(r"node-[0-9a-f]{16}", node.id) for node in one.nodes)


def test_an_id_does_not_change_from_one_release_to_the_next() -> None:
    """Contents that a client has kept, and citations, lead to it."""
    assert tree_of(GUIDE).nodes[1].id == "node-018ff274e92056dc"
    assert leaf(tree_of(GUIDE), "先安装").node.id == "node-1be6e52688978fef"


def test_each_row_of_a_table_is_a_leaf_below_its_heading() -> None:
    outline = Outline("表", (Heading(1, 1, "Sheet1"),), (), lines_are_rows=True)
    tree = nodes_of("doc-1", outline, "Sheet1\n城市: 甲；人口: 1\n城市: 乙；人口: 2\n")
    assert [found.index_text for found in tree.leaves] == [
        "表 > Sheet1\n城市: 甲；人口: 1",
        "表 > Sheet1\n城市: 乙；人口: 2",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", " "])
def test_a_text_that_says_nothing_has_no_nodes(text: str) -> None:
    assert tree_of(text).nodes == ()
