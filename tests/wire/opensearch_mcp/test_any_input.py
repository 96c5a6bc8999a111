"""Whatever arrives, the answer is a refusal in our own words: nothing falls through to an unforeseen error."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from yiku.model.conditions import And, matches
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ListMemories, SearchMemories
from yiku.wire.fields import parse_fields
from yiku.wire.jsonrpc import JsonRpcError, decode_envelope
from yiku.wire.opensearch_decode import decode_add, decode_search
from yiku.wire.opensearch_mcp.arguments import AddArguments, Arguments, ListArguments, SearchArguments
from yiku.wire.opensearch_mcp.decode import decode_list
from yiku.wire.opensearch_mcp.knowledge_arguments import (
    GrepArguments,
    HybridArguments,
    NodeArguments,
    NodesArguments,
    ReadArguments,
)
from yiku.wire.opensearch_mcp.knowledge_decode import (
    decode_grep,
    decode_hybrid,
    decode_node_ids,
    decode_nodes_search,
)

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
CONDITIONS = st.dictionaries(KEYS.filter(lambda key: key != "user_id") | st.just("agent_id"), JSON, max_size=2)
TAKEN = (
    AddArguments, SearchArguments, ListArguments, NodesArguments, NodeArguments, GrepArguments, ReadArguments,
    HybridArguments,
)  # fmt: skip
ARGUMENTS = st.sampled_from([*dict.fromkeys(name for model in TAKEN for name in model.model_fields), "other"])


def add(given_arguments: dict[str, Any]) -> AddMemories:
    return decode_add(parse_fields(AddArguments, "memory_add", given_arguments), "default", LIMITS)


def search(given_arguments: dict[str, Any]) -> SearchMemories:
    return decode_search(parse_fields(SearchArguments, "memory_search", given_arguments), "default", LIMITS)


def listing(given_arguments: dict[str, Any]) -> ListMemories:
    return decode_list(parse_fields(ListArguments, "memory_get_all", given_arguments), "default", LIMITS)


def nodes(given_arguments: dict[str, Any]) -> object:
    return decode_nodes_search(parse_fields(NodesArguments, "kb_nodes_search", given_arguments), LIMITS)


def node(given_arguments: dict[str, Any]) -> object:
    return decode_node_ids(parse_fields(NodeArguments, "kb_node_content_get", given_arguments).node_ids, LIMITS)


def grep(given_arguments: dict[str, Any]) -> object:
    return decode_grep(parse_fields(GrepArguments, "kb_doc_grep", given_arguments), LIMITS)


def read(given_arguments: dict[str, Any]) -> object:
    return parse_fields(ReadArguments, "kb_doc_read", given_arguments)


def hybrid(given_arguments: dict[str, Any]) -> object:
    return decode_hybrid(parse_fields(HybridArguments, "hybrid_search", given_arguments), "default", LIMITS)


DECODERS: dict[type[Arguments], tuple[Callable[[dict[str, Any]], object], dict[str, Any]]] = {
    AddArguments: (add, {"user_id": "u", "messages": "m"}),
    SearchArguments: (search, {"query": "q", "filters": {"AND": [{"user_id": "u"}]}}),
    ListArguments: (listing, {"filters": {"user_id": "u"}}),
    NodesArguments: (nodes, {"query": "q", "kb_id": "kb"}),
    NodeArguments: (node, {"node_ids": ["n"], "kb_id": "kb"}),
    GrepArguments: (grep, {"kb_id": "kb", "doc_id": "d", "pattern": "p"}),
    ReadArguments: (read, {"kb_id": "kb", "doc_id": "d"}),
    HybridArguments: (hybrid, {"query": "q", "user_id": "u"}),
}
"""With a call that each understands."""


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(ARGUMENTS, JSON, max_size=6))
def test_any_arguments_are_understood_or_refused(arguments: dict[str, Any]) -> None:
    for model, (decode, complete) in DECODERS.items():
        decode(complete)
        fitting = {name: value for name, value in arguments.items() if name in model.model_fields}
        for given_arguments in (arguments, fitting, complete | fitting):
            with suppress(InvalidInput):
                decode(given_arguments)


@settings(max_examples=150, deadline=None)
@given(st.lists(CONDITIONS, max_size=3))
def test_any_conditions_in_a_valid_form_narrow_the_users_memories_or_are_refused(members: list[dict[str, Any]]) -> None:
    joined = {key: value for member in members for key, value in member.items()}
    searched = {"query": "q", "filters": {"AND": [{"user_id": "u"}, *members]}}
    listed = {"filters": joined | {"user_id": "u"}}
    for decode, arguments, leaves in ((search, searched, sum(map(len, members))), (listing, listed, len(joined))):
        with suppress(InvalidInput):
            query = decode(arguments)
            assert query.scope.user_id == "u"
            assert isinstance(query.where, And)
            assert len(query.where.parts) == leaves
            assert matches(query.where, {}) <= (leaves == 0)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    with suppress(JsonRpcError):
        decode_envelope(data, depth_max=LIMITS.json_depth)
