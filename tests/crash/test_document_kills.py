"""Is every document whole, and nothing left over, wherever in its reading in the process was killed?"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections import Counter

import pytest

from tests.crash import reading
from tests.crash.reading import DIED_ACTING, DIED_WORKING, DONE, GUIDE, LaterClock, act, opened, prepare
from tests.documents import ADMIN, ingest_all, new_base
from yiku.core.knowledge.bases import list_bases
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
STRIDE = int(os.environ.get("YIKU_STAGE_STRIDE", "1"))
STAGES_MIN = {"a base deleted": 2}

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.crash.reading"])
"""Each of many processes begins with everything imported."""


def _killed_at(place: str, scene: str, base: str, fatal: int) -> int:
    """How the process ended that was to die at this change."""
    process = _FORKS.Process(target=reading.live, args=(place, scene, base, fatal))
    process.start()
    process.join()
    assert process.exitcode in (DONE, DIED_ACTING, DIED_WORKING)
    return process.exitcode


async def _all(ports: Ports, base: str, kind: str) -> list[Record]:
    """With their vectors."""
    changes = await ports.storage.scan(base_partition("default", base), limit=EVERYTHING)
    return [change.record for change in changes if change.record is not None and change.record.kind == kind]


async def _assert_nothing_waits(ports: Ports, base: str) -> None:
    partition = base_partition("default", base)
    assert [job for job in await ports.storage.jobs() if job.partition == partition] == []
    assert (await read_veil(ports, partition)).hidden == frozenset()


async def _assert_documents_are_whole(ports: Ports, base: str) -> None:
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
    assert revision.is_indexed
    assert len(whole.content) == revision.characters > 0
    outline = Outline(revision.title, revision.headings, revision.page_lines, revision.lines_are_rows)
    tree = nodes_of(document.id, outline, whole.content)
    asked = tree.leaves[-1].content
    found = await search_nodes(ports, ADMIN, base, SearchNodes(text=asked, top_k=3))
    assert asked in [one.hit.content for one in found.found]
    return Counter(node.id for node in tree.nodes)


async def _assert_nothing_is_left(ports: Ports, base: str) -> None:
    left = await ports.storage.scan(base_partition("default", base), limit=EVERYTHING)
    assert {change.ref.kind for change in left if change.record is not None} <= {"veil"}


async def _assert_is_good(ports: Ports, scene: str, base: str) -> None:
    if scene == "a base deleted":
        assert base not in [summary.base.id for summary in (await list_bases(ports, ADMIN, page_size=1000)).bases]
        await new_base(ports, base)
    await _assert_nothing_waits(ports, base)
    if scene in ("a deletion", "a base deleted"):
        await _assert_nothing_is_left(ports, base)
    else:
        await _assert_documents_are_whole(ports, base)


async def _go_on(place: str, scene: str, base: str, code: int) -> None:
    """As the next start does; whoever got no answer asks again."""
    async with opened(place, LaterClock()) as ports:
        if code == DIED_ACTING:
            await act(ports, scene, base)
        await ingest_all(ports)
        await _assert_is_good(ports, scene, base)


async def _prepared(place: str, scene: str, base: str) -> None:
    async with opened(place, LaterClock()) as ports:
        await prepare(ports, scene, base)


@pytest.mark.parametrize("scene", reading.SCENES)
@pytest.mark.timeout(300)
def test_a_process_that_is_killed_at_any_commit_leaves_documents_whole(place: str, scene: str) -> None:
    code, fatal = DIED_ACTING, 0
    while code != DONE:
        fatal += 1
        base = f"kb-{fatal}"
        asyncio.run(_prepared(place, scene, base))
        code = _killed_at(place, scene, base, fatal)
        asyncio.run(_go_on(place, scene, base, code))
    print("STAGES", scene, fatal)
    assert fatal > STAGES_MIN.get(scene, 5)
