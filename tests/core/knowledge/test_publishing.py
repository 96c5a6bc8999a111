"""A draft becomes current when somebody publishes it; which revision that is can be chosen, and taken back."""

from __future__ import annotations

import pytest

from tests.documents import ADMIN, BASE, ingest_all, new_base, upload
from yiku.core.knowledge.documents import get_document, require_document
from yiku.core.knowledge.publishing import archive_document, list_revisions, publish_document, read_revision
from yiku.core.knowledge.search import search_documents
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.errors import Conflict, NotFound
from yiku.model.knowledge import Document, DocumentState
from yiku.ports import Ports


async def draft(ports: Ports, text: str, item_id: str = "runbook") -> Document:
    return await upload(ports, text, id=item_id, title="Runbook", publishes_itself=False)


async def current(ports: Ports, item_id: str = "runbook") -> str | None:
    return (await require_document(ports, ADMIN, "kb", item_id))[1].current


async def finds(ports: Ports, text: str) -> bool:
    return bool((await search_documents(ports, ADMIN, "kb", text, top_k=5)).found)


async def test_a_draft_is_found_once_it_was_published(ports: Ports) -> None:
    await new_base(ports)
    item = await draft(ports, "how to rollback 回滚")
    assert (item.current, item.state) == (None, DocumentState.SUCCESS)
    assert not await finds(ports, "rollback")
    published = await publish_document(ports, ADMIN, "kb", item.id)
    assert published.state is DocumentState.PROCESSING
    await ingest_all(ports)
    assert await current(ports) == item.latest
    assert await finds(ports, "rollback") and await finds(ports, "回滚")


async def test_a_later_draft_waits_and_an_older_revision_can_be_published_again(ports: Ports) -> None:
    await new_base(ports)
    first, second = await draft(ports, "the first one"), await draft(ports, "the second one")
    for wanted, text in ((first, "first"), (second, "second"), (first, "first")):
        await publish_document(ports, ADMIN, "kb", "runbook", wanted.latest)
        await ingest_all(ports)
        assert await current(ports) == wanted.latest
        [hit] = (await search_documents(ports, ADMIN, "kb", text, top_k=5)).found
        assert text in hit.best.content
    revisions = (await list_revisions(ports, ADMIN, "kb", "runbook")).revisions
    assert [revision.id for revision in revisions] == [second.latest, first.latest]


async def test_publishing_what_is_published_changes_nothing(ports: Ports) -> None:
    await new_base(ports)
    item = await draft(ports, "text")
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    before = (await require_document(ports, ADMIN, "kb", item.id))[1]
    assert await publish_document(ports, ADMIN, "kb", item.id) == before


async def test_what_was_not_read_in_cannot_be_published(ports: Ports) -> None:
    await new_base(ports)
    waiting = await upload_document(
        ports, ADMIN, "kb", UploadDocument(content=b"text", name="a.md", publishes_itself=False)
    )
    with pytest.raises(Conflict):
        await publish_document(ports, ADMIN, "kb", waiting.id)
    await ingest_all(ports)
    await publish_document(ports, ADMIN, "kb", waiting.id)
    broken = await upload(ports, b"%PDF-1.7 broken", name="b.pdf", publishes_itself=False)
    assert broken.state is DocumentState.FAIL
    with pytest.raises(Conflict):
        await publish_document(ports, ADMIN, "kb", broken.id)


async def test_revisions_of_other_items_are_not_published_here(ports: Ports) -> None:
    await new_base(ports)
    await draft(ports, "one", "one")
    other = await draft(ports, "two", "two")
    for revision_id in (other.latest, "rev-none"):
        with pytest.raises(NotFound) as caught:
            await publish_document(ports, ADMIN, "kb", "one", revision_id)
        assert caught.value.field == "revision_id"


async def test_an_archived_item_stays_archived_until_it_is_published(ports: Ports) -> None:
    await new_base(ports)
    item = await draft(ports, "how to rollback")
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    await archive_document(ports, ADMIN, "kb", item.id)
    assert not await finds(ports, "rollback")
    await draft(ports, "how to undo")
    assert not await finds(ports, "rollback")
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    assert await finds(ports, "undo")
    assert (await archive_document(ports, ADMIN, "kb", item.id)).is_archived


async def test_an_archived_item_whose_current_revision_is_published_comes_back(ports: Ports) -> None:
    await new_base(ports)
    item = await draft(ports, "how to rollback")
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    await archive_document(ports, ADMIN, "kb", item.id)
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    assert await finds(ports, "rollback")


async def test_what_is_archived_while_it_is_read_in_stays_archived(ports: Ports) -> None:
    await new_base(ports)
    await upload_document(ports, ADMIN, BASE, UploadDocument(content=b"words", name="a.txt", id="d"))
    await archive_document(ports, ADMIN, BASE, "d")
    await ingest_all(ports)
    document = (await get_document(ports, ADMIN, BASE, "d")).document
    assert (document.is_archived, document.state) == (True, DocumentState.SUCCESS)
    assert (await search_documents(ports, ADMIN, BASE, "words", top_k=5)).found == ()


async def test_a_revision_that_was_never_published_is_not_read_by_its_id(ports: Ports) -> None:
    await new_base(ports)
    first = await upload(ports, "first words", id="d")
    draft = await upload(ports, "draft words", id="d", publishes_itself=False)
    third = await upload(ports, "third words", id="d")
    assert (await read_revision(ports, ADMIN, BASE, "d", first.latest))[2].id == first.latest
    assert (await read_revision(ports, ADMIN, BASE, "d", third.latest))[2].id == third.latest
    with pytest.raises(NotFound):
        await read_revision(ports, ADMIN, BASE, "d", draft.latest)
