"""Contents, nodes, lines and patterns of one document speak of the same lines."""

from __future__ import annotations

import pytest

from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.knowledge.contents import document_contents, node_contents
from yiku.core.knowledge.reading import GrepDocument, grep_document, read_document_lines
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.core.knowledge.tables import ask_tables, list_tables
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.knowledge import Expansion
from yiku.ports import Ports

HANDBOOK = "# 手册\n\n开头。\n\n## 退货\n\n七天内可以退货。\n\n## Refunds\n\nRefunds take 3 days.\nAsk by mail.\n"


async def lines(ports: Ports, document_id: str, offset: int, limit: int) -> str:
    return (await read_document_lines(ports, ADMIN, BASE, document_id, offset=offset, limit=limit)).content


async def test_contents_search_sections_patterns_and_lines_agree(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, HANDBOOK)
    contents = await document_contents(ports, ADMIN, BASE, document.id)
    assert [(node.title, node.level) for node in contents.sections] == [("手册", 1), ("退货", 2), ("Refunds", 2)]
    found = (await search_nodes(ports, ADMIN, BASE, SearchNodes(text="refunds by mail", top_k=1))).found[0].hit
    hit = (await grep_document(ports, ADMIN, BASE, document.id, GrepDocument(pattern="by mail"))).matches[0]
    span = found.node.span
    assert span.start_line <= hit.line_number <= span.end_line
    assert await lines(ports, document.id, hit.line_number, 1) == hit.line == "Ask by mail."
    passage = await lines(ports, document.id, span.start_line, span.end_line - span.start_line + 1)
    assert passage.strip() == found.content.strip()
    section = contents.sections[2]
    (whole,) = await node_contents(ports, ADMIN, BASE, [section.id])
    count = section.span.end_line - section.span.start_line + 1
    assert whole.content.rstrip("\n") == await lines(ports, document.id, section.span.start_line, count)


async def test_a_section_is_shown_instead_of_its_passage_where_that_is_wanted(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, HANDBOOK)
    query = SearchNodes(text="七天内退货", top_k=1, expansion=Expansion.BEST_PARENT)
    answer = await search_nodes(ports, ADMIN, BASE, query)
    assert answer.applied is Expansion.BEST_PARENT
    assert answer.found[0].hit.content.startswith("## 退货")


@pytest.mark.parametrize("offset", [0, -1])
async def test_lines_are_counted_from_one(ports: Ports, offset: int) -> None:
    await new_base(ports)
    document = await upload(ports, HANDBOOK)
    with pytest.raises(InvalidInput) as caught:
        await lines(ports, document.id, offset, 5)
    assert caught.value.field == "offset"


async def test_past_the_end_there_is_nothing_and_the_answer_says_how_many_lines_there_are(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, "\n".join(f"line {number}" for number in range(1, 11)), name="a.txt")
    read = await read_document_lines(ports, ADMIN, BASE, document.id, offset=11, limit=5)
    assert (read.content, read.total_lines, read.has_more) == ("", 10, False)
    assert await lines(ports, document.id, 5, 1) == "line 5"


async def test_a_long_text_is_read_and_searched_across_its_parts(ports: Ports) -> None:
    await new_base(ports)
    text = "".join(f"{number} 行 {'x' * 90}\n" for number in range(1, 5_001))
    document = await upload(ports, text, name="long.txt")
    found = await grep_document(ports, ADMIN, BASE, document.id, GrepDocument(pattern=r"^\d+00 行", limit=1_000))
    assert [match.line_number for match in found.matches] == list(range(100, 5_001, 100))
    assert (await lines(ports, document.id, 4_999, 10)).split("\n") == text.split("\n")[4_998:5_000]
    assert (await lines(ports, document.id, 1_050, 20)).split("\n") == text.split("\n")[1_049:1_069]


async def test_what_is_unknown_is_left_out_of_nodes_and_an_error_for_a_document(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, HANDBOOK)
    assert await node_contents(ports, ADMIN, BASE, ["node-0000000000000000"]) == []
    with pytest.raises(InvalidInput):
        await node_contents(ports, ADMIN, BASE, [])
    with pytest.raises(NotFound) as caught:
        await lines(ports, "doc-unknown", 1, 1)
    assert caught.value.field == "doc_id"


async def test_sheets_are_asked_by_sql(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "产品,数量\n耳机,12\n音箱,30\n", name="库存.csv")
    await upload(ports, "产品,数量\n键盘,7\n", name="库存.csv", id="second")
    names = [named.table.name for named in await list_tables(ports, ADMIN, BASE)]
    assert len(set(names)) == 2
    answer = await ask_tables(ports, ADMIN, BASE, f'SELECT sum("数量") FROM "{names[0]}" WHERE "数量" > 9')
    assert answer.rows == ((42,),)
    with pytest.raises(InvalidInput) as caught:
        await ask_tables(ports, ADMIN, BASE, f'DELETE FROM "{names[0]}"')
    assert caught.value.field == "sql"


async def test_lines_far_down_a_long_text_are_all_read(ports: Ports) -> None:
    await new_base(ports)
    text = [f"{number} 第{number}行 " + "x" * 90 for number in range(1, 3_001)]
    document = await upload(ports, "\n".join(text), name="long.txt")
    for offset in (1, 500, 1_100, 1_900, 2_600):
        assert await lines(ports, document.id, offset, 400) == "\n".join(text[offset - 1 : offset + 399])
