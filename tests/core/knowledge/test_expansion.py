"""Which sections are shown for the leaves that were found, and what of them?"""

from __future__ import annotations

from tests.core.knowledge.test_nodes import tree_of
from yiku.core.knowledge.expansion import Grouping, expanded, grouped
from yiku.core.knowledge.nodes import NodeTree
from yiku.model.knowledge import Expansion, NodeHit, NodeKind

BOOK = """# 第一章
章首。
## 1.1
### 1.1.1
甲。
### 1.1.2
乙。
## 1.2
丙。
## 1.3
丁。
# 第二章
戊。
"""


def hits_of(tree: NodeTree, **scores: float) -> list[NodeHit]:
    """The leaves that say these words."""
    leaves = {leaf.content.strip("。\n"): leaf for leaf in tree.leaves}
    return [NodeHit(node=leaves[words].node, content=leaves[words].content, score=s) for words, s in scores.items()]


def grouping_of(tree: NodeTree, hits: list[NodeHit], wanted: Expansion, format: str = "markdown") -> Grouping:
    sections = {node.id: node for node in tree.nodes if node.kind is NodeKind.SECTION}
    formats = {node.document_id: format for node in tree.nodes}
    return grouped(hits, wanted, sections=sections, formats=formats)


def shown(text: str, wanted: Expansion, budget: int = 1_000, **scores: float) -> list[NodeHit]:
    tree = tree_of(text)
    groups = grouping_of(tree, hits_of(tree, **scores), wanted).groups
    reaches = {group.node.id: group.reach(budget) for group in groups if group.is_section}
    texts = {node_id: text[start:end] for node_id, (start, end) in reaches.items()}
    return list(expanded(groups, texts, budget=budget))


def summary(hits: list[NodeHit]) -> list[tuple[str, float, int]]:
    return [(hit.node.title, hit.score, len(hit.matched_ids)) for hit in hits]


def test_without_expansion_leaves_stay_what_they_are() -> None:
    found = shown(BOOK, Expansion.NONE, 甲=0.5, 乙=0.9)
    assert [(hit.content, hit.score) for hit in found] == [("甲。\n", 0.5), ("乙。\n", 0.9)]
    assert [hit.matched_ids for hit in found] == [(hit.node.id,) for hit in found]


def test_the_best_parent_has_the_score_of_its_best_leaf_and_comes_once() -> None:
    text = "# A\n" + "甲" * 350 + "\n\n" + "乙" * 350 + "\n# B\n丙\n"
    tree = tree_of(text)
    first, second, third = (leaf.node for leaf in tree.leaves)
    hits = [NodeHit(node=node, content="", score=score) for node, score in ((third, 0.6), (first, 0.3), (second, 0.8))]
    groups = grouping_of(tree, hits, Expansion.BEST_PARENT).groups
    assert [(group.node.title, group.best.score) for group in groups] == [("A", 0.8), ("B", 0.6)]
    assert [hit.node for hit in groups[0].hits] == [second, first]


def test_the_best_parent_shows_its_heading_and_its_subsections() -> None:
    (found,) = shown(BOOK, Expansion.BEST_PARENT, 章首=0.5)
    assert found.content == BOOK[: BOOK.index("# 第二章")]
    assert found.node.kind is NodeKind.SECTION


def test_a_leaf_without_a_section_stays_itself() -> None:
    for wanted in (Expansion.BEST_PARENT, Expansion.SHARED):
        (found,) = shown("只有一段。\n", wanted, 只有一段=0.4)
        assert (found.content, found.matched_ids) == ("只有一段。\n", (found.node.id,))
        assert found.node.kind is NodeKind.LEAF


def test_hits_from_records_alone_are_not_expanded() -> None:
    tree = tree_of(BOOK)
    hits = hits_of(tree, 甲=0.5, 乙=0.4)
    assert grouping_of(tree, hits, Expansion.BEST_PARENT, "jsonl").applied is Expansion.NONE
    assert grouping_of(tree, hits, Expansion.BEST_PARENT, "markdown").applied is Expansion.BEST_PARENT
    assert grouping_of(tree, hits, Expansion.SHARED).applied is Expansion.SHARED
    assert grouping_of(tree, [], Expansion.BEST_PARENT).applied is Expansion.BEST_PARENT


