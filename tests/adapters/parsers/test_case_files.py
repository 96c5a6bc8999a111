"""Each shared case file, through the parser as the server calls it: what its manifest expects, and the text rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.adapters.parsers.case_files import CASE_FILES, assert_well_formed, case_file
from tests.adapters.parsers.written_pdfs import refusal
from yiku.adapters.confined import Bounds, run_confined
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.parsers.framing import Question, document_of, question_bytes
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_MANIFEST = CASE_FILES / "MANIFEST.json"
CASES: list[dict[str, Any]] = json.loads(_MANIFEST.read_text(encoding="utf-8")) if _MANIFEST.exists() else []

REASONS = {
    "img_zh.jpeg": {"scan"},
    "pdf_bomb_giant.pdf": {"too_large"},
    "pdf_fuzzed.pdf": {"corrupt"},
    "pdf_merged_cells_table.pdf": {"scan"},  # Its page is one image; the manifest speaks of text that is not there.
    "pdf_mineru_small_ocr.pdf": {"scan"},
    "pdf_password.pdf": {"password"},
    "pdf_scan_rot90.pdf": {"scan"},
    "pdf_zh_image_text.pdf": {"scan"},
    "pptx_malformed.pptx": {"corrupt"},
    "truncated_docx_half.docx": {"corrupt"},
    "xlsx_empty.xlsx": {"empty"},
    "zero.docx": {"empty"},
    "zero.txt": {"empty"},
}
"""Files that may be refused (without OCR), and with which reason. `pdf_scan_en.pdf` is not among them: it does have a
text layer, which a scanner has left."""


def levels(document: ParsedDocument) -> list[int]:
    return [heading.level for heading in document.headings]


def titles(document: ParsedDocument) -> list[str]:
    return [heading.title for heading in document.headings]


def ideographs(document: ParsedDocument) -> int:
    return len(re.findall(r"[\u4e00-\u9fff]", document.text))


EXPECTED: dict[str, Callable[[ParsedDocument], bool]] = {
    "csv_gbk_quotes.csv": lambda found: found.encoding == "gb18030" and len(found.tables[0].rows) == 2,
    "csv_sjis.csv": lambda found: found.encoding == "shift_jis",
    "csv_inconsistent_header.csv": lambda found: bool(found.notices),
    "docx_handbook_872p.docx": lambda found: len(found.headings) == 294 and len(set(levels(found))) == 3,
    "docx_numbered_headings.docx": lambda found: len(found.headings) == 9,
    "epub_small.epub": lambda found: len(found.headings) == 2,
    "html_cp1252.html": lambda found: found.encoding == "cp1252",
    "html_gbk_meta.html": lambda found: found.encoding == "gb18030" and "script" not in found.text,
    "jsonl_ok.jsonl": lambda found: found.text.count("\n") == 49 and found.lines_are_rows,
    "one_line_2MB.txt": lambda found: "\n" not in found.text and bool(found.notices),
    "pdf_bad_xref.pdf": lambda found: "Hello" in found.text,
    "pdf_copy_protected.pdf": lambda found: len(found.text) > 5_000 and "1 Introduction" in titles(found),
    "pdf_en_2col_14p.pdf": lambda found: len(found.page_lines) == 14 and "3.2 Trace Trees" in titles(found),
    "pdf_en_contract.pdf": lambda found: {"1. DUTIES.", "16. SAFETY"} <= set(titles(found)),
    "pdf_en_headings.pdf": lambda found: len(found.headings) == 11 and set(levels(found)) == {1},
    "pdf_en_multicolumn_2p.pdf": lambda found: ("3.1 Overview", 2) in zip(titles(found), levels(found), strict=True),
    "pdf_ko_tables.pdf": lambda found: "홈플러스" in found.text,
    "pdf_outline_bookmarks.pdf": lambda found: (
        titles(found) == [f"{n + 1} {('Foo', 'Bar', 'Baz')[n % 3]}" for n in range(9)]
    ),
    "pdf_rtl.pdf": lambda found: "Python" in found.text,
    "pdf_scan_en.pdf": lambda found: found.read_by_ocr == (1,),
    "pdf_word365_tagged.pdf": lambda found: "| Ligne 1 | Alouette | Farfadet |" in found.text,
    "pdf_zh_duplicate_chars.pdf": lambda found: "教育经历" in found.text and "教教" not in found.text,
    "pdf_zh_nonembedded_font.pdf": lambda found: ideographs(found) == 207 and "关于红军作战的原则" in found.text,
    "txt_big5.txt": lambda found: found.encoding == "big5",
    "txt_utf16.txt": lambda found: found.encoding == "utf-16-le",
    "txt_utf16le_bom_crlf.txt": lambda found: found.encoding == "utf-16-le",
    "txt_utf8_bom.md": lambda found: titles(found) == ["标题"],
    "wrongext_docx_as.pdf": lambda found: found.format == "docx",
    "wrongext_pdf_as.docx": lambda found: found.format == "pdf",
    "zip_gbk_names.zip": lambda found: [m.name for m in found.members] == ["产品手册.txt", "子目录/说明.md"],
    "zip_mixed.zip": lambda found: len(found.members) == 7,
    "zip_traversal.zip": lambda found: (
        "../../evil.txt — not taken" in found.text and "/abs.txt — not taken" in found.text
    ),
}
"""What is known of a text beyond that there is one."""


@pytest.mark.skipif(not CASES, reason="the shared case files are not beside this checkout")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
async def test_a_case_file_is_read_as_its_manifest_expects(case: dict[str, Any]) -> None:
    name = case["file"]
    try:
        found = await ChildParser(ocr=False, timeout_s=20).parse(case_file(name), name=name)
    except DocumentUnreadable as problem:
        assert problem.reason in REASONS.get(name, set()), problem.message
        return
    assert not case["expect"].startswith("FAIL") or " SUCCESS" in case["expect"]
    assert_well_formed(found)
    assert EXPECTED.get(name, bool)(found)


@pytest.mark.skipif(not CASES, reason="the shared case files are not beside this checkout")
def test_the_tables_above_speak_of_files_that_are_there() -> None:
    assert REASONS.keys() | EXPECTED.keys() <= {case["file"] for case in CASES}


async def test_the_contents_of_a_chinese_report_follow_its_numbers_and_its_running_header_is_gone() -> None:
    found = await ChildParser(ocr=False).parse(case_file("pdf_zh_report_22p.pdf"), name="report.pdf")
    contents = list(zip(levels(found), titles(found), strict=True))
    assert [title for level, title in contents if level == 1 and title.startswith("第")] == [
        "第一节 重要提示",
        "第二节 公司基本情况",
        "第三节 重要事项",
        "第四节 财务报表",
    ]
    assert (2, "一、主要会计数据和财务指标") in contents and (3, "1、合并资产负债表") in contents
    assert max(len(title) for title in titles(found)) <= 60
    assert "东北电气发展股份有限公司 2018 年第一季度报告全文" not in found.text
    assert "| 营业收入（元） | 4,755,785.11 | 5,699,227.63 | -16.55% |" in found.text.split("\n")
    lines = found.text.split("\n")
    assert lines[found.page_lines[2] - 1] == "第二节 公司基本情况"


async def test_a_password_is_named_as_the_reason() -> None:
    problem = await refusal(case_file("pdf_password.pdf"), "locked.pdf")
    assert problem.reason == "password" and "save it without one" in problem.message


async def test_the_second_try_without_layout_still_has_the_text_and_the_headings_that_number_themselves() -> None:
    question = Question(
        content=case_file("pdf_zh_report_22p.pdf"),
        name="report.pdf",
        ocr=False,
        seconds=20,
        ocr_seconds=0,
        layout=False,
    )
    bounds = Bounds(wall_s=30, cpu_s=30, memory_bytes=2**31, answer_bytes_max=2**24)
    answer = await run_confined("yiku.adapters.parsers.child", question_bytes(question), bounds=bounds)
    found = document_of(answer)
    assert [title.split()[0] for title in titles(found)] == ["第一节", "第二节", "第三节", "第四节"]
    assert "营业收入（元） 4,755,785.11 5,699,227.63 -16.55%" in found.text and found.notices == ()
