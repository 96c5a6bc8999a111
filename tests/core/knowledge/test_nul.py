"""What becomes of NUL characters in a file? No engine can hold one, so they are left out, and the document says so."""

from __future__ import annotations

import pytest

from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.knowledge.documents import get_document
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.model.knowledge import DocumentState
from yiku.ports import Ports

FILES = {
    "说明.txt": "七天\0内可以退货。\nGoods can be re\0turned.\n",
    "guide.md": "# 退\0货\n\n七天内可以退货。\n\nGoods can be returned.\n" + "\0",
    "list.csv": "what,退\0货\nGoods,can be\0 returned\n",
    "one.json": '{"退\0货": "七天"}',
    "page.html": "<html><body><h1>Re\0turns</h1><p>七天内可以退\0货。 Goods can be returned.</p></body></html>",
}


@pytest.mark.parametrize("kind", ["txt", "md", "csv", "json", "html"])
async def test_a_file_with_nul_characters_is_read_without_them_and_says_so(ports: Ports, kind: str) -> None:
    (name,) = (name for name in FILES if name.endswith(kind))
    await new_base(ports)
    document = await upload(ports, FILES[name], name=name)
    assert document.state is DocumentState.SUCCESS, document.failure
    whole = await get_document(ports, ADMIN, BASE, document.id)
    assert "\0" not in whole.content + document.title
    assert "退货" in whole.content
    assert whole.revision is not None
    assert any("NUL" in notice for notice in whole.revision.notices)
    answer = await search_nodes(ports, ADMIN, BASE, SearchNodes(text="退货", top_k=1))
    assert "退货" in answer.found[0].hit.content


@pytest.mark.parametrize("content", [b"\x7fELF\0\0" + b"text " * 200, b"words \0\0 and more words " * 9])
async def test_nul_characters_in_runs_are_those_of_another_kind_of_file(ports: Ports, content: bytes) -> None:
    await new_base(ports)
    document = await upload(ports, content, name="words.txt")
    assert document.failure is not None
    assert document.failure.code == "unsupported"


async def test_a_file_without_them_says_nothing_about_them(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, "七天内可以退货。\n" * 9 + "\x07", name="说明.txt")
    whole = await get_document(ports, ADMIN, BASE, document.id)
    assert whole.revision is not None
    assert whole.revision.notices == ()