def test_records_among_other_documents_stay_as_they_are() -> None:
    tree = tree_of(BOOK)
    hits = hits_of(tree, 甲=0.5)
    row = tree_of("行。\n", document_id="doc-rows").leaves[0]
    hits.append(NodeHit(node=row.node, content=row.content, score=0.9))
    sections = {node.id: node for node in tree.nodes if node.kind is NodeKind.SECTION}
    grouping = grouped(
        hits, Expansion.BEST_PARENT, sections=sections, formats={"doc-1": "markdown", "doc-rows": "jsonl"}
    )
    assert grouping.applied is Expansion.BEST_PARENT
    assert [group.is_section for group in grouping.groups] == [False, True]


def test_two_hits_give_way_to_the_smallest_section_that_holds_both() -> None:
    found = shown(BOOK, Expansion.SHARED, 甲=0.5, 乙=0.7, 戊=0.6)
    assert summary(found) == [("1.1", 0.7, 2), ("第二章", 0.6, 1)]
    assert found[0].content == BOOK[BOOK.index("## 1.1") : BOOK.index("## 1.2")]
    assert found[1].node.kind is NodeKind.LEAF


def test_a_single_hit_beside_a_group_stays_alone() -> None:
    assert summary(shown(BOOK, Expansion.SHARED, 甲=0.5, 乙=0.7, 丙=0.9)) == [("1.2", 0.9, 1), ("1.1", 0.7, 2)]


def test_a_section_takes_over_the_groups_inside_it() -> None:
    """Else one answer would hold another."""
    assert summary(shown(BOOK, Expansion.SHARED, 甲=0.5, 乙=0.7, 丙=0.9, 丁=0.1)) == [("第一章", 0.9, 4)]


def test_hits_are_never_replaced_by_the_whole_document() -> None:
    assert summary(shown(BOOK, Expansion.SHARED, 甲=0.5, 戊=0.4)) == [("1.1.1", 0.5, 1), ("第二章", 0.4, 1)]
    one_title = "# 书\n## 一\n甲。\n## 二\n乙。\n"
    assert summary(shown(one_title, Expansion.SHARED, 甲=0.5, 乙=0.4)) == [("一", 0.5, 1), ("二", 0.4, 1)]


def test_hits_of_different_documents_have_no_section_in_common() -> None:
    one, other = tree_of(BOOK), tree_of(BOOK, document_id="doc-2")
    hits = [*hits_of(one, 甲=0.5), *hits_of(other, 乙=0.7)]
    sections = {node.id: node for tree in (one, other) for node in tree.nodes if node.kind is NodeKind.SECTION}
    groups = grouped(hits, Expansion.SHARED, sections=sections, formats={}).groups
    assert [group.is_section for group in groups] == [False, False]


LONG = "# 长\n" + "".join(f"第{n}行说了一些话。\n" for n in range(400)) + "# 末\n完。\n"


def test_of_a_long_section_whole_lines_around_the_best_leaf_are_shown() -> None:
    tree = tree_of(LONG)
    middle = tree.leaves[len(tree.leaves) // 2]
    for budget in range(len(middle.content), 2_000, 37):
        groups = grouping_of(
            tree, [NodeHit(node=middle.node, content=middle.content, score=1.0)], Expansion.BEST_PARENT
        ).groups
        start, end = groups[0].reach(budget)
        (found,) = expanded(groups, {groups[0].node.id: LONG[start:end]}, budget=budget)
        assert middle.content in found.content
        assert budget - 30 <= len(found.content) <= budget or len(found.content) == len(middle.content)
        assert found.content.startswith("第")
        assert found.content.endswith("。\n")
    before, after = found.content.split(middle.content)
    assert abs(len(before) - len(after)) < 30


def test_what_one_side_of_the_best_leaf_leaves_over_goes_to_the_other() -> None:
    tree = tree_of(LONG)
    for leaf, begins, ends in ((tree.leaves[0], True, False), (tree.leaves[-2], False, True)):
        hit = NodeHit(node=leaf.node, content=leaf.content, score=1.0)
        groups = grouping_of(tree, [hit], Expansion.BEST_PARENT).groups
        start, end = groups[0].reach(1_500)
        (found,) = expanded(groups, {groups[0].node.id: LONG[start:end]}, budget=1_500)
        assert len(found.content) > 1_450
        assert found.content.startswith("# 长\n") is begins
        assert found.content.endswith("第399行说了一些话。\n") is ends


def test_the_best_leaf_is_shown_whole_even_if_the_budget_is_smaller() -> None:
    tree = tree_of(LONG)
    leaf = tree.leaves[3]
    groups = grouping_of(tree, [NodeHit(node=leaf.node, content=leaf.content, score=1.0)], Expansion.BEST_PARENT).groups
    start, end = groups[0].reach(10)
    assert expanded(groups, {groups[0].node.id: LONG[start:end]}, budget=10)[0].content == leaf.content
