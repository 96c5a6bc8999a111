"""Whatever arrives, the answer is a refusal in our own words: nothing falls through to an unforeseen error."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.wire.jsonrpc import JsonRpcError, decode_envelope
from yiku.wire.opensearch_mcp.arguments import AddArguments, Arguments, ListArguments, SearchArguments, parse_arguments
from yiku.wire.opensearch_mcp.decode import decode_add, decode_list, decode_search

LIMITS = Limits()
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.just("__default__")
)
KEYS = st.sampled_from(
    ["user_id", "agent_id", "run_id", "AND", "OR", "role", "content", "type", "text", "name", "timestamp", "tool_calls"]
) | st.text(max_size=4)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
ARGUMENTS = st.sampled_from(
    [*AddArguments.model_fields, *SearchArguments.model_fields, *ListArguments.model_fields, "other"]
)


COMPLETE = {"user_id": "u", "messages": "m", "query": "q", "filters": {"user_id": "u"}}


def _decode_all(given_arguments: dict[str, Any]) -> None:
    def fitting(model: type[Arguments]) -> dict[str, Any]:
        return {name: value for name, value in given_arguments.items() if name in model.model_fields}

    with suppress(InvalidInput):
        decode_add(parse_arguments(AddArguments, "memory_add", fitting(AddArguments)), "default", LIMITS)
    with suppress(InvalidInput):
        decode_search(parse_arguments(SearchArguments, "memory_search", fitting(SearchArguments)), "default", LIMITS)
    with suppress(InvalidInput):
        decode_list(parse_arguments(ListArguments, "memory_get_all", fitting(ListArguments)), "default", LIMITS)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(ARGUMENTS, JSON, max_size=6))
def test_any_arguments_are_understood_or_refused(arguments: dict[str, Any]) -> None:
    _decode_all(arguments)
    _decode_all(COMPLETE | arguments)
    with suppress(InvalidInput):
        parse_arguments(SearchArguments, "memory_search", arguments)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    with suppress(JsonRpcError):
        decode_envelope(data, depth_max=LIMITS.json_depth)
