"""Is a base whole: each document with the nodes that its text makes, once, and nothing that belongs to nobody?"""

from __future__ import annotations

from collections import Counter

from tests.documents import ADMIN
from yiku.core.knowledge.documents import get_document, list_documents
from yiku.core.knowledge.nodes import nodes_of
from yiku.core.knowledge.records import NODE, NODE_FIELD, REVISION, TABLE, TEXT, revision_of
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.core.knowledge.veil import read_veil
from yiku.model.knowledge import Document, DocumentState, NodeKind, Outline
from yiku.model.records import Record
from yiku.model.scopes import base_partition
from yiku.ports import Ports

EVERYTHING = 10**5


async def _all(ports: Ports, base: str, kind: str) -> list[Record]:
    """With their vectors."""
    changes = await ports.storage.scan(base_partition("default", base), limit=EVERYTHING)
    return [change.record for change in changes if change.record is not None and change.record.kind == kind]


async def assert_nothing_waits(ports: Ports, base: str) -> None:
    partition = base_partition("default", base)
    assert [job for job in await ports.storage.jobs() if job.partition == partition] == []
    assert (await read_veil(ports, partition)).hidden == frozenset()


async def assert_documents_are_whole(ports: Ports, base: str) -> None:
    page = await list_documents(ports, ADMIN, base, page_size=10)
    assert page.count == len(page.documents) > 0
    for document in page.documents:
        assert (document.state, document.progress, document.failure) == (DocumentState.SUCCESS, 100, None)
        assert document.current == document.latest
    current = {str(document.current): document for document in page.documents}
    revisions = {record.id for record in await _all(ports, base, REVISION)}
    expected: Counter[str] = Counter()
    for revision_id, document in current.items():
        assert await ports.for_documents.objects.get(base_partition("default", base), revision_id) is not None
        expected += await _expected_nodes(ports, base, document)
    nodes = await _all(ports, base, NODE)
    assert Counter(str(node.fields[NODE_FIELD]) for node in nodes) == expected
    assert {node.fields["revision"] for node in nodes} <= current.keys()
    assert all((node.embedding is None) == (node.fields["kind"] == NodeKind.SECTION.value) for node in nodes)
    for kind in (TEXT, TABLE):
        assert {record.fields["revision"] for record in await _all(ports, base, kind)} <= revisions


async def _expected_nodes(ports: Ports, base: str, document: Document) -> Counter[str]:
    """Those that its text makes, each once; found too, the last of them."""
    whole = await get_document(ports, ADMIN, base, document.id)
    [record] = await ports.storage.get(base_partition("default", base), REVISION, [document.latest])
    revision = revision_of(record)
    assert revision.was_published
    assert len(whole.content) == revision.characters > 0
    outline = Outline(revision.title, revision.headings, revision.page_lines, revision.lines_are_rows)
    tree = nodes_of(document.id, outline, whole.content)
    asked = tree.leaves[-1].content
    found = await search_nodes(ports, ADMIN, base, SearchNodes(text=asked, top_k=3))
    assert asked in [one.hit.content for one in found.found]
    return Counter(node.id for node in tree.nodes)


async def assert_nothing_is_left(ports: Ports, base: str) -> None:
    left = await ports.storage.scan(base_partition("default", base), limit=EVERYTHING)
    assert {change.ref.kind for change in left if change.record is not None} <= {"veil"}
