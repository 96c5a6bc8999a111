"""Are leaves passages that a person would have cut out, and is nothing lost between them?"""

from __future__ import annotations

from pathlib import Path

import pytest

from yiku.core.knowledge.cuts import CLOSING, sizes_of
from yiku.core.knowledge.leaves import LEAF_SIZE, Leaf, leaves_of, leaves_of_rows
from yiku.core.knowledge.lines import lines_of

FILES = Path(__file__).parents[4] / "shared" / "cases" / "files"


def leaves(text: str, target: float = LEAF_SIZE, *, rows: bool = False) -> list[Leaf]:
    """The leaves of a text, after looking at what must be true of any."""
    lines, sizes = lines_of(text), sizes_of(text)
    found = (leaves_of_rows if rows else leaves_of)(lines, sizes, 1, lines.count, target=target)
    assert "".join(text[leaf.start : leaf.end] for leaf in found) == text
    assert all(text[leaf.start : leaf.end].strip() for leaf in found)
    assert all(sizes.between(leaf.start, leaf.end) <= target * 5 / 4 for leaf in found)
    return found


def contents(text: str, target: float = LEAF_SIZE, *, rows: bool = False) -> list[str]:
    return [text[leaf.start : leaf.end] for leaf in leaves(text, target, rows=rows)]


def test_small_paragraphs_share_a_leaf() -> None:
    text = "短段落一。\n\n短段落二。\n\nA short third one.\n"
    assert contents(text) == [text]


def test_a_leaf_ends_where_a_paragraph_ends() -> None:
    one, two, three = "甲" * 50 + "。\n\n", "乙" * 40 + "。\n \n\n", "丙" * 60 + "。"
    assert contents(one + two + three, 100) == [one + two, three]


def test_a_long_paragraph_is_cut_behind_its_sentences() -> None:
    text = "他说：“今天很好。”她说：“明天更好！”" + "然后他们走了很远的路；" * 8
    first, *_ = contents(text, 40)
    assert first.endswith("走了很远的路；")
    assert contents("She said: “It is late.” And he went home at once. " * 6, 60)[0].endswith("home at once. ")


def test_closing_marks_stay_with_what_they_close() -> None:
    text = "甲乙丙丁戊己庚辛。”）" * 12
    assert all(piece.endswith("。”）") for piece in contents(text, 25))
    assert all(
        piece[0] not in CLOSING | {" "} for n in range(20, 40) for piece in contents("甲乙丙丁戊己庚 ）" * 12, n)
    )
    quoted = '他走了。"你好吗，我的朋友。"她说。' * 8
    assert all(not piece.startswith('"她') for piece in contents(quoted, 30))


def test_a_full_stop_that_ends_no_sentence_is_no_place_to_cut() -> None:
    text = "Pi (cf. our tables) has the value 3.14159 and e that of 2.71828 in all that we have printed here. " * 3
    assert all(piece.endswith("here. ") for piece in contents(text, 50))


def test_lines_that_were_only_wrapped_are_cut_where_the_sentence_ends() -> None:
    text = "公司董事会保证季度报告内容的真\n实准确完整。不存在虚假记载和误\n导性陈述或者重大遗漏并承担责\n任。\n"
    assert contents(text, 30)[0].endswith("完整。")
    listed = "Rice: two cups\nBeans: one cup\nSalt: a pinch of it. Not more\nWater: enough\n" * 2
    assert all(piece.endswith("\n") for piece in contents(listed, 40))


def test_text_without_a_boundary_is_cut_between_characters() -> None:
    assert [len(piece) for piece in contents("字" * 250, 100)] == [100, 100, 50]
    assert len(contents("QWxhZGRpbjpv" * 100, 100)) == 5


@pytest.mark.parametrize("sequence", ["e\u0301\u0323", "👩\u200d👩\u200d👧", "👍🏽", "नि", "か\u3099", "好。》"])
def test_a_character_that_is_written_as_several_is_not_divided(sequence: str) -> None:
    for target in range(20, 30):
        assert all(piece.startswith(sequence[0]) for piece in contents(sequence * 60, target))


