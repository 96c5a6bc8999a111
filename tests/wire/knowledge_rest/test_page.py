"""The page for users names every operation, field and status, and its commands are answered."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from tests.documents import ingest_all
from yiku.wire.knowledge_rest import PATH
from yiku.wire.knowledge_rest.operations import OPERATIONS
from yiku.wire.knowledge_rest.results import BaseRow, ItemResult, RevisionContentResult

from .conftest import Door

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "knowledge_rest.md").read_text(encoding="utf-8")
SHOWN_ITEM = "doc-5c47e162-50b4-4ddb-80ef-bef1bb5266c5"


def test_the_page_names_every_operation_and_field() -> None:
    for operation in OPERATIONS:
        assert f"`{operation.method} {operation.path}" in PAGE, operation.path
        fields = [] if operation.body is None else list(operation.body.model_fields)
        for name in (*fields, *operation.query.model_fields):
            assert f"`{name}`" in PAGE, name
    for shape in (BaseRow, ItemResult, RevisionContentResult):
        for name in shape.__annotations__:
            assert f"`{name}`" in PAGE or f'"{name}"' in PAGE, name


async def test_the_commands_of_the_page_work_in_their_order(door: Door) -> None:
    item_id = SHOWN_ITEM
    for command in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        words = shlex.split(command.replace("\\\n", " "))
        address = next(word for word in words if word.startswith("http"))
        path = address.partition(PATH)[2].replace(SHOWN_ITEM, item_id)
        body: dict[str, Any] = {"json": json.loads(words[words.index("-d") + 1])} if "-d" in words else {}
        method = words[words.index("-X") + 1] if "-X" in words else "POST" if body else "GET"
        answer = await door.done(method, path, **body)
        await ingest_all(door.ports)
        if path.endswith("/items"):
            item_id = answer["id"]
    assert await door.finds("回滚") == ["Rollback"]
