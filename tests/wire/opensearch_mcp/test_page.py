"""The page for users names everything there is; `tests/docs` runs its examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from yiku.model.messages import ROLES
from yiku.settings import Settings
from yiku.wire.opensearch_mcp.tools import LISTING
from yiku.wire.refusals import ERRORS

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
