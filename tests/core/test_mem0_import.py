"""What becomes of the memories that mem0 exports?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.core.memories import ADMIN, add, found, listed
from tests.core.stores import last
from yiku.core.transfer.arrivals import Received
from yiku.core.transfer.mem0 import import_mem0
from yiku.model.errors import InvalidInput
from yiku.ports import Ports

ENTRY: dict[str, Any] = {
    "id": "3c90c3cc-0d44-4b50-8888-8dd25736052a",
    "memory": "Likes tea",
    "user_id": "u1",
    "agent_id": "a",
    "app_id": "shop",
    "run_id": None,
    "hash": "x",
    "metadata": {"topic": "drinks", "user_id": "u1"},
    "categories": ["food"],
    "created_at": "2023-11-07T05:31:56-07:00",
    "updated_at": "2023-12-01T00:00:00Z",
}
"""As docs.mem0.ai shows one."""


async def bring(ports: Ports, document: object, into_user: str | None = None) -> Received:
    return await last(import_mem0(ports, ADMIN, document, into_user=into_user))


@pytest.mark.parametrize(
    "document",
    [
        [ENTRY],
        {"results": [ENTRY]},
        {"count": 1, "next": None, "results": [ENTRY]},
        {"results": [ENTRY], "relations": []},
    ],
)
async def test_a_memory_keeps_what_mem0_knew_of_it(ports: Ports, document: object) -> None:
    received = await bring(ports, document)
    assert (received.stored, received.embedded, received.complete) == (1, 1, True)
    [memory] = await listed(ports)
    assert memory.id == "m-3c90c3cc-0d44-4b50-8888-8dd25736052a"
    assert memory.text == "Likes tea"
    assert memory.created == datetime(2023, 11, 7, 12, 31, 56, tzinfo=UTC)
    assert memory.updated == datetime(2023, 12, 1, tzinfo=UTC)
    assert memory.metadata == {"topic": "drinks", "categories": ["food"], "app_id": "shop"}
    assert (memory.agent_ids, memory.run_ids) == (("a",), (None,))
    assert await found(ports, "tea") == ["Likes tea"]


async def test_importing_it_again_changes_nothing_even_without_ids(ports: Ports) -> None:
    entries = [ENTRY, {"memory": "Likes milk", "user_id": "u1"}, {"id": "no-uuid", "memory": "Runs", "user_id": "u1"}]
    assert (await bring(ports, entries)).stored == 3
    again = await bring(ports, entries)
    assert (again.stored, again.kept) == (0, 3)


async def test_what_mem0_remembered_is_recognised_when_it_is_said_again(ports: Ports) -> None:
    await bring(ports, [ENTRY | {"memory": "The user likes tea"}])
    assert (await add(ports, "I like tea")).decisions[0].kind == "NOOP"


async def test_two_entries_that_say_the_same_are_both_kept(ports: Ports) -> None:
    assert (await bring(ports, [ENTRY, ENTRY | {"id": None}])).stored == 2


async def test_one_page_of_several_is_said_to_be_cut(ports: Ports) -> None:
    assert not (await bring(ports, {"next": "https://api.example/?page=2", "results": [ENTRY]})).complete


async def test_memories_of_agents_alone_need_a_user_to_be_named(ports: Ports) -> None:
    entry = ENTRY | {"user_id": None}
    with pytest.raises(InvalidInput, match=r"Entry 2 .* it has no user_id: say whose it is with --into-user"):
        await bring(ports, [ENTRY | {"id": None}, entry])
    assert len(await listed(ports)) == 1
    await bring(ports, [entry], into_user="u9")
    assert len(await listed(ports, "u9")) == 1


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"memory": "x"}, "no mem0 export"),
        ("text", "no mem0 export"),
        (None, "no mem0 export"),
        ([5], "Entry 1 cannot be imported: it is no object"),
        ([ENTRY | {"memory": None}], "its memory is no text"),
        ([ENTRY | {"memory": "  "}], "its memory must not be empty"),
        ([ENTRY | {"memory": "\ud800"}], "not valid Unicode"),
        ([ENTRY | {"memory": "x" * 70_000}], "the limit is"),
        ([ENTRY | {"user_id": 5}], "its user_id is no text"),
        ([ENTRY | {"user_id": "*"}], "must name one user"),
        ([ENTRY | {"created_at": "yesterday"}], "its created_at is not a valid ISO 8601 date"),
        ([ENTRY | {"metadata": [1]}], "its metadata is no object"),
        ([ENTRY | {"metadata": {"a": float("nan")}}], "must be a finite number"),
    ],
)
async def test_what_cannot_be_taken_in_is_named(ports: Ports, document: object, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        await bring(ports, document)
    assert await listed(ports) == []
