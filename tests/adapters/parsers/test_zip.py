"""Members of archives become documents; what could do harm is refused by name."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest

from yiku.adapters.parsers import archives
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def packed(*files: tuple[str | zipfile.ZipInfo, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return written.getvalue()


def read(*files: tuple[str | zipfile.ZipInfo, bytes]) -> ParsedDocument:
    return archives.read(packed(*files), "a.zip")


def names(document: ParsedDocument) -> list[str]:
    return [member.name for member in document.members]


def test_each_file_is_a_member_under_its_name_and_is_listed() -> None:
    found = read(("docs/one.txt", b"one"), ("产品手册.md", "# 手册".encode()))
    assert [(member.name, member.content) for member in found.members] == [
        ("docs/one.txt", b"one"),
        ("产品手册.md", "# 手册".encode()),
    ]
    assert found.text == "docs/one.txt (3 bytes)\n产品手册.md (8 bytes)"
    assert found.format == "zip" and found.notices == ()


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_names_written_without_saying_how_are_decoded(encoding: str) -> None:
    # A name of as many bytes is written first, then those that a program without the flag would write.
    name = "产品手册.txt".encode(encoding)
    data = packed(("x" * len(name), b"one")).replace(b"x" * len(name), name)
    assert names(archives.read(data, "a.zip")) == ["产品手册.txt"]


def test_a_name_in_no_other_encoding_is_that_of_dos() -> None:
    data = packed(("xx.txt", b"one")).replace(b"xx.txt", b"\x81\xff.txt")
    assert names(archives.read(data, "a.zip")) == ["ü\u00a0.txt"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.txt", "leads out"),
        ("a/../../evil.txt", "leads out"),
        ("..\\evil.txt", "leads out"),
        ("/etc/evil.txt", "absolute"),
        ("C:\\evil.txt", "absolute"),
        ("a\tb.txt", "none that a file can have"),
    ],
)
def test_names_that_lead_elsewhere_are_refused_and_the_others_taken(name: str, reason: str) -> None:
    found = read((name, b"evil"), ("good.txt", b"good"))
    assert names(found) == ["good.txt"]
    assert reason in found.text.split("\n")[0] and found.text.count("\n") == 1
    assert found.notices == ("1 files of this archive were not taken in; its text names them.",)


def test_a_name_that_turns_back_within_the_archive_is_taken_for_where_it_leads() -> None:
    assert names(read(("a/b/../c.txt", b"c"))) == ["a/c.txt"]


def test_a_member_that_unfolds_without_measure_is_refused_unread() -> None:
    found = read(("bomb.txt", b"a" * 30_000_000), ("good.txt", b"good"))
    assert names(found) == ["good.txt"]
    assert "bomb.txt — not taken: it is compressed so much" in found.text


def test_small_files_may_be_compressed_as_well_as_they_like() -> None:
    assert names(read(("blank.csv", b"a,b\n" * 500_000))) == ["blank.csv"]


def test_a_member_larger_than_it_claims_is_refused() -> None:
    data = bytearray(packed(("lies.txt", b"a" * 1_000), ("good.txt", b"good")))
    directory = data.index(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    found = archives.read(bytes(data), "a.zip")
    assert names(found) == ["good.txt"] and "lies.txt — not taken" in found.text


def test_a_damaged_member_is_refused_and_the_others_taken() -> None:
    data = packed(("bad.txt", b"x" * 40), ("good.txt", b"good"), compression=zipfile.ZIP_STORED).replace(
        b"x" * 40, b"y" * 40
    )
    found = archives.read(data, "a.zip")
    assert names(found) == ["good.txt"] and "bad.txt — not taken: it is damaged" in found.text


def test_archives_in_archives_links_programs_and_empty_files_are_refused_by_name() -> None:
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    found = read(
        ("inner.zip", packed(("x.txt", b"x"))),
        (link, b"/etc/passwd"),
        ("run.txt", b"\x7fELF\0\0"),
        ("nothing.txt", b""),
        ("good.txt", b"good"),
    )
    assert names(found) == ["good.txt"]
    listed = found.text.split("\n")
    assert "archive inside an archive" in listed[0] and "a link" in listed[1] and "a program" in listed[2]
    assert "empty" in listed[3]


def test_the_flag_of_a_password_refuses_a_member() -> None:
    data = bytearray(packed(("secret.txt", b"secret"), ("good.txt", b"good")))
    for beginning, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(beginning) + offset] |= 1
    found = archives.read(bytes(data), "a.zip")
    assert names(found) == ["good.txt"] and "secret.txt — not taken: it is protected by a password" in found.text


def test_what_systems_leave_behind_and_folders_are_passed_over_in_silence() -> None:
    found = read(("a/", b""), ("__MACOSX/._a.txt", b"x"), ("a/.DS_Store", b"x"), ("a/a.txt", b"good"))
    assert found.text == "a/a.txt (4 bytes)"


def test_of_two_files_with_one_name_the_second_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        found = read(("a.txt", b"first"), ("a.txt", b"second"))
    assert [member.content for member in found.members] == [b"first"]
    assert "same name" in found.text


def test_no_more_members_are_taken_than_are_allowed_and_the_listing_ends_too() -> None:
    found = read(*((f"{number}.txt", b"x") for number in range(2_500)))
    assert len(found.members) == archives.MEMBERS_MAX
    assert found.text.endswith("… and 500 more, not taken")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (packed(), "empty"),
        (packed(("a/", b"")), "empty"),
        (packed(("../a.txt", b"x")), "refused"),
        (packed(("a.txt", b"x" * 100))[:-30], "corrupt"),
    ],
)
def test_an_archive_that_yields_nothing_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        archives.read(data, "a.zip")
    assert refused.value.reason == reason
