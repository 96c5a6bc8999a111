"""Do the commands move data between stores of any engine, and what do they say when they cannot?"""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import KEY, environment, run, serving
from tests.engines import settings_of


async def add(folder: Path, *texts: str, **settings: str) -> None:
    """Through a server, to the end of their digestion."""
    async with serving(folder, api_key=KEY, **settings) as server:
        for text in texts:
            event = await server.call("memory_add", {"messages": text, "user_id": "u"})
            await server.settled(event["event_id"])


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_workspace_goes_from_one_engine_to_the_other_and_back(tmp_path: Path, place: str) -> None:
    home = settings_of(place)
    await add(tmp_path / "data", "I like tea", "我喜欢喝咖啡", **home)
    file, back = tmp_path / "all.jsonl", tmp_path / "back.jsonl"
    code, out, err = await run(tmp_path / "data", "export", "-o", str(file), "--with-vectors", **home)
    assert (code, out) == (0, "")
    assert "Exported 6 records." in err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    code, _, err = await run(tmp_path / "other", "import", str(file))
    made = f"There was no store in {tmp_path / 'other'}: a new one is made.\n"
    assert (code, err) == (0, f"{made}Imported 6 records, 0 of them embedded here.\n")
    assert (await run(tmp_path / "other", "export", "-o", str(back), "--with-vectors"))[0] == 0
    code, _, err = await run(tmp_path / "data", "import", str(back), **home)
    assert code == 0
    assert "6 were here already" in err


async def test_standard_output_and_input_will_do(tmp_path: Path) -> None:
    await add(tmp_path / "data", "I like tea")
    code, out, _ = await run(tmp_path / "data", "export", "--user", "u")
    assert code == 0
    assert [next(iter(json.loads(line))) for line in out.splitlines()] == ["export", *["record"] * 3, "end"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "import", "-", "--into-user", "v", env=environment(tmp_path / "other"),
        cwd=tmp_path, stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, err = await process.communicate(out.encode())
    assert process.returncode == 0
    assert err.endswith(b": a new one is made.\nImported 3 records, 1 of them embedded here.\n")


async def test_an_export_says_when_files_of_documents_are_not_in_it(tmp_path: Path) -> None:
    data, kept = tmp_path / "data", {"originals": "folder"}
    (tmp_path / "手册.md").write_text("# 手册\n\n七天内可以退货。\n", encoding="utf-8")
    await run(data, "kb", "create", "b", "--id", "kb", **kept)
    await run(data, "kb", "add", "kb", str(tmp_path / "手册.md"), **kept)
    await add(data, "I like tea", **kept)
    _, out, err = await run(data, "export", **kept)
    assert f"but not the files: copy {data / 'originals'} beside it" in err
    assert '"kind":"document"' in out
    assert '"kind":"original' not in out
    # The export of one user holds no documents, of which something could be missing.
    _, _, err = await run(data, "export", "--user", "u", **kept)
    assert err == "Exported 3 records.\n"


async def test_an_export_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    code, _, err = await run(tmp_path / "typo", "export", "-o", str(file))
    assert code == 2
    assert "no store" in err
    await add(tmp_path / "data", "I like tea")
    for options, said in (
        (["--user", "nobody", "-o", str(file)], "no user nobody"),
        (["--workspace", "nowhere", "-o", str(file)], "no workspace 'nowhere'"),
        (["-o", str(tmp_path / "missing" / "file")], "No such file or directory"),
    ):
        code, _, err = await run(tmp_path / "data", "export", *options)
        assert code == 2
        assert said in err
    assert [path.name for path in files_in(tmp_path)] == ["data"]
    file.write_text("precious")
    code, _, err = await run(tmp_path / "data", "export", "-o", str(file))
    assert code == 2
    assert "exists already" in err
    assert file.read_text() == "precious"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
async def test_a_full_disk_ends_an_export_with_a_reason(tmp_path: Path) -> None:
    await add(tmp_path / "data", "I like tea")
    full = os.open("/dev/full", os.O_WRONLY)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "export", env=environment(tmp_path / "data"), cwd=tmp_path, stdout=full,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    os.close(full)
    _, err = await process.communicate()
    assert err.decode() == "yiku: Standard output cannot be written: No space left on device\n"
    assert process.returncode == 2


async def test_an_import_says_when_the_file_was_cut_and_which_line_is_bad(tmp_path: Path) -> None:
    await add(tmp_path / "data", "I like tea")
    _, out, _ = await run(tmp_path / "data", "export")
    lines = out.splitlines(keepends=True)
    file = tmp_path / "cut.jsonl"
    file.write_text("".join(lines[:3]) + lines[3][:50])
    code, _, err = await run(tmp_path / "other", "import", str(file))
    assert code == 1
    assert "Imported 2 records" in err
    assert "the file was cut before its end" in err
    file.write_text("".join([*lines[:3], lines[3].replace('"id"', '"ID"'), *lines[4:]]))
    code, _, err = await run(tmp_path / "other", "import", str(file))
    assert code == 2
    assert "Line 4 cannot be imported: it was changed" in err
    assert "Traceback" not in err


async def test_a_mem0_export_can_be_searched_afterwards(tmp_path: Path) -> None:
    entry: dict[str, Any] = {"id": "3c90c3cc-0d44-4b50-8888-8dd25736052a", "memory": "Likes tea", "user_id": "u"}
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps({"results": [entry]}))
    code, _, err = await run(tmp_path / "data", "import", "--from", "mem0", str(file))
    assert code == 0
    assert err.endswith(": a new one is made.\nImported 1 records, 1 of them embedded here.\n")
    async with serving(tmp_path / "data", api_key=KEY) as server:
        found = await server.call("memory_search", {"query": "tea", "filters": {"AND": [{"user_id": "u"}]}})
    assert [hit["memory"] for hit in found["results"]] == ["Likes tea"]
    for text, said in (("{", "cannot be read as JSON"), ("{}", "no mem0 export")):
        file.write_text(text)
        code, _, err = await run(tmp_path / "data", "import", "--from", "mem0", str(file))
        assert code == 2
        assert said in err
    code, _, err = await run(tmp_path / "data", "import", str(file))
    assert code == 2
    assert "--from mem0" in err
    code, _, err = await run(tmp_path / "data", "import", str(tmp_path / "missing"))
    assert code == 2
    assert os.strerror(2) in err
