"""What becomes of documents about which several things happen at the same moment?"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from tests.documents import ADMIN, BASE, ingest_all, new_base, upload
from tests.wholeness import assert_documents_are_whole, assert_nothing_is_left, assert_nothing_waits
from yiku.adapters.clocks import ManualClock
from yiku.core.knowledge.bases import delete_base
from yiku.core.knowledge.documents import delete_document, get_document, list_documents
from yiku.core.knowledge.publishing import publish_document
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.errors import NotFound
from yiku.model.knowledge import Document
from yiku.model.records import Changes
from yiku.ports import Ports, Storage

Deed = Callable[[Ports], Awaitable[object]]

WORKERS = 3
COMMITS = (1, 3, 6, 10)
"""Of the workers and of others, after which a deed is done: so it meets them at another place each time."""


class CountedStorage:
    """A storage that says when so many commits were made."""

    def __init__(self, storage: Storage, commits: int) -> None:
        self._storage = storage
        self._left = commits
        self.reached = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def commit(self, changes: Changes) -> None:
        await self._storage.commit(changes)
        self._left -= 1
        if self._left == 0:
            self.reached.set()


def text_of(number: int) -> bytes:
    return "".join(f"# 第{part}章 of {number}\n权限 rule {number}-{part}.\n" for part in range(30)).encode()


def bring(ports: Ports, number: int, *, id: str, base: str = BASE, publishes: bool = True) -> Awaitable[Document]:
    new = UploadDocument(content=text_of(number), name="guide.md", id=id, publishes_itself=publishes)
    return upload_document(ports, ADMIN, base, new)


async def work_beside(
    ports: Ports, clock: ManualClock, *begins: Awaitable[object], then: Deed | None = None, commits: int = 1
) -> None:
    """Workers do what waits and what begins with them, and one more deed comes after so many commits; to the end."""
    counted = CountedStorage(ports.storage, commits)
    beside = replace(ports, storage=cast(Storage, counted))

    async def work() -> None:
        try:
            await asyncio.gather(*begins, *(ingest_all(beside) for _ in range(WORKERS)))
        finally:
            counted.reached.set()

    async def do() -> None:
        await counted.reached.wait()
        if then is not None:
            await then(ports)

    await asyncio.gather(work(), do())
    while await ports.storage.jobs():
        # Past what backs off, and past the lease of what a worker could not end.
        clock.advance(120)
        await ingest_all(ports)


async def test_documents_uploaded_at_once_are_all_read_in(ports: Ports, clock: ManualClock) -> None:
    await new_base(ports)
    await work_beside(ports, clock, *(bring(ports, number, id=f"d{number}") for number in range(8)))
    assert (await list_documents(ports, ADMIN, BASE)).count == 8
    await assert_nothing_waits(ports, BASE)
    await assert_documents_are_whole(ports, BASE)


async def test_of_two_uploads_of_one_document_at_once_one_is_in_force(ports: Ports, clock: ManualClock) -> None:
    await new_base(ports)
    await work_beside(ports, clock, bring(ports, 100, id="d"), bring(ports, 101, id="d"))
    for commits in COMMITS:
        later = partial(bring, number=2 * commits + 1, id="d")
        await work_beside(ports, clock, bring(ports, 2 * commits, id="d"), then=later, commits=commits)
        await assert_nothing_waits(ports, BASE)
        await assert_documents_are_whole(ports, BASE)


async def test_a_document_deleted_while_it_is_read_in_leaves_nothing(ports: Ports, clock: ManualClock) -> None:
    for commits in COMMITS:
        base = await new_base(ports, f"kb-{commits}")
        await upload(ports, text_of(1), base_id=base, id="d")
        await bring(ports, 2, id="d", base=base)
        gone = partial(delete_document, principal=ADMIN, base_id=base, document_id="d")
        await work_beside(ports, clock, then=gone, commits=commits)
        with pytest.raises(NotFound):
            await get_document(ports, ADMIN, base, "d")
        await assert_nothing_waits(ports, base)
        await assert_nothing_is_left(ports, base)


async def test_a_base_deleted_while_its_documents_are_read_in_leaves_nothing(ports: Ports, clock: ManualClock) -> None:
    for commits in COMMITS:
        base = await new_base(ports, f"kb-{commits}")
        for number in range(2):
            await bring(ports, number, id=f"d{number}", base=base)
        await work_beside(ports, clock, then=partial(delete_base, principal=ADMIN, base_id=base), commits=commits)
        await new_base(ports, base)
        await assert_nothing_is_left(ports, base)


async def test_what_is_published_while_a_later_revision_is_read_in_is_whole(ports: Ports, clock: ManualClock) -> None:
    for commits in COMMITS:
        base = await new_base(ports, f"kb-{commits}")
        first = await upload(ports, text_of(1), base_id=base, id="d", publishes_itself=False)
        publish = partial(publish_document, principal=ADMIN, base_id=base, document_id="d", revision_id=first.latest)
        await work_beside(ports, clock, bring(ports, 2, id="d", base=base), then=publish, commits=commits)
        await publish_document(ports, ADMIN, base, "d")
        await work_beside(ports, clock)
        await assert_nothing_waits(ports, base)
        await assert_documents_are_whole(ports, base)
