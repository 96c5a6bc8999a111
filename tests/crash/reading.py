"""What does a server do with its documents? One thing after the other, by a process that dies at the commit it is told.

Every change of the store is a stage: the process ends right after the n-th, as at a kill −9, without a word to anybody.
With n from 1 up until the work is done before that, it is killed at each of them. What a user wants is an *act*; the
process then works until nothing waits. Its exit code says how far it was.
"""

from __future__ import annotations

import asyncio
import io
import os
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, cast

from tests.documents import ADMIN, ingest_all, new_base, open_documents, upload
from tests.engines import open_place
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.knowledge.bases import delete_base
from yiku.core.knowledge.documents import delete_document
from yiku.core.knowledge.publishing import publish_document
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.jobs import Job
from yiku.model.limits import Limits
from yiku.model.records import Changes
from yiku.model.scopes import Partition
from yiku.ports import Clock, Ports, Storage

GUIDE = "guide"
DONE, DIED_ACTING, DIED_WORKING = 0, 8, 9
LEASE_S = 60
"""As `ingest_all` claims them."""


class LaterClock(SystemClock):
    """Past every lease: what the killed process was doing is claimable."""

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=LEASE_S + 1)


class MortalStorage:
    """A storage whose process ends right after the `fatal`-th change; what only reads goes through."""

    def __init__(self, storage: Storage, fatal: int) -> None:
        self._storage = storage
        self._left = fatal
        self.code = DIED_ACTING

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def commit(self, changes: Changes) -> None:
        await self._storage.commit(changes)
        self._live()

    async def claim(self, kinds: Sequence[str], *, lease_s: float, limit: int) -> list[Job]:
        jobs = await self._storage.claim(kinds, lease_s=lease_s, limit=limit)
        if jobs:
            self._live()
        return jobs

    async def drop(self, partition: Partition) -> int:
        dropped = await self._storage.drop(partition)
        self._live()
        return dropped

    def _live(self) -> None:
        self._left -= 1
        if self._left == 0:
            os._exit(self.code)


def text_of(revision: int) -> str:
    """Sections enough for several commits of nodes, and for more than one job of vectors; a later one has fewer."""
    titles = range(80 - 10 * revision)
    return "".join(
        f"# 第{number}章 Part {number}\n权限 rule {number} 第{revision}版 v{revision}.\n" for number in titles
    )


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("手册/产品.md", "# 产品\n耳机可以退货。")
        file.writestr("prices.csv", "item,price\ntea,3\n咖啡,5\n")
    return packed.getvalue()


async def _bring(ports: Ports, base: str, revision: int) -> None:
    content = text_of(revision).encode()
    await upload_document(ports, ADMIN, base, UploadDocument(content=content, name="guide.md", id=GUIDE))


async def _bring_two(ports: Ports, base: str) -> None:
    await _bring(ports, base, 2)
    await _bring(ports, base, 3)


async def _bring_archive(ports: Ports, base: str) -> None:
    await upload_document(ports, ADMIN, base, UploadDocument(content=archive(), name="files.zip", id=GUIDE))


async def _prepare_nothing(ports: Ports, base: str) -> None:
    """The base is empty."""


async def _prepare_first(ports: Ports, base: str) -> None:
    await upload(ports, text_of(1), name="guide.md", base_id=base, id=GUIDE)


async def _prepare_waiting(ports: Ports, base: str) -> None:
    await _prepare_first(ports, base)
    await _bring(ports, base, 2)


async def _prepare_draft(ports: Ports, base: str) -> None:
    await upload(ports, text_of(1), name="guide.md", base_id=base, id=GUIDE, publishes_itself=False)


async def _publish(ports: Ports, base: str) -> None:
    await publish_document(ports, ADMIN, base, GUIDE)


async def _delete(ports: Ports, base: str) -> None:
    await delete_document(ports, ADMIN, base, GUIDE)


async def _delete_base(ports: Ports, base: str) -> None:
    await delete_base(ports, ADMIN, base)


Deed = Callable[[Ports, str], Awaitable[None]]
SCENES: Mapping[str, tuple[Deed, Deed]] = {
    "a first revision": (_prepare_nothing, lambda ports, base: _bring(ports, base, 1)),
    "a later revision": (_prepare_first, lambda ports, base: _bring(ports, base, 2)),
    "two at once": (_prepare_first, _bring_two),
    "an archive": (_prepare_nothing, _bring_archive),
    "a draft": (_prepare_draft, _publish),
    "a deletion": (_prepare_waiting, _delete),
    "a base deleted": (_prepare_waiting, _delete_base),
}
"""What was there before, and the act."""


@asynccontextmanager
async def opened(place: str, clock: Clock, *, fatal: int | None = None) -> AsyncIterator[Ports]:
    """The ports of one more process on the place; one that does not live for ever has a `MortalStorage`."""
    limits, embedder = Limits(), HashedEmbedder()
    real = await open_place(place, clock=clock, limits=limits)
    storage = real if fatal is None else cast(Storage, MortalStorage(real, fatal))
    try:
        async with open_documents(storage, clock, embedder) as documents:
            yield Ports(storage=storage, embedder=embedder, clock=clock, documents=documents, limits=limits)
    finally:
        await real.close()


async def prepare(ports: Ports, scene: str, base: str) -> None:
    await new_base(ports, base)
    await SCENES[scene][0](ports, base)


async def act(ports: Ports, scene: str, base: str) -> None:
    await SCENES[scene][1](ports, base)


async def _live(place: str, scene: str, base: str, fatal: int) -> None:
    async with opened(place, SystemClock(), fatal=fatal) as ports:
        await act(ports, scene, base)
        cast(MortalStorage, ports.storage).code = DIED_WORKING
        await ingest_all(ports)


def live(place: str, scene: str, base: str, fatal: int) -> None:
    """The whole life of the process."""
    asyncio.run(_live(place, scene, base, fatal))
