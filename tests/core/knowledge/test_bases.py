"""Bases are made, archived and deleted, and belong to one workspace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.knowledge.bases import NewBase, archive_base, create_base, delete_base, get_base, list_bases
from yiku.core.knowledge.contents import document_contents
from yiku.core.knowledge.search import search_documents
from yiku.model.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from yiku.model.scopes import base_partition
from yiku.ports import Ports

OTHERS = replace(ADMIN, workspace="theirs")


async def test_a_base_gets_an_id_unless_it_brings_one(ports: Ports) -> None:
    made = await create_base(ports, ADMIN, NewBase(name="手册"))
    brought = await create_base(ports, ADMIN, NewBase(name="Handbook", id="my base/1"))
    assert made.id.startswith("kb-")
    assert [summary.base.id for summary in (await list_bases(ports, ADMIN)).bases] == [made.id, brought.id]


async def test_an_id_is_given_once_a_workspace(ports: Ports) -> None:
    await new_base(ports)
    with pytest.raises(Conflict):
        await new_base(ports)
    await new_base(ports, principal=OTHERS)


async def test_what_is_in_a_base_of_another_workspace_is_never_found(ports: Ports) -> None:
    await new_base(ports)
    await new_base(ports, principal=OTHERS)
    await upload(ports, "our secret plan")
    assert (await search_documents(ports, OTHERS, BASE, "secret plan", top_k=5)).found == ()
    assert (await search_documents(ports, ADMIN, BASE, "secret plan", top_k=5)).found != ()


async def test_an_archived_base_looks_like_none(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, "words")
    await archive_base(ports, ADMIN, BASE)
    for call in (get_base(ports, ADMIN, BASE), document_contents(ports, ADMIN, BASE, document.id)):
        with pytest.raises(NotFound) as caught:
            await call
        assert caught.value.field == "kb_id"
    assert not (await list_bases(ports, ADMIN)).bases[0].base.is_active


async def test_a_deleted_base_is_gone_with_all_that_was_in_it_and_its_id_is_free(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "words")
    assert await delete_base(ports, ADMIN, BASE) == 1
    assert await ports.storage.scan(base_partition("default", BASE)) == []
    await new_base(ports)
    assert (await search_documents(ports, ADMIN, BASE, "words", top_k=5)).found == ()


@pytest.mark.parametrize("new", [{"name": " "}, {"name": "a", "id": "*"}, {"name": "a", "id": "x" * 300}])
def test_names_and_ids_must_say_something(new: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        NewBase(**new)


async def test_reading_and_writing_are_two_permissions(ports: Ports) -> None:
    reader = replace(ADMIN, permissions=frozenset({"knowledge:read"}))
    await new_base(ports)
    await list_bases(ports, reader)
    with pytest.raises(PermissionDenied):
        await new_base(ports, "other", reader)
    with pytest.raises(PermissionDenied):
        await list_bases(ports, replace(ADMIN, permissions=frozenset({"memory:read"})))
