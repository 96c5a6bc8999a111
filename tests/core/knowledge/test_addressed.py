"""Items are read piece by piece: the current revision or an older one, and nothing that is not published."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.documents import ADMIN, ingest_all, new_base, upload
from yiku.core.knowledge.addressed import Piece, ReadPublished, read_any_revision, read_published
from yiku.core.knowledge.bases import archive_base
from yiku.core.knowledge.publishing import archive_document, publish_document
from yiku.core.knowledge.texts import PART_CHARACTERS
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.errors import InvalidInput, NotFound, PermissionDenied
from yiku.ports import Ports


async def read(ports: Ports, item_id: str, **given: object) -> Piece:
    return await read_published(ports, ADMIN, ReadPublished(item_id=item_id, **given))  # type: ignore[arg-type]


async def test_pieces_joined_are_the_text_and_know_their_lines(ports: Ports) -> None:
    await new_base(ports)
    text = "".join(f"第 {number} 行,line {number}\n" for number in range(1, 40))
    item = await upload(ports, text, name="lines.txt")
    whole = await read(ports, item.id)
    assert (whole.first_line, whole.last_line, whole.is_cut) == (1, 39, False)
    pieces, offset = [], 0
    while not pieces or pieces[-1].is_cut:
        pieces.append(await read(ports, item.id, offset=offset, limit=37))
        offset += len(pieces[-1].content)
    assert "".join(piece.content for piece in pieces) == whole.content
    for piece in pieces:
        assert piece.first_line == 1 + whole.content.count("\n", 0, piece.offset)
        assert f"{piece.first_line}"[0] in "123456789"
    beyond = await read(ports, item.id, offset=10**9)
    assert (beyond.content, beyond.is_cut) == ("", False)


async def test_a_piece_across_the_parts_of_a_long_text_is_read_whole(ports: Ports) -> None:
    await new_base(ports)
    line = "a sentence of some length, over and over again\n"
    item = await upload(ports, line * (2 * PART_CHARACTERS // len(line)), name="long.txt")
    piece = await read(ports, item.id, offset=PART_CHARACTERS - 100, limit=10_000)
    assert len(piece.content) == 10_000
    assert piece.first_line == 1 + (PART_CHARACTERS - 100) // len(line)
    assert (line * 300)[(PART_CHARACTERS - 100) % len(line) :].startswith(piece.content)


async def test_an_older_revision_is_read_by_its_id_and_the_current_one_without(ports: Ports) -> None:
    await new_base(ports)
    first = await upload(ports, "用 rollback 回滚", id="runbook")
    second = await upload(ports, "用 undo 撤销", id="runbook")
    assert (await read(ports, "runbook")).content == "用 undo 撤销"
    assert (await read(ports, "runbook", revision_id=first.latest)).content == "用 rollback 回滚"
    assert (await read(ports, "runbook", revision_id=second.latest)).content == "用 undo 撤销"
    with pytest.raises(NotFound):
        await read(ports, "runbook", revision_id="rev-none")


async def test_drafts_and_what_is_archived_cannot_be_read(ports: Ports) -> None:
    await new_base(ports)
    draft = await upload(ports, "a draft", publishes_itself=False)
    item = await upload(ports, "an item")
    for call in (read(ports, draft.id), read(ports, draft.id, revision_id=draft.latest), read(ports, "none")):
        with pytest.raises(NotFound):
            await call
    await archive_document(ports, ADMIN, "kb", item.id)
    with pytest.raises(NotFound):
        await read(ports, item.id)
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    assert (await read(ports, item.id)).content == "an item"
    await archive_base(ports, ADMIN, "kb")
    with pytest.raises(NotFound):
        await read(ports, item.id)


async def test_an_id_that_stands_for_items_of_two_bases_needs_the_base(ports: Ports) -> None:
    for base_id in ("one", "two"):
        await new_base(ports, base_id)
        await upload(ports, f"of {base_id}", id="readme", base_id=base_id)
    with pytest.raises(InvalidInput) as caught:
        await read(ports, "readme")
    assert caught.value.field == "kb_id"
    assert (await read(ports, "readme", base_id="two")).content == "of two"
    await archive_document(ports, ADMIN, "one", "readme")
    assert (await read(ports, "readme")).content == "of two"


async def test_the_base_that_is_named_is_the_one_it_must_be_in(ports: Ports) -> None:
    await new_base(ports, "one")
    await new_base(ports, "two")
    item = await upload(ports, "of one", base_id="one")
    with pytest.raises(NotFound):
        await read(ports, item.id, base_id="two")


async def test_items_of_another_workspace_do_not_exist(ports: Ports) -> None:
    await new_base(ports)
    item = await upload(ports, "ours")
    theirs = replace(ADMIN, workspace="theirs")
    for base_id in (None, "kb"):
        with pytest.raises(NotFound):
            await read_published(ports, theirs, ReadPublished(item_id=item.id, base_id=base_id))
    with pytest.raises(PermissionDenied):
        await read_published(ports, replace(ADMIN, permissions=frozenset()), ReadPublished(item_id=item.id))


async def test_whoever_writes_reads_drafts_and_what_is_not_in_yet_is_empty(ports: Ports) -> None:
    await new_base(ports)
    waiting = await upload_document(
        ports, ADMIN, "kb", UploadDocument(content="草稿".encode(), name="d.md", publishes_itself=False)
    )
    piece = await read_any_revision(ports, ADMIN, "kb", waiting.id, waiting.latest)
    assert (piece.content, piece.is_cut, piece.revision.has_text) == ("", False, False)
    await ingest_all(ports)
    assert (await read_any_revision(ports, ADMIN, "kb", waiting.id, waiting.latest, limit=1)).content == "草"
