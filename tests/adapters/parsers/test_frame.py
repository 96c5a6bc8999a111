"""A file is read in a process of its own: what it answers is checked, and what it costs is bounded."""

from __future__ import annotations

import asyncio
import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.parsers.written_pdfs import refusal, written_pdf
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.parsers.framing import (
    Malformed,
    Question,
    document_bytes,
    document_of,
    question_bytes,
    question_of,
    unreadable_bytes,
)
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Heading, Member, ParsedDocument, ParsedTable

LONG = written_pdf([[f"Line {line} of page {page}" for line in range(30)] for page in range(1_500)])
"""Takes seconds to read."""

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1).filter(str.strip)


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def children() -> list[int]:
    """Confined processes that this one has started and that are still there; other tests have a database server."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == os.getpid() and b"confined_child" in _command(status.parent):
            found.append(int(status.parent.name))
    return found


async def test_a_file_that_takes_too_long_is_refused_as_too_slow() -> None:
    problem = await refusal(LONG, "long.pdf", parser=ChildParser(ocr=False, timeout_s=0.02))
    assert problem.reason == "too_slow" and "0.02 seconds" in problem.message
    assert children() == []


async def test_a_file_that_takes_too_much_memory_is_refused_as_too_large() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("long.txt", b"a line like any other\n" * 3_000_000)
    problem = await refusal(packed.getvalue(), "a.zip", parser=ChildParser(ocr=False, memory_bytes=160 * 1024 * 1024))
    assert problem.reason == "too_large" and "160 MB" in problem.message


async def test_cancelling_kills_the_process() -> None:
    parser = ChildParser(ocr=False)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await parser.parse(LONG, name="long.pdf")
    assert children() == []


async def test_closing_kills_what_still_runs_and_may_be_done_twice() -> None:
    parser = ChildParser(ocr=False)
    reading = asyncio.create_task(parser.parse(LONG, name="long.pdf"))
    waiting = asyncio.create_task(parser.parse(LONG, name="long.pdf"))
    while not children():
        await asyncio.wait({reading}, timeout=0.01)
    await parser.close()
    await parser.close()
    ended = await asyncio.gather(reading, waiting, return_exceptions=True)
    assert [type(end) for end in ended] == [asyncio.CancelledError] * 2
    assert children() == []


async def test_at_most_so_many_processes_run_at_once() -> None:
    parser = ChildParser(ocr=False, processes=2)
    small = written_pdf([["Only a few words on this page"]])
    reading = asyncio.gather(*(parser.parse(small, name="small.pdf") for _ in range(6)))
    most = 0
    while not reading.done():
        most = max(most, len(children()))
        await asyncio.wait({reading}, timeout=0.005)
    assert len(await reading) == 6
    assert 1 <= most <= 2


async def test_one_bad_file_takes_nothing_from_the_next_and_says_nothing_in_our_log(
    capfd: pytest.CaptureFixture[str],
) -> None:
    parser = ChildParser(ocr=False)
    assert (await refusal(b"%PDF-1.4 and nothing more", "bad.pdf", parser=parser)).reason == "corrupt"
    assert (await parser.parse(written_pdf([["Good words"]]), name="good.pdf")).text == "Good words"
    assert capfd.readouterr() == ("", "")


def test_a_question_arrives_as_it_was_sent() -> None:
    question = Question(
        content=b"\n\0\xff{}\n", name="产品\n手册.pdf", ocr=True, seconds=1.5, ocr_seconds=2, layout=False
    )
    assert question_of(question_bytes(question)) == question


@settings(max_examples=60)
@given(
    st.lists(WORDS, min_size=1, max_size=5),
    st.lists(st.binary(max_size=40), max_size=3),
    st.lists(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), WORDS), max_size=4),
)
def test_whatever_a_reader_may_return_arrives_unchanged(
    lines: list[str], contents: list[bytes], cells: list[str | int | float | None]
) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    document = ParsedDocument(
        format="text",
        text="\n".join(lines),
        title=lines[0],
        headings=tuple(Heading(number, 1, line.strip()) for number, line in enumerate(lines, 1)),
        page_lines=(1, len(lines)),
        lines_are_rows=True,
        tables=(ParsedTable("表", ("列",), tuple((cell,) for cell in cells)),),
        members=tuple(Member(f"目录/{number}", content) for number, content in enumerate(contents)),
        encoding="gb18030",
        read_by_ocr=(2,),
        notices=("读到一半。",),
    )
    assert document_of(document_bytes(document)) == document


def test_a_refusal_arrives_with_its_reason() -> None:
    with pytest.raises(DocumentUnreadable, match="locked") as refused:
        document_of(unreadable_bytes(DocumentUnreadable("locked", reason="password")))
    assert refused.value.reason == "password"


GOOD = {
    "format": "text",
    "text_bytes": 5,
    "title": None,
    "headings": [[1, 1, "a"]],
    "page_lines": [1, 2],
    "lines_are_rows": False,
    "tables": [{"name": "t", "columns": ["a", "b"], "rows": [[1, "x"]]}],
    "members": [["m", 2]],
    "encoding": None,
    "read_by_ocr": [],
    "notices": [],
}


def answered(content: bytes = b"a\nb c\1\2", **changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode() + b"\n" + content


def test_the_answer_that_the_bad_ones_are_made_of_is_good() -> None:
    assert document_of(answered()).members == (Member("m", b"\1\2"),)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not json\n",
        b"[" * 100_000 + b"\n",
        b"[1]\n",
        b'{"unreadable": ["because", "x"]}\n',
        b'{"unreadable": ["scan"]}\n',
        answered(b"a\rb c\1\2"),
        answered(b"a\0b c\1\2"),
        answered(b"a\nb\xff\1\2\3"),
        answered(b"  \n  \1\2"),
        answered(text_bytes=-1),
        answered(text_bytes=True),
        answered(text_bytes=500),
        answered(format=""),
        answered(headings=[[3, 1, "beyond the text"]]),
        answered(headings=[[2, 1, "b"], [1, 1, "a"]]),
        answered(headings=[[1, 1, "a"], [1, 2, "a again"]]),
        answered(headings=[[1, 0, "a"]]),
        answered(headings=[[1, 1, "a\nb"]]),
        answered(headings=[[1, 1, "\ud800"]]),
        answered(page_lines=[2, 1]),
        answered(page_lines=[0]),
        answered(tables=[{"name": "t", "columns": ["a", "a"], "rows": []}]),
        answered(tables=[{"name": "t", "columns": ["a", "b"], "rows": [[1]]}]),
        answered(tables=[{"name": "t", "columns": ["a"], "rows": [[{"x": 1}]]}]),
        answered(tables=[{"name": "t", "columns": ["a"], "rows": [[True]]}]),
        answered(members=[["../m", 2]]),
        answered(members=[["/m", 2]]),
        answered(members=[["m", 1]]),
        answered(members=[["m", 3]]),
        answered(notices=["fine", 7]),
    ],
)
def test_an_answer_that_breaks_the_agreement_is_not_believed(answer: bytes) -> None:
    with pytest.raises(Malformed):
        document_of(answer)
