"""What do originals leave in a folder, and what becomes of a folder that cannot be used?"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.contract.builders import ALICE, BOB
from yiku.adapters.objects import FolderObjects
from yiku.model.errors import Conflict, StorageUnavailable
from yiku.model.scopes import Partition

CONTENT = "原件 original".encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "originals"


@pytest.fixture
def objects(folder: Path) -> FolderObjects:
    return FolderObjects(folder)


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_one_original_is_one_file_that_only_its_owner_reads(objects: FolderObjects, folder: Path) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    (file,) = files_in(folder)
    assert file.read_bytes() == CONTENT
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
    assert file.name.startswith("rev-1-")


async def test_no_id_and_no_owner_leads_out_of_the_folder(objects: FolderObjects, folder: Path, tmp_path: Path) -> None:
    for name in ("../../../out", "/etc/out", "..", ".", "", "a\0b", "名" * 500):
        await objects.put(Partition(name, name), name, name.encode())
        assert await objects.get(Partition(name, name), name) == name.encode()
    assert len(files_in(folder)) == 7
    assert files_in(tmp_path) == files_in(folder)


async def test_names_that_differ_in_case_only_are_different_files(objects: FolderObjects, folder: Path) -> None:
    await objects.put(ALICE, "A", b"1")
    await objects.put(ALICE, "a", b"2")
    assert len({file.name.lower() for file in files_in(folder)}) == 2


async def test_half_a_file_that_was_left_behind_is_not_seen_and_goes_with_the_delete(
    objects: FolderObjects, folder: Path
) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    await objects.put(ALICE, "rev-2", CONTENT)
    (file,) = [file for file in files_in(folder) if file.name.startswith("rev-1-")]
    file.rename(file.with_name(f"{file.name}.{'0' * 16}.part"))
    assert await objects.get(ALICE, "rev-1") is None
    await objects.delete(ALICE, ["rev-1"])
    assert [found.name[:6] for found in files_in(folder)] == ["rev-2-"]


async def test_a_drop_that_was_cut_off_is_finished_by_the_next(objects: FolderObjects, folder: Path) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    await objects.put(BOB, "rev-1", CONTENT)
    mine = [file.parent for file in files_in(folder) if "alice" in file.parent.name]
    mine[0].rename(mine[0].with_name(f"{mine[0].name}.{'0' * 16}.dropped"))
    await objects.drop(ALICE)
    assert ["bob" in file.parent.name for file in files_in(folder)] == [True]


async def test_a_folder_that_cannot_be_made_is_said_to_be_unusable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    objects = FolderObjects(tmp_path / "file")
    with pytest.raises(StorageUnavailable, match="folder of originals cannot be used: "):
        await objects.put(ALICE, "rev-1", CONTENT)
    with pytest.raises(StorageUnavailable, match="folder of originals cannot be used: "):
        await objects.get(ALICE, "rev-1")


async def test_puts_and_drops_at_once_leave_whole_originals_or_none(objects: FolderObjects, folder: Path) -> None:
    async def put(name: str) -> None:
        for _ in range(10):
            try:
                await objects.put(ALICE, name, CONTENT)
            except Conflict:
                continue

    async def drop() -> None:
        for _ in range(10):
            await objects.drop(ALICE)
            await objects.delete(ALICE, ["rev-1", "rev-2"])

    await asyncio.gather(put("rev-1"), put("rev-2"), put("rev-1"), drop())
    for name in ("rev-1", "rev-2"):
        assert await objects.get(ALICE, name) in (CONTENT, None)
    await objects.drop(ALICE)
    assert files_in(folder) == []
