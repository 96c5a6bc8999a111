"""Do the commands on the page of the admin door work, in the order in which they stand there?"""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

from tests.e2e.processes import KEY, serving
from yiku.wire.admin.operations import OPERATIONS

PAGE = (Path(__file__).parents[2] / "docs" / "dialects" / "admin.md").read_text(encoding="utf-8")
SHOWN_ID = "3cbba73b"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


async def test_the_commands_of_the_page_work(tmp_path: Path) -> None:
    commands, made = blocks("sh"), json.loads(blocks("json")[0])
    key_id = SHOWN_ID
    async with serving(tmp_path / "data", api_key=KEY) as server:
        for command in commands:
            placed = command.replace("http://127.0.0.1:8787", server.url).replace(SHOWN_ID, key_id)
            answer = await _run(placed, tmp_path)
            assert "code" not in answer, (command, answer)
            if "key" in answer:
                assert answer.keys() == made.keys()
                key_id = answer["id"]


async def _run(command: str, folder: Path) -> dict[str, Any]:
    """In a folder that has the files which the page sends."""
    for name in re.findall(r"file=@(\S+)", command):
        (folder / name).write_text("anything", encoding="utf-8")
    shell = await asyncio.create_subprocess_exec(
        "bash", "-euc", command,
        cwd=folder, env=os.environ | {"KEY": KEY}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, errors = await shell.communicate()
    assert shell.returncode == 0, errors
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_the_page_names_every_operation() -> None:
    for operation in OPERATIONS:
        path = operation.path.replace(":path", "")
        assert f"{path}?" in PAGE or f"`{operation.method} {path}" in PAGE or f"/admin/v1{path} " in PAGE, path
