"""What does an import do with a file that was cut, changed, or written by another version?"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tests.core.memories import ADMIN, add, listed, scope
from tests.core.stores import contents, exported, imported, last
from yiku.adapters.sqlite import open_sqlite
from yiku.core.transfer.export_file import ExportFile
from yiku.core.transfer.imports import import_export
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
        {"metadata": None},
        {"metadata": ""},
        {"metadata": []},
        {"evidence": "m-1"},
        {"agent_ids": "a"},
        {"run_ids": None},
        {"repeated_metadata": {}},
        {"repeated_metadata": [None]},
    ],
)
async def test_a_memory_that_could_never_be_shown_is_refused(
    other: Ports, lines: list[bytes], change: dict[str, object]
) -> None:
    [memory, *_] = [content_of(line)[1] for line in lines[1:-1] if content_of(line)[1]["kind"] == "memory"]
    bad = memory | {"body": memory["body"] | change}
    with pytest.raises(InvalidInput, match=r"Line 2 cannot be imported"):
        await imported(other, [lines[0], line_of("record", bad)])
    assert await contents(other) == []


async def test_a_line_beyond_all_bounds_is_named_and_not_read(other: Ports, lines: list[bytes]) -> None:
    """What has no end of a line is read in pieces, so that it never fills the memory."""
    at_most = max(map(len, lines))
    bad = [*lines[:4], b"x" * (at_most + 1), *lines[4:]]
    with pytest.raises(InvalidInput, match=f"Line 5 cannot be imported: it is longer than {at_most} bytes"):
        await last(import_export(other, ADMIN, ExportFile(bad, line_bytes_max=at_most)))
    assert len(await contents(other)) == 3


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


def changed(lines: list[bytes], kind: str, change: dict[str, object]) -> bytes:
    """The first record of this kind, with other parts of its body."""
    record = next(c for _, c in map(content_of, lines[1:-1]) if c.get("kind") == kind)
    return line_of("record", record | {"body": record["body"] | change})


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        ("memory", {"text": "x" * 900_000}, "its text is 900000 bytes"),
        ("memory", {"text": " "}, "its text must not be empty"),
        ("memory", {"speaker": "a\nb"}, "control characters"),
        ("memory", {"agent_ids": ["x" * 300]}, "an identifier in it is 300 bytes"),
        ("memory", {"metadata": {"a": "x" * 20_000}}, "its metadata"),
        ("memory", {"metadata": {"user_id": "u9"}}, "user_id is not allowed"),
        ("memory", {"metadata": {str(number): 1 for number in range(65)}}, "65 keys"),
        ("memory", {"repeated_metadata": [{}] * 21}, "repeated"),
        ("memory", {"revisions": [["", {}, "2026-01-01T00:00:00+00:00"]]}, "an earlier text must not be empty"),
        ("event", {"message_ids": ["msg-1"] * 1_001}, "1001 messages"),
        ("event", {"metadata": {"deep": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}}, "nested"),
        ("message", {"role": "king"}, "its role"),
        ("message", {"content": "x" * 300_000}, "its content is 300000 bytes"),
        ("message", {"content": ["x"]}, "of a kind that this Yiku does not know"),
    ],
)
async def test_what_no_door_takes_does_not_come_in_by_a_file(
    other: Ports, lines: list[bytes], kind: str, change: dict[str, object], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=r"Line 2 cannot be imported") as refused:
        await imported(other, [lines[0], changed(lines, kind, change)])
    assert reason in refused.value.message
    assert await contents(other) == []


@pytest.mark.parametrize("number", ["1e400", "-1e999", "9223372036854775808", "9" * 5_000])
async def test_numbers_that_no_store_can_hold_are_refused(other: Ports, lines: list[bytes], number: str) -> None:
    start = changed(lines, "memory", {"metadata": {"n": "?"}}).rpartition(b',"crc32"')[0]
    start = start.replace(b'"n":"?"', b'"n":' + number.encode())
    with pytest.raises(InvalidInput, match="a number that cannot be stored"):
        await imported(other, [lines[0], b'%s,"crc32":"%08x"}\n' % (start, crc32(start))])


@pytest.mark.parametrize("values", [[0.0] * 64, [1.0] * 64, [1.0] + [0.0] * 31])
async def test_a_vector_that_the_model_could_not_have_made_is_refused(
    other: Ports, lines: list[bytes], values: list[float]
) -> None:
    half = b64encode(np.array(values, np.float16).tobytes()).decode()
    [memory, *_] = [c for _, c in map(content_of, lines[1:-1]) if c["kind"] == "memory"]
    bad = line_of("record", memory | {"vector": {"model": other.embedder.model, "float16": half}})
    with pytest.raises(InvalidInput, match="its vector"):
        await imported(other, [lines[0], bad])


@pytest.mark.parametrize("apart", [False, True])
async def test_two_users_of_a_workspace_cannot_get_the_same_id(other: Ports, lines: list[bytes], apart: bool) -> None:
    """Neither within one batch nor in two files."""
    contents_of_one = [c for _, c in map(content_of, lines[1:-1]) if c["owner"].endswith("u1")]
    [first, *_, last] = contents_of_one
    stolen = line_of("record", last | {"owner": first["owner"].replace("u1", "thief")})
    whole = [line_of("record", content) for content in contents_of_one]
    with pytest.raises(InvalidInput, match="an id names one thing in a workspace"):
        if apart:
            await imported(other, [lines[0], *whole])
            await imported(other, [lines[0], stolen])
        else:
            await imported(other, [lines[0], *whole, stolen])
    assert await listed(other, "thief") == []
