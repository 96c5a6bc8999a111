"""What does deleting a user do where the disk has no room for it? All of it or nothing, and it says why."""

from __future__ import annotations

import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.core.memories import ADMIN, add, scope
from tests.core.stores import contents
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.adapters.sqlite import DATABASE_FILE, open_sqlite
from yiku.core.audit import list_audit
from yiku.core.users import delete_user, list_users
from yiku.model.errors import StorageUnavailable
from yiku.model.limits import Limits
from yiku.ports import Ports


@pytest.fixture
async def ports(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Ports]:
    limits = Limits()
    storage = await open_sqlite(tmp_path / "data", clock=clock, limits=limits)
    yield Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=limits)
    await storage.close()


@contextmanager
def room_left(folder: Path, size: int) -> Iterator[None]:
    """The nearest thing to a full disk that a process can do to itself: no file may grow by more than this."""
    log = folder / f"{DATABASE_FILE}-wal"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def outcomes(ports: Ports) -> list[str]:
    return [entry.outcome for entry in (await list_audit(ports, ADMIN, before=None, limit=100)).entries]


async def test_a_user_goes_whole_or_stays_whole_however_full_the_disk_is(ports: Ports, tmp_path: Path) -> None:
    for number in range(40):
        await add(ports, f"I like fruit number {number}", f"我喜欢第{number}种水果")
    await add(ports, "I like cocoa", where=scope("u2"))
    before = await contents(ports)
    others = [record for record in before if not record["owner"].endswith("/u1")]
    refused, went = 0, False
    for room in range(0, 2_000_000, 16_000):
        with room_left(tmp_path / "data", room):
            try:
                went = await delete_user(ports, ADMIN, "u1") > 0
            except StorageUnavailable as error:
                assert error.message, room
                refused += 1
        after = await contents(ports)
        assert after == (others if went else before), room
        if went:
            break
    assert refused > 1
    assert went
    # Not only its entry in the log found no room: the deletion itself was begun, and taken back.
    assert "failed: StorageUnavailable" in await outcomes(ports)
    assert [user.user_id for user in await list_users(ports, ADMIN, after="", limit=10)] == ["u2"]
    assert (await ports.storage.check()).problems == ()
