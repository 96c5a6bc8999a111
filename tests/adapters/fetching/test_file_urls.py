"""Which files of this machine can be read by whoever names them?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.adapters.fetching.conftest import SMALL
from yiku.adapters.fetching import GuardedFetcher
from yiku.model.errors import DocumentUnreadable, InvalidInput


@pytest.fixture
def allowed(tmp_path: Path) -> Path:
    """A folder that may be read, beside a file and a folder that may not."""
    folder = tmp_path / "allowed"
    (folder / "手册").mkdir(parents=True)
    (folder / "a.txt").write_text("inside")
    (folder / "手册" / "产品 1#?.md").write_text("# 产品")
    (tmp_path / "secret.txt").write_text("outside")
    (tmp_path / "allowed-too").mkdir()
    (tmp_path / "allowed-too" / "b.txt").write_text("beside")
    return folder


@pytest.fixture
def reader(allowed: Path) -> GuardedFetcher:
    return GuardedFetcher(allowed_folder=allowed, bounds=SMALL)


async def reason(reader: GuardedFetcher, url: str) -> str:
    with pytest.raises(DocumentUnreadable) as unreadable:
        await reader.fetch(url)
    assert "/" not in unreadable.value.message.replace("file:///", "")
    return unreadable.value.reason


async def test_a_file_inside_is_read(reader: GuardedFetcher, allowed: Path) -> None:
    for url in (f"file://{allowed}/a.txt", f"file://localhost{allowed}/a.txt", f"FILE://{allowed}/手册/../a.txt"):
        reader.check(url)
        assert (await reader.fetch(url)).content == b"inside"


async def test_names_are_percent_decoded(reader: GuardedFetcher, allowed: Path) -> None:
    fetched = await reader.fetch((allowed / "手册" / "产品 1#?.md").as_uri())
    assert (fetched.content.decode(), fetched.name) == ("# 产品", "产品 1#?.md")


@pytest.mark.parametrize("outside", ["../secret.txt", "%2e%2e/secret.txt", "手册/../../secret.txt", "..%2Fsecret.txt"])
async def test_nothing_outside_is_read(reader: GuardedFetcher, allowed: Path, outside: str) -> None:
    assert await reason(reader, f"file://{allowed}/{outside}") == "refused"


async def test_what_exists_outside_cannot_be_told_from_what_does_not(reader: GuardedFetcher, allowed: Path) -> None:
    messages = set()
    for path in (allowed.parent / "secret.txt", allowed.parent / "none.txt", allowed.parent / "allowed-too" / "b.txt"):
        with pytest.raises(DocumentUnreadable) as unreadable:
            await reader.fetch(path.as_uri())
        messages.add((unreadable.value.reason, unreadable.value.message))
    assert len(messages) == 1


async def test_links_lead_to_places_inside_only(reader: GuardedFetcher, allowed: Path) -> None:
    (allowed / "in").symlink_to(allowed / "a.txt")
    (allowed / "out").symlink_to(allowed.parent / "secret.txt")
    (allowed / "up").symlink_to(allowed.parent)
    (allowed / "round").symlink_to("round")
    assert (await reader.fetch(f"file://{allowed}/in")).content == b"inside"
    assert await reason(reader, f"file://{allowed}/out") == "refused"
    assert await reason(reader, f"file://{allowed}/up/secret.txt") == "refused"
    assert (await reader.fetch(f"file://{allowed}/up/allowed/a.txt")).content == b"inside"
    assert await reason(reader, f"file://{allowed}/round") == "refused"


async def test_the_allowed_folder_may_itself_be_a_link(allowed: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(allowed)
    reader = GuardedFetcher(allowed_folder=tmp_path / "link", bounds=SMALL)
    assert (await reader.fetch(f"file://{tmp_path}/link/a.txt")).content == b"inside"


async def test_only_regular_files_are_read(reader: GuardedFetcher, allowed: Path) -> None:
    os.mkfifo(allowed / "pipe")
    assert await reason(reader, f"file://{allowed}/pipe") == "refused"
    assert await reason(reader, f"file://{allowed}/手册") == "refused"
    assert await reason(reader, f"file://{allowed}") == "refused"


async def test_what_is_missing_and_what_is_too_large_is_said(reader: GuardedFetcher, allowed: Path) -> None:
    (allowed / "large").write_bytes(bytes(SMALL.bytes_max + 1))
    (allowed / "fits").write_bytes(bytes(SMALL.bytes_max))
    assert await reason(reader, f"file://{allowed}/none.txt") == "missing"
    assert await reason(reader, f"file://{allowed}/a.txt/b") == "missing"
    assert await reason(reader, f"file://{allowed}/{'a' * 300}") == "refused"
    assert await reason(reader, f"file://{allowed}/large") == "too_large"
    assert len((await reader.fetch(f"file://{allowed}/fits")).content) == SMALL.bytes_max


@pytest.mark.parametrize(
    "url", ["file://", "file://host", "file://host/a", "file://127.0.0.1/a", "file:///a%00b", "file:///a?b"]
)
def test_addresses_that_name_no_file_of_this_machine_are_refused_at_once(reader: GuardedFetcher, url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        reader.check(url)
    assert refused.value.field == "file_url"


def test_without_an_allowed_folder_no_file_is_read(allowed: Path) -> None:
    with pytest.raises(InvalidInput, match="upload the file"):
        GuardedFetcher().check(f"file://{allowed}/a.txt")
