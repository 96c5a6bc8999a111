"""Do knowledge bases come back whole in another store, and does a file bring in nothing else?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.stores import contents, exported, imported
from tests.documents import ADMIN, BASE, ingest_all, new_base, open_documents, upload
from tests.engines import open_place
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.knowledge.bases import list_bases
from yiku.core.knowledge.contents import document_contents
from yiku.core.knowledge.documents import delete_document, get_document, list_documents
from yiku.core.knowledge.grep_lines import GrepResult
from yiku.core.knowledge.reading import GrepDocument, grep_document
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.core.knowledge.tables import list_tables
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.core.knowledge.veil import read_veil
from yiku.core.transfer.export import Export
from yiku.core.transfer.lines import content_of, line_of
from yiku.core.work import OF_DOCUMENTS, OF_VECTORS, run_jobs
from yiku.model.errors import InvalidInput
from yiku.model.knowledge import DocumentState
from yiku.model.scopes import base_partition
from yiku.ports import Ports

GUIDE = "# 使用指南\n介绍。\n## 权限\n在控制台配置权限。\n## Returns\nGoods can be returned within {days} days.\n"
PARTITION = base_partition("default", BASE)


@pytest.fixture
async def other(tmp_path: Path, ports: Ports) -> AsyncIterator[Ports]:
    """A second store, with nothing in it."""
    storage = await open_place(str(tmp_path / "other"), clock=ports.clock, limits=ports.limits)
    embedder = HashedEmbedder()
    async with open_documents(storage, ports.clock, embedder) as documents:
        yield replace(ports, storage=storage, documents=documents)
    await storage.close()


async def fill(ports: Ports) -> None:
    """Two bases with documents of one id, Chinese and English, a table, a second revision, one that failed."""
    await new_base(ports)
    await new_base(ports, "第二/库")
    await upload(ports, GUIDE.format(days=7), id="guide")
    await upload(ports, GUIDE.format(days=30), id="guide")
    await upload(ports, "item,price\n茶,3\ncoffee,4.5\n", name="prices.csv", id="prices")
    await upload(ports, b"", name="empty.txt", id="empty")
    await upload(ports, "另一本书。", id="guide", base_id="第二/库")


async def found(ports: Ports, text: str, base: str = BASE) -> list[tuple[str, str]]:
    answer = await search_nodes(ports, ADMIN, base, SearchNodes(text=text, top_k=9))
    return sorted((one.hit.node.id, one.hit.content) for one in answer.found)


async def grepped(ports: Ports) -> GrepResult:
    return await grep_document(ports, ADMIN, BASE, "guide", GrepDocument(pattern="days|权限"))


@pytest.mark.parametrize("with_vectors", [False, True])
async def test_bases_come_back_with_nodes_texts_tables_and_originals(
    ports: Ports, other: Ports, with_vectors: bool
) -> None:
    await fill(ports)
    before = await contents(ports)
    received = await imported(other, await exported(ports, Export(with_vectors=with_vectors)))
    assert (received.complete, received.documents, received.embedded == 0) == (True, 0, with_vectors)
    veils = [record for record in before if record["kind"] == "veil"]
    assert [veil["body"] for veil in veils] == [{"hidden": []}]
    assert await contents(other) == [record for record in before if record["kind"] != "veil"]
    assert await list_bases(other, ADMIN) == await list_bases(ports, ADMIN)
    assert await found(other, "权限 returned") == await found(ports, "权限 returned") != []
    assert await found(other, "书", "第二/库") == await found(ports, "书", "第二/库") != []
    assert await grepped(other) == await grepped(ports)
    there, here = [await document_contents(one, ADMIN, BASE, "guide") for one in (other, ports)]
    assert there.sections == here.sections
    theirs, ours = [await list_tables(one, ADMIN, BASE) for one in (other, ports)]
    assert [named.table for named in theirs] == [named.table for named in ours] != []
    for document in (await list_documents(ports, ADMIN, BASE)).documents:
        original = await ports.for_documents.objects.get(PARTITION, document.latest)
        assert await other.for_documents.objects.get(PARTITION, document.latest) == original is not None
    assert await ingest_all(other) == 0


async def test_an_import_that_was_cut_anywhere_is_finished_by_running_it_again(ports: Ports, other: Ports) -> None:
    await fill(ports)
    lines = await exported(ports)
    whole = [record for record in await contents(ports) if record["kind"] != "veil"]
    for cut in range(1, len(lines), 3):
        await imported(other, lines[:cut])
        await ingest_all(other)
    await imported(other, lines)
    await ingest_all(other)
    assert [record for record in await contents(other) if record["kind"] != "veil"] == whole
    assert (await read_veil(other, PARTITION)).hidden == frozenset()
    assert await found(other, "权限 returned") == await found(ports, "权限 returned")


@pytest.mark.parametrize("steps", range(5))
async def test_what_was_half_read_in_is_read_in_where_it_arrives(ports: Ports, other: Ports, steps: int) -> None:
    await new_base(ports)
    await upload(ports, GUIDE.format(days=7), id="guide")
    new = UploadDocument(content=GUIDE.format(days=30).encode(), name="notes.md", id="guide")
    await upload_document(ports, ADMIN, BASE, new)
    await upload_document(ports, ADMIN, BASE, replace(new, id="fresh"))
    for _ in range(steps):
        await run_jobs(ports, await ports.storage.claim((*OF_DOCUMENTS, *OF_VECTORS), lease_s=60, limit=1))
    await imported(other, await exported(ports))
    for one in (ports, other):
        await ingest_all(one)
        for document_id in ("guide", "fresh"):
            document = (await get_document(one, ADMIN, BASE, document_id)).document
            assert (document.state, document.current) == (DocumentState.SUCCESS, document.latest)
        assert (await read_veil(one, PARTITION)).hidden == frozenset()
    assert await found(other, "权限 returned") == await found(ports, "权限 returned")
    assert not any("7 days" in content for _, content in await found(other, "Goods can be returned within days"))


async def test_what_was_half_deleted_is_gone_where_it_arrives(ports: Ports, other: Ports) -> None:
    await new_base(ports)
    await upload(ports, GUIDE.format(days=7), id="guide")
    await delete_document(ports, ADMIN, BASE, "guide")
    await imported(other, await exported(ports))
    assert await found(other, "权限") == []
    await ingest_all(other)
    left = await other.storage.scan(PARTITION)
    assert {change.ref.kind for change in left if change.record is not None} == {"veil"}


async def test_a_document_of_which_other_revisions_are_here_stays_as_it_is(ports: Ports, other: Ports) -> None:
    await new_base(ports)
    await upload(ports, GUIDE.format(days=7), id="guide")
    lines = await exported(ports)
    await imported(other, lines)
    await upload(other, GUIDE.format(days=30), id="guide")
    before = await found(other, "Goods can be returned within days")
    received = await imported(other, lines)
    await ingest_all(other)
    assert received.documents == 0
    assert await found(other, "Goods can be returned within days") == before
    assert not any("7 days" in content for _, content in before)


async def test_another_base_of_the_same_id_stays_as_it_is(ports: Ports, other: Ports) -> None:
    await fill(ports)
    await new_base(other)
    await upload(other, "Something else altogether.", id="own")
    before = await found(other, "days else")
    received = await imported(other, await exported(ports))
    assert received.kept > 10
    assert [document.id for document in (await list_documents(other, ADMIN, BASE)).documents] == ["own"]
    assert await found(other, "days else") == before
    assert (await list_documents(other, ADMIN, "第二/库")).count == 1


async def test_the_export_of_one_user_goes_into_a_user_and_that_of_a_base_does_not(ports: Ports, other: Ports) -> None:
    await fill(ports)
    with pytest.raises(InvalidInput, match=r"Line 2 .*--into-user"):
        await imported(other, await exported(ports), into_user="somebody")


BAD: list[tuple[str, dict[str, Any]]] = [
    ("knowledge-base", {"name": ""}),
    ("knowledge-base", {"is_active": 1}),
    ("document", {"state": "READY"}),
    ("document", {"title": 5}),
    ("document", {"progress": 101}),
    ("document", {"unknown": 1}),
    ("document", {"is_archived": True}),
    ("revision", {"part_lines": [1, "2"]}),
    ("revision", {"part_starts": [0, 5]}),
    ("revision", {"headings": [[1, 1]]}),
    ("revision", {"document_id": "other"}),
    ("text", {"text": None}),
    ("node", {"span": [1, 2, 3]}),
    ("node", {"span": [9, 2, 0, 1, None, None]}),
    ("node", {"path": [1]}),
    ("table", {"columns": ["a", "a"]}),
    ("table", {"rows": [[1]]}),
    ("table", {"rows": [[[], 1]]}),
    ("original", {"parts": -1}),
    ("original-part", {"base64": "?"}),
    ("veil", {"hidden": [5]}),
]


async def test_a_record_that_none_of_ours_could_be_is_named(ports: Ports, other: Ports) -> None:
    await fill(ports)
    lines = await exported(ports)
    by_kind = {content["kind"]: content for _, content in map(content_of, lines[1:-1])}
    for kind, change in BAD:
        record = by_kind[kind]
        bad = line_of("record", record | {"body": record["body"] | change})
        with pytest.raises(InvalidInput, match=r"Line 2 cannot be imported"):
            await imported(other, [lines[0], bad])
        assert await contents(other) == [], (kind, change)
    assert (await imported(other, lines)).complete
