"""The page for users names everything there is, and its requests are answered."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
from pydantic import TypeAdapter

from tests.documents import new_base, upload
from yiku.wire.knowledge_mcp.errors import CODES, ITEM_REQUIRED, QUERY_REQUIRED
from yiku.wire.knowledge_mcp.results import ReadText, SearchRow, SearchText
from yiku.wire.knowledge_mcp.tools import LISTED

from .conftest import open_door

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "knowledge_mcp.md").read_text(encoding="utf-8")
ITEM_ID, REVISION_ID = "doc-5c47e162-50b4-4ddb-80ef-bef1bb5266c5", "rev-16b14ac9-51b0-4c80-b060-8bfe2d4e259b"
"""The ids that the page shows."""


def test_the_page_names_every_argument_field_and_code() -> None:
    shapes = (ReadText, SearchText, SearchRow)
    names = {*LISTED["inputSchema"]["properties"], *(name for shape in shapes for name in shape.__annotations__)}
    for name in names | {*CODES.values(), ITEM_REQUIRED, QUERY_REQUIRED}:
        assert f"`{name}`" in PAGE, name


async def test_the_requests_of_the_page_are_answered_in_the_shapes_of_the_page(place: str) -> None:
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    requests = [block for block in blocks if "method" in block]
    assert len(requests) == 2
    async with open_door(place) as door:
        await new_base(door.ports, "ops")
        item = await upload(door.ports, "## 回滚\n\n运行 rollback 回滚。", base_id="ops", title="Deployment")
        for request in requests:
            body = json.dumps(request).replace(ITEM_ID, item.id).replace(REVISION_ID, item.latest)
            result = (await door.post(body)).json()["result"]
            assert result["isError"] is False
            answer = json.loads(result["structuredContent"]["result"])
            shape = SearchText if answer["type"] == "knowledge_search" else ReadText
            jsonschema.validate(answer, TypeAdapter(shape).json_schema())
            [shown] = [block for block in blocks if block.get("type") == answer["type"]]
            assert shown.keys() == answer.keys()
            if answer["type"] == "knowledge_search":
                assert [row.keys() for row in shown["results"]] == [row.keys() for row in answer["results"]]