def test_a_short_end_joins_the_leaf_before_it() -> None:
    text = "一二三四五六七八九。" * 10 + "\n\n完。"
    assert contents(text, 100) == [text]
    for lengths in ((100, 40), (60, 60)):
        apart = "\n\n".join("一二三四五六七八九。" * (length // 10) for length in lengths)
        assert [len(piece.strip()) for piece in contents(apart, 100)] == list(lengths)


def test_blank_lines_are_no_leaf() -> None:
    assert leaves_of(lines_of("\n \n\n"), sizes_of("\n \n\n"), 1, 3) == []
    assert contents("\n\n内容。\n\n\n\n") == ["\n\n内容。\n\n\n\n"]
    assert len(contents("甲" * 100 + "\n" * 500, 100)) == 1


def test_faults_of_other_splitters_do_not_happen() -> None:
    """Delimiters ignored or eaten, leaves that begin with one (dify 34341, 22046, 7929, 17560)."""
    text = "中文测试文档\n\n默认分段1。\n\n默认分段2" + "。还有更多的内容在这里" * 5
    assert all(piece[0] not in CLOSING for target in range(20, 60) for piece in contents(text, target))


def test_a_line_of_two_megabytes_gives_leaves_within_the_limit() -> None:
    if not FILES.exists():
        pytest.skip("the shared case files are not here")
    text = (FILES / "one_line_2MB.txt").read_bytes().decode("utf-8", "replace")
    assert len(contents(text)) > 1_000


TABLE = "| 城市 | 人口（万） |\n|---|--:|\n" + "".join(f"| 第{n}城 | {n * 13} |\n" for n in range(30))


def test_a_table_that_fits_is_kept_whole() -> None:
    small = "| 城市 | 人口 |\n|---|---|\n| 甲 | 12 |\n| 乙 | 34 |\n"
    text = "引言在这里说明一切，说得很长很长。" * 4 + "\n\n表一：人口。\n\n" + small + "\n后记。\n"
    holding = [piece for piece in contents(text, 90) if "|" in piece]
    assert len(holding) == 1
    assert small in holding[0]
    announced = "人口如下表：\n" + small + "\n" + "后记说了许多话。" * 10
    assert contents(announced, 30)[0] == "人口如下表：\n" + small + "\n"


def test_a_row_that_fits_is_kept_whole_however_little_stands_before_it() -> None:
    rows = ["| 一 |\n", "| " + "，甲" * 49 + " |\n", "| 二 |\n", "| " + "，乙" * 49 + " |\n"]
    assert contents("".join(rows), 100) == rows
    assert contents("引言。\n" + "".join(rows[1:]), 100) == ["引言。\n", *rows[1:]]


def test_a_table_that_does_not_fit_is_cut_between_rows_and_each_part_knows_its_columns() -> None:
    text = "各城人口如下。\n\n" + TABLE + "\n以上。\n"
    first, *others = leaves(text, 120)
    assert first.context == ""
    assert text[first.start :].startswith("各城人口如下")
    assert len(others) > 1
    for leaf in others:
        assert text[leaf.start] == "|"
        assert leaf.context == "各城人口如下。\n| 城市 | 人口（万） |"
    for leaf in others[:-1]:
        with_context = text[leaf.start : leaf.end] + leaf.context
        assert sizes_of(with_context).between(0, len(with_context)) <= 120


def test_a_table_whose_caption_went_to_another_leaf_brings_it_as_context() -> None:
    text = "前文说了许多与此无关的事情。" * 6 + "\n表二列出各城的人口，单位为万人：\n" + TABLE[:120] + "\n"
    table = next(leaf for leaf in leaves(text, 110) if text[leaf.start] == "|")
    assert table.context == "表二列出各城的人口，单位为万人："


def test_a_table_without_a_rule_takes_its_first_row_for_the_names() -> None:
    text = "".join(f"| row {n} | value |\n" for n in range(40))
    assert {leaf.context for leaf in leaves(text, 60)[1:]} == {"| row 0 | value |"}


def test_names_of_columns_may_take_two_lines() -> None:
    text = "| 城市 | 人口 |\n| 名 | 万 |\n|:--|--:|\n" + "| 甲 | 1 |\n" * 40
    assert {leaf.context for leaf in leaves(text, 60)[1:]} == {"| 城市 | 人口 |\n| 名 | 万 |"}


def test_names_of_columns_that_are_longer_than_a_leaf_are_cut() -> None:
    text = "| " + "很长的列名" * 100 + " |\n|---|\n" + "| 值 |\n" * 100
    found = leaves(text, 100)
    assert all(sizes_of(leaf.context).between(0, len(leaf.context)) <= 25 for leaf in found)


def test_fenced_code_is_cut_at_line_ends_only() -> None:
    code = "```python\n" + "".join(f"value_{n} = compute(a, b); print(value)\n\n" for n in range(30)) + "```\n"
    text = "Before. It is said here.\n\n" + code + "\nAfter.\n"
    pieces = contents(text, 80)
    assert len(pieces) > 5
    assert all(piece.endswith("\n") for piece in pieces)
    assert all(not piece.startswith("\n") for piece in pieces)


def test_code_is_cut_at_its_blank_lines_first() -> None:
    code = "```\n" + "def one(): return 1\ncall(one)\n\ndef two(): return 2\ncall(two)\ncall(one)\n\n" * 5 + "```\n"
    assert all(piece.startswith(("def", "```")) for piece in contents(code, 40))


def test_code_that_fits_is_kept_whole_before_a_text_without_pauses() -> None:
    code = "```\n" + "aa bb\n" * 4 + "\n" + "cc dd\n" * 4 + "```\n"
    assert contents(code + "字" * 200, 30)[0] == code


@pytest.mark.parametrize("inside", ["```\n", "~~~~\n"])
def test_a_fence_is_closed_by_as_many_signs_of_its_own_kind(inside: str) -> None:
    code = "````\n" + inside + "alpha beta. Gamma delta\n" * 30 + "````\n"
    assert all(piece.endswith("\n") for piece in contents(code, 30))
    after = contents(code + "一句话。" * 20, 30)
    assert any(piece.endswith("一句话。") and "`" not in piece for piece in after)


def test_a_line_of_code_over_the_limit_is_cut_further() -> None:
    pieces = contents("```\n" + "x = 1; " * 200 + "\n```\n", 60)
    assert len(pieces) > 5
    assert all(piece.endswith("; ") for piece in pieces[1:-1])


def test_rows_are_leaves_of_their_own() -> None:
    text = "\n城市: 甲；人口: 12\n城市: 乙；人口: 34\n\n)\nname: c; value: 5"
    assert contents(text, rows=True) == ["\n城市: 甲；人口: 12\n", "城市: 乙；人口: 34\n\n", ")\n", "name: c; value: 5"]


def test_a_row_over_the_limit_is_cut_further() -> None:
    pieces = contents("短: 1\n" + "列: 一个值；" * 30 + "\n短: 2\n", 50, rows=True)
    assert pieces[0] == "短: 1\n"
    assert pieces[-1] == "短: 2\n"
    assert all(piece.rstrip().endswith("；") for piece in pieces[1:-1])


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 100_000 + "b",
        "```\n" * 40_000,
        "|" + "-" * 100_000 + "x\n|a|",
        "t\n\n|a|\n\n" * 20_000,
        "a" + "\u0301" * 100_000,
        "。" * 100_000,
        '"' * 100_000,
        ("\n" + " " * 1_000) * 100 + "x",
    ],
    ids=["blanks", "fences", "rule", "tables", "accents", "stops", "quotes", "blank lines"],
)
def test_hostile_texts_are_cut_like_any_other(text: str) -> None:
    assert leaves(text)
