"""Errors in the dialect's shape: each has its code, and what may not be known cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents import ADMIN, new_base, upload
from yiku.core.knowledge.bases import archive_base
from yiku.core.knowledge.publishing import archive_document
from yiku.model.errors import InvalidInput, YikuError
from yiku.model.limits import Limits
from yiku.wire.fields import parse_fields
from yiku.wire.knowledge_mcp.arguments import SearchKnowledgeArguments
from yiku.wire.knowledge_mcp.decode import decode_call
from yiku.wire.knowledge_mcp.errors import CODES, CallRefused
from yiku.wire.knowledge_mcp.tools import NAME, toolbox
from yiku.wire.mcp_server import Caller, call_tool

from .conftest import open_door
from .requirements import proves

INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "query beside an item": ({"query": "q", "knowledge_item_id": "doc-1"}, "query"),
    "query beside a revision": ({"query": "q", "knowledge_revision_id": "rev-1"}, "query"),
    "offset below 0": ({"knowledge_item_id": "d", "offset": -1}, "offset"),
    "no characters": ({"knowledge_item_id": "d", "limit_chars": 0}, "limit_chars"),
    "too many characters": ({"knowledge_item_id": "d", "limit_chars": 10_001}, "limit_chars"),
    "no results": ({"query": "q", "max_results": 0}, "max_results"),
    "too many results": ({"query": "q", "max_results": 51}, "max_results"),
    "bounds hold in a search too": ({"query": "q", "limit_chars": 0}, "limit_chars"),
    "half a result": ({"query": "q", "max_results": 1.5}, "max_results"),
    "text for a number": ({"query": "q", "max_results": "10"}, "max_results"),
    "number for a text": ({"query": 7}, "query"),
    "mode is no text": ({"query": "q", "mode": 1}, "mode"),
    "alpha is no number": ({"query": "q", "alpha": "0.5"}, "alpha"),
    "alpha beyond numbers": ({"query": "q", "alpha": 10**400}, "alpha"),
    "query too long": ({"query": "问" * 4_097}, "query"),
    "NUL": ({"query": "a\x00b"}, "query"),
    "id too long": ({"knowledge_item_id": "x" * 300}, "knowledge_item_id"),
    "an owner": ({"query": "q", "owner_id": "someone"}, "owner_id"),
    "a scope": ({"query": "q", "scope": "all"}, "scope"),
    "a team": ({"query": "q", "team_id": "theirs"}, "team_id"),
}


@proves("error:invalid", "error-shape", "unknown-arguments", "query-limit", "arguments")
@pytest.mark.parametrize("name", INVALID)
async def test_what_cannot_be_asked_is_refused_by_the_field(tmp_path: Path, name: str) -> None:
    arguments, field = INVALID[name]
    async with open_door(str(tmp_path)) as door:
        refused = await door.refused(**arguments)
    assert (refused["type"], refused["code"], refused["details"]) == (
        "error", "knowledge_invalid_request", {"field": field},
    )  # fmt: skip
    assert field in refused["message"]


@proves("query-limit", "arguments")
async def test_the_bounds_themselves_are_accepted(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        item = await upload(door.ports, "text")
        assert (await door.call(query="问" * 4_096, max_results=50.0, alpha=None))["type"] == "knowledge_search"
        assert (await door.call(knowledge_item_id=item.id, limit_chars=10_000, offset=0))["content"] == "text"


@proves("error:required", "empty")
async def test_something_to_search_or_to_read_must_be_given(place: str) -> None:
    async with open_door(place) as door:
        for nothing in ({}, {"query": ""}, {"query": " \n"}, {"knowledge_base_id": "kb"}, {"knowledge_item_id": ""}):
            refused = await door.refused(**nothing)
            assert (refused["type"], refused["code"]) == ("error", "knowledge_query_required")
        refused = await door.refused(knowledge_revision_id="rev-1", knowledge_item_id="")
        assert refused["code"] == "knowledge_item_required"


@proves("error:unavailable")
async def test_what_is_missing_inactive_or_a_draft_is_told_in_the_same_words(place: str) -> None:
    async with open_door(place) as door:
        for base_id in ("kb", "old"):
            await new_base(door.ports, base_id)
        item = await upload(door.ports, "text", id="item")
        draft = await upload(door.ports, "text", id="draft", publishes_itself=False)
        archived = await upload(door.ports, "text", id="archived")
        await upload(door.ports, "text", id="inactive", base_id="old")
        await archive_document(door.ports, ADMIN, "kb", archived.id)
        await archive_base(door.ports, ADMIN, "old")
        asked: list[dict[str, str]] = [
            {"knowledge_item_id": "none"},
            {"knowledge_item_id": draft.id},
            {"knowledge_item_id": draft.id, "knowledge_revision_id": draft.latest},
            {"knowledge_item_id": archived.id},
            {"knowledge_item_id": "inactive"},
            {"knowledge_item_id": "inactive", "knowledge_base_id": "old"},
            {"knowledge_item_id": item.id, "knowledge_base_id": "none"},
            {"knowledge_item_id": item.id, "knowledge_revision_id": "rev-none"},
            {"knowledge_item_id": item.id, "knowledge_revision_id": draft.latest},
            {"query": "text", "knowledge_base_id": "old"},
            {"query": "text", "knowledge_base_id": "none"},
        ]
        refusals = [await door.refused(**arguments) for arguments in asked]
    assert refusals[0]["code"] == "knowledge_resource_unavailable"
    assert all(refusal == refusals[0] for refusal in refusals)


@proves("error:disabled")
async def test_turned_off_the_tool_says_so_and_searches_nothing_else(place: str) -> None:
    async with open_door(place, with_documents=False) as door:
        for arguments in ({"query": "coffee"}, {"knowledge_item_id": "d"}, {}):
            refused = await door.refused(**arguments)
            assert (refused["type"], refused["code"]) == ("knowledge_unavailable", "knowledge_runtime_disabled")


@proves("error:permission")
async def test_a_key_that_may_not_read_knowledge_is_told_so(place: str) -> None:
    other = replace(ADMIN, permissions=frozenset({"memory:read", "knowledge:write"}))
    async with open_door(place, anonymous=other) as door:
        refused = await door.refused(query="coffee")
    assert (refused["type"], refused["code"]) == ("error", "permission_denied")
    assert "knowledge:read" in refused["message"]


@proves("error-shape")
async def test_a_store_that_is_away_is_an_error_with_a_time_to_come_back(place: str) -> None:
    async with open_door(place, anonymous=ADMIN) as door:
        await door.ports.storage.close()
        refused = await door.refused(query="coffee")
    assert refused["code"] == "temporarily_unavailable"
    assert refused["details"]["retry_after_s"] >= 1


@proves("error:unexpected")
async def test_an_unforeseen_error_shows_the_request_id_and_no_details(place: str) -> None:
    async with open_door(place) as door:
        broken = replace(door.ports, storage=None)  # type: ignore[arg-type]
        with structlog.testing.capture_logs() as logs:
            result = await call_tool(broken, toolbox(listed=True), Caller(ADMIN, "req-7"), NAME, {"query": "q"})
    assert result["isError"] is True
    assert "req-7" in result["content"][0]["text"]
    assert "NoneType" not in result["content"][0]["text"]
    assert [(entry["event"], entry["request_id"]) for entry in logs] == [("tool_failed", "req-7")]


@proves("error-table")
def test_every_error_of_the_model_has_a_code() -> None:
    assert set(CODES) == set(_classes(YikuError))


def _classes(error: type[YikuError]) -> Iterator[type[YikuError]]:
    yield error
    for child in error.__subclasses__():
        yield from _classes(child)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)


@proves("error:invalid")
@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from([*SearchKnowledgeArguments.model_fields, "owner_id"]), SCALARS, max_size=5))
def test_any_arguments_are_understood_or_refused(arguments: dict[str, Any]) -> None:
    try:
        wanted = decode_call(parse_fields(SearchKnowledgeArguments, NAME, arguments), Limits())
    except (InvalidInput, CallRefused):
        return
    assert 1 <= wanted.limit <= 10_000
