"""A walk through a real report and a real handbook: do contents, sections, hits, patterns and lines read agree?"""

from __future__ import annotations

import re

import pytest

from tests.adapters.parsers.case_files import case_file
from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.knowledge.contents import document_contents, node_contents
from yiku.core.knowledge.reading import GrepDocument, grep_document, read_document_lines
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.model.knowledge import Node
from yiku.ports import Ports

SECTIONS_AT_ONCE = 200

WALKS = [
    ("pdf_zh_report_22p.pdf", "营业收入是多少", "营业收入", 20),
    ("docx_handbook_872p.docx", "Who audits a standing trustee?", "audit", 250),
]


async def lines_of(ports: Ports, document_id: str, node: Node) -> str:
    count = node.span.end_line - node.span.start_line + 1
    read = await read_document_lines(ports, ADMIN, BASE, document_id, offset=node.span.start_line, limit=count)
    assert read.start_line == node.span.start_line
    return read.content


@pytest.mark.parametrize(("name", "question", "word", "sections_min"), WALKS)
async def test_all_ways_into_a_real_document_agree_on_its_lines(
    ports: Ports, name: str, question: str, word: str, sections_min: int
) -> None:
    await new_base(ports)
    document = await upload(ports, case_file(name), name=name)
    contents = await document_contents(ports, ADMIN, BASE, document.id)
    assert len(contents.sections) >= sections_min
    for start in range(0, len(contents.sections), SECTIONS_AT_ONCE):
        some = contents.sections[start : start + SECTIONS_AT_ONCE]
        shown = await node_contents(ports, ADMIN, BASE, [section.id for section in some])
        assert [content.node for content in shown] == list(some)
        for content in shown:
            read, told = await lines_of(ports, document.id, content.node), content.content.rstrip("\n")
            assert read.startswith(told) if content.is_cut else read.rstrip("\n") == told
            # Its heading is in its first line, though a scanner or a table may have spaced it otherwise.
            assert content.node.title.split()[0] in read.split("\n")[0]
    await _hits_and_lines_agree(ports, document.id, question)
    await _matches_and_lines_agree(ports, document.id, word)


async def _hits_and_lines_agree(ports: Ports, document_id: str, question: str) -> None:
    answer = await search_nodes(ports, ADMIN, BASE, SearchNodes(text=question, top_k=10))
    assert len(answer.found) == 10
    for found in answer.found:
        assert found.hit.content.strip() in await lines_of(ports, document_id, found.hit.node)


async def _matches_and_lines_agree(ports: Ports, document_id: str, word: str) -> None:
    """Against the whole text, read line by line."""
    result = await grep_document(ports, ADMIN, BASE, document_id, GrepDocument(pattern=word, limit=1_000))
    text, offset = [], 1
    while True:
        read = await read_document_lines(ports, ADMIN, BASE, document_id, offset=offset, limit=1_000)
        text += read.content.split("\n")
        offset = read.end_line + 1
        if not read.has_more:
            break
    assert len(text) == read.total_lines
    expected = [number for number, line in enumerate(text, 1) if re.search(word, line)]
    assert [match.line_number for match in result.matches] == expected != []
    assert all(match.is_cut or match.line == text[match.line_number - 1] for match in result.matches)
