"""What does an import do with a file that was cut, changed, or written by another version?"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.memories import add, listed, scope
from tests.core.stores import contents, exported, imported
from yiku.adapters.sqlite import open_sqlite
from yiku.core.transfer.export_file import LINE_BYTES_MAX
from yiku.core.transfer.lines import content_of, line_of
from yiku.model.errors import InvalidInput
from yiku.ports import Ports


@pytest.fixture
async def other(tmp_path: Path, ports: Ports) -> AsyncIterator[Ports]:
    storage = await open_sqlite(tmp_path / "other", clock=ports.clock, limits=ports.limits)
    yield replace(ports, storage=storage)
    await storage.close()


@pytest.fixture
async def lines(ports: Ports) -> list[bytes]:
    """An export of two memories with what belongs to them."""
    await add(ports, "I like tea")
    await add(ports, "I like coffee", where=scope("u2"))
    return await exported(ports)


async def test_an_import_that_was_cut_anywhere_is_finished_by_running_it_again(
    ports: Ports, other: Ports, lines: list[bytes]
) -> None:
    whole = b"".join(lines)
    for length in range(len(lines[0]), len(whole), 97):
        received = await imported(other, whole[:length].splitlines(keepends=True))
        assert not received.complete
    assert (await imported(other, lines)).complete
    assert await contents(other) == await contents(ports)


async def test_an_export_of_a_newer_version_is_refused_with_what_to_do(other: Ports, lines: list[bytes]) -> None:
    header = content_of(lines[0])[1]
    newer = line_of("export", header | {"format": 2, "yiku": "9.0"})
    with pytest.raises(InvalidInput, match=r"newer Yiku \(9.0, format 2; this one knows 1\): update Yiku"):
        await imported(other, [newer, *lines[1:]])
    assert await contents(other) == []


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"not json\n", "it is no line of a Yiku export"),
        (b"[]\n", "it is no line of a Yiku export"),
        (b"\n", "it is no line of a Yiku export"),
        (b"[" * 100_000 + b"\n", "it is no line of a Yiku export"),
        (b"x" * (LINE_BYTES_MAX + 1), "it is longer than"),
        (line_of("record", {"owner": "user:s/a/u", "id": "x"}), "its record is not complete"),
        (line_of("wish", {}), "it is of a kind that this Yiku does not know"),
        (line_of("gone", {}), "it is not complete"),
        (line_of("record", {"text": "x"}).replace(b'"x"', b'"y"'), "it was changed after the export"),
        (line_of("record", {"text": "\x00"}), "it holds characters that cannot be stored"),
        (b'{"record":{"n":NaN},"crc32":"00000000"}\n', "it is no line of a Yiku export"),
    ],
)
async def test_a_bad_line_is_named_and_what_stands_before_it_is_stored(
    other: Ports, lines: list[bytes], bad: bytes, reason: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await imported(other, [*lines[:4], bad, *lines[4:]])
    assert refused.value.message.startswith(f"Line 5 cannot be imported: {reason}")
    assert len(await contents(other)) == 3
    await imported(other, lines)
    assert len(await contents(other)) == len(lines) - 2


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "wish"},
        {"owner": "system:"},
        {"owner": "user:a/b"},
        {"owner": "user:%61/b/c"},
        {"id": "a\nb"},
        {"created": "yesterday"},
        {"created": 5},
        {"body": {}},
        {"body": []},
        {"fields": {"a": {"b": 1}}},
        {"fields": {"a": 2**70}},
        {"text": 5},
        {"vector": {"model": "m", "float16": "?"}},
        {"vector": {"model": "m", "float16": ""}},
    ],
)
async def test_a_record_that_is_none_is_refused(other: Ports, lines: list[bytes], change: dict[str, object]) -> None:
    [memory, *_] = [content_of(line)[1] for line in lines[1:-1] if content_of(line)[1]["kind"] == "memory"]
    with pytest.raises(InvalidInput, match=r"Line 2 cannot be imported"):
        await imported(other, [lines[0], line_of("record", memory | change)])
    assert await contents(other) == []


async def test_lines_that_are_missing_or_in_another_order_are_noticed(other: Ports, lines: list[bytes]) -> None:
    for file in ([*lines[:2], *lines[3:]], [lines[0], *reversed(lines[1:-1]), lines[-1]]):
        with pytest.raises(InvalidInput, match="some are missing or in another order"):
            await imported(other, file)


async def test_nothing_may_follow_the_last_line(other: Ports, lines: list[bytes]) -> None:
    with pytest.raises(InvalidInput, match="after the end of the export"):
        await imported(other, [*lines, *lines])


@pytest.mark.parametrize("file", [[], [b"\n"], [b'{"results": []}'], [b"PK\x03\x04\n"], [line_of("record", {})]])
async def test_a_file_that_is_no_export_is_refused(other: Ports, file: list[bytes]) -> None:
    with pytest.raises(InvalidInput):
        await imported(other, file)
    assert await listed(other) == []


def test_a_line_can_be_read_by_anything_that_reads_json(lines: list[bytes]) -> None:
    assert [next(iter(json.loads(line))) for line in lines] == ["export", *["record"] * (len(lines) - 2), "end"]
