"""The page for users names everything there is, and its examples work."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import KEY, serving
from yiku.model.limits import Limits
from yiku.settings import Settings
from yiku.wire.fields import schema_of
from yiku.wire.opensearch_rest.openapi import document
from yiku.wire.opensearch_rest.operation import Operation
from yiku.wire.opensearch_rest.operations import OPERATIONS
from yiku.wire.refusals import ERRORS

from .conftest import Door

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "opensearch-rest.md").read_text(encoding="utf-8")
SHAPES: dict[str, Any] = document(Limits())["components"]["schemas"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation.name for operation in OPERATIONS])
def test_the_page_names_every_field_of_a_call_and_of_its_answer(operation: Operation) -> None:
    section = PAGE.split(f"\n### {operation.method} {operation.path}\n")[1].split("\n### ")[0].split("\n## ")[0]
    given = operation.takes or operation.asks
    fields = list(schema_of(given)["properties"]) if given else []
    # An answer that is another's, but for one key, refers to it.
    shown = [] if operation.name in ("updateMemory", "health") else SHAPES[operation.gives.__name__]["properties"]
    for name in (*fields, *shown):
        assert f"`{name}`" in section, name
    assert operation.name == "health" or f"`{operation.permission}`" in section
    assert operation.ours == (PAGE.index(section) > PAGE.index("\n## Ours"))


def test_the_page_names_every_error_code_status_and_the_port() -> None:
    for shown in ERRORS.values():
        assert re.search(rf"^\| {shown.status} \|.*`{shown.code}`", PAGE, re.MULTILINE), shown
    for status in document(Limits())["components"]["responses"]:
        assert f"\n| {status} | `" in PAGE, status
    assert f":{Settings.model_fields['port'].default}/" in PAGE


async def test_the_command_of_the_page_gives_the_answer_of_the_page(tmp_path: Path) -> None:
    [command] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    printed = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    async with serving(tmp_path / "data", api_key=KEY) as server:
        placed = command.replace("http://127.0.0.1:8787", server.url).replace("YOUR_KEY", KEY)
        shell = await asyncio.create_subprocess_exec(
            "bash", "-euc", placed, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, errors = await shell.communicate()
    assert shell.returncode == 0, errors
    answer = json.loads(out)
    assert answer == printed | {"event_id": answer["event_id"]}


async def test_the_list_of_the_page_works(door: Door) -> None:
    [body] = re.findall(r"```json\n(\{\"filters\".*?)```", PAGE, re.DOTALL)
    await door.remember("tea", "ann", run_id="2026-06-02", infer=False)
    assert (await door.call("POST", "/memories/list", json.loads(body)))["count"] == 1
