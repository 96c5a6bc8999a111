"""Scans and images: read where the extra is there and wanted, refused with what to install where not."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import case_file
from tests.adapters.parsers.written_pdfs import refusal
from yiku.adapters.parsers import images, pdf
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.parsers.recognition import INSTALL, Recogniser, lines_of
from yiku.model.errors import DocumentUnreadable

with_models = pytest.mark.skipif(not Recogniser.is_installed(), reason="the extra yiku[ocr] is not installed")


@pytest.mark.parametrize("name", ["pdf_scan_rot90.pdf", "pdf_mineru_small_ocr.pdf", "img_zh.jpeg"])
async def test_without_ocr_a_scan_is_refused_with_what_to_install(name: str) -> None:
    problem = await refusal(case_file(name), name)
    assert problem.reason == "scan" and INSTALL in problem.message


async def test_the_refusal_counts_the_pages_that_are_images() -> None:
    assert "8 of 8 pages are images" in (await refusal(case_file("pdf_mineru_small_ocr.pdf"), "scan.pdf")).message


async def test_the_layer_that_a_scanner_has_left_is_read_and_marked() -> None:
    found = await ChildParser(ocr=False).parse(case_file("pdf_scan_en.pdf"), name="scan.pdf")
    assert "STATE UNIVERSITIES ANNUITANTS ASSOCIATION" in found.text
    assert found.read_by_ocr == (1,) and "read by the scanner" in found.notices[0]


@with_models
async def test_a_rotated_scan_is_read_and_its_page_marked() -> None:
    found = await ChildParser().parse(case_file("pdf_scan_rot90.pdf"), name="scan.pdf")
    assert "JSON and Markdown" in found.text
    assert found.read_by_ocr == (1,) and found.page_lines == (1,)


@with_models
async def test_a_picture_of_chinese_is_read() -> None:
    found = await ChildParser().parse(case_file("img_zh.jpeg"), name="img.jpeg")
    assert "肌肤" in found.text and found.format == "image" and found.read_by_ocr == (1,)


class OutOfTime(Recogniser):
    def has_time(self) -> bool:
        return False


def test_a_scan_for_which_there_was_no_time_is_not_called_empty() -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        pdf.read(case_file("pdf_mineru_small_ocr.pdf"), "scan.pdf", recogniser=OutOfTime(seconds=1))
    assert refused.value.reason == "too_slow" and "8 of 8 pages" in refused.value.message


@with_models
def test_an_image_that_is_cut_off_is_corrupt_and_a_giant_one_too_large() -> None:
    from PIL import Image  # Only with the extra.

    small, giant = io.BytesIO(), io.BytesIO()
    Image.effect_noise((90, 90), 50).save(small, "PNG")
    Image.new("1", (20_000, 20_000)).save(giant, "PNG")
    for content, reason in ((small.getvalue()[:2_000], "corrupt"), (giant.getvalue(), "too_large")):
        with pytest.raises(DocumentUnreadable) as refused:
            images.read(content, "a.png", recogniser=Recogniser(seconds=10))
        assert refused.value.reason == reason


def box(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def test_pieces_side_by_side_are_one_line_and_columns_are_not() -> None:
    pieces = [
        (box(0, 0, 40, 10), "品名"),
        (box(50, 1, 90, 11), "数量"),
        (box(300, 0, 340, 10), "another column"),
        (box(0, 20, 40, 30), "苹果"),
    ]
    assert lines_of(pieces) == ["品名 数量", "another column", "苹果"]


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500), st.text(max_size=5)), max_size=20))
def test_no_piece_is_lost(places: list[tuple[int, int, str]]) -> None:
    pieces = [(box(x, y, x + 30, y + 10), text) for x, y, text in places]
    said = "".join("".join(lines_of(pieces)).split())
    assert said == "".join("".join(lines_of([piece])) for piece in pieces).replace(" ", "")
