"""Items are read piece by piece, and pinned to a revision where one is named."""

from __future__ import annotations

from dataclasses import replace

from tests.documents import ADMIN, new_base, upload

from .conftest import open_door
from .requirements import proves

TEXT = ("第一行。\nThe second line.\n" * 30).rstrip()


@proves("read:text", "read:owner")
async def test_a_piece_comes_with_where_it_stands_and_whose_it_is(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        item = await upload(door.ports, TEXT, name="notes.txt", title="笔记")
        piece = await door.call(knowledge_item_id=item.id, offset=5, limit_chars=17)
        owner = piece.pop("owner_id")
        assert door.key.startswith(f"yk_{owner}_")
        assert piece == {
            "type": "knowledge",
            "team_id": "default",
            "scope": "team",
            "knowledge_base_id": "kb",
            "knowledge_item_id": item.id,
            "knowledge_revision_id": item.current,
            "title": "笔记",
            "content": "The second line.\n",
            "locator": "line 2",
            "source": "notes.txt",
            "reference": f"knowledge://kb/{item.id}/{item.current}#L2-L2",
            "content_offset": 5,
            "content_limit": 17,
            "content_total_chars": len(TEXT),
            "content_truncated": True,
        }


@proves("read:owner")
async def test_the_owner_is_the_user_that_the_key_is_bound_to(place: str) -> None:
    bound = replace(ADMIN, permissions=frozenset({"knowledge:read"}), user_id="周")
    async with open_door(place, anonymous=bound) as door:
        await new_base(door.ports)
        item = await upload(door.ports, "text")
        assert (await door.call(knowledge_item_id=item.id))["owner_id"] == "周"


@proves("read:pieces")
async def test_pieces_joined_are_the_whole_text(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        item = await upload(door.ports, TEXT, name="notes.txt")
        joined, truncated = "", True
        while truncated:
            piece = await door.call(knowledge_item_id=item.id, offset=len(joined), limit_chars=101)
            joined, truncated = joined + piece["content"], piece["content_truncated"]
        assert joined == TEXT
        beyond = await door.call(knowledge_item_id=item.id, offset=10**12)
        assert (beyond["content"], beyond["content_truncated"]) == ("", False)


@proves("read:revision")
async def test_an_older_revision_stays_as_it_was(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        first = await upload(door.ports, "用 rollback 回滚", id="runbook")
        second = await upload(door.ports, "用 undo 撤销", id="runbook")
        current = await door.call(knowledge_item_id="runbook")
        assert (current["knowledge_revision_id"], current["content"]) == (second.current, "用 undo 撤销")
        older = await door.call(knowledge_item_id="runbook", knowledge_revision_id=first.current)
        assert (older["knowledge_revision_id"], older["content"]) == (first.current, "用 rollback 回滚")


@proves("read:base")
async def test_the_base_is_checked_against_the_item(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports, "one")
        await new_base(door.ports, "two")
        item = await upload(door.ports, "text", base_id="one")
        assert (await door.call(knowledge_item_id=item.id, knowledge_base_id="one"))["content"] == "text"
        refused = await door.refused(knowledge_item_id=item.id, knowledge_base_id="two")
        assert refused["code"] == "knowledge_resource_unavailable"


@proves("read:same-id")
async def test_an_id_that_two_bases_have_needs_the_base(place: str) -> None:
    async with open_door(place) as door:
        for base_id in ("one", "two"):
            await new_base(door.ports, base_id)
            await upload(door.ports, f"of {base_id}", base_id=base_id, id="readme")
        refused = await door.refused(knowledge_item_id="readme")
        assert (refused["code"], refused["details"]) == ("knowledge_invalid_request", {"field": "knowledge_base_id"})
        assert (await door.call(knowledge_item_id="readme", knowledge_base_id="two"))["content"] == "of two"
