"""The page for users names everything there is; `tests/docs` runs its examples."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.documents import new_base, upload
from yiku.model.messages import ROLES
from yiku.settings import Settings
from yiku.wire.opensearch_mcp.tools import LISTING, TOOLS
from yiku.wire.refusals import ERRORS

from .conftest import open_door

MANUAL = "# 产品使用手册\n\n## 权限\n\n配置权限需在控制台的访问控制页面进行。如何处理退货：七天内到店退货。\n"
PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "opensearch-mcp.md").read_text()


@pytest.mark.parametrize("tool", LISTING["tools"], ids=lambda tool: tool["name"])
def test_the_page_names_every_argument_and_result_of_a_tool(tool: dict[str, dict[str, object]]) -> None:
    section = PAGE.split(f"\n### {tool['name']}\n")[1].split("\n### ")[0].split("\n## ")[0]
    for name in [*_names(tool["inputSchema"]), *_names(tool["outputSchema"])]:
        assert f"`{name}`" in section, name


def _names(schema: dict[str, object]) -> list[str]:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return list(properties)


def test_the_page_names_every_error_code_role_and_the_port() -> None:
    for word in {shown.code for shown in ERRORS.values()} | set(ROLES):
        assert f"`{word}`" in PAGE
    assert f":{Settings.model_fields['port'].default}/" in PAGE


async def test_the_calls_about_documents_on_the_page_find_what_they_ask_for(tmp_path: Path) -> None:
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    calls = [block for block in blocks if "arguments" in block]
    assert {call["name"] for call in calls} == {name for name in TOOLS if not name.startswith("memory_")}
    async with open_door(tmp_path) as door:
        await new_base(door.ports, "kb-001")
        await upload(door.ports, MANUAL, id="doc-001", base_id="kb-001")
        for call in calls:
            found = await door.call(call["name"], **call["arguments"])
            shown = found.get("results") or found.get("toc") or found.get("matches") or found.get("kb_docs")
            assert shown or found.get("content") or found.get("missing"), call
