"""Arguments as commands and queries: whoever holds one of these need not check again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ListMemories, SearchMemories
from yiku.model.metadata import check_metadata
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier, check_text
from yiku.model.times import parse_timestamp
from yiku.wire.jsonrpc import MalformedJson, parse_json
from yiku.wire.opensearch_mcp.arguments import AddArguments, ListArguments, SearchArguments
from yiku.wire.opensearch_mcp.filters import decode_dimension, list_filters, search_filters
from yiku.wire.opensearch_mcp.messages import decode_messages


def decode_add(arguments: AddArguments, workspace: str, limits: Limits) -> AddMemories:
    metadata = {} if arguments.metadata is None else decode_object(arguments.metadata, field="metadata", limits=limits)
    check_metadata(metadata, limits)
    timestamp = metadata.get("timestamp")
    return AddMemories(
        scope=Scope(
            workspace=workspace,
            user_id=check_identifier(arguments.user_id, field="user_id", bytes_max=limits.user_id_bytes),
            agent_id=decode_dimension(arguments.agent_id, field="agent_id", limits=limits),
            run_id=decode_dimension(arguments.run_id, field="run_id", limits=limits),
        ),
        messages=decode_messages(arguments.messages, limits),
        metadata=metadata,
        anchor=None if timestamp is None else parse_timestamp(timestamp, field="metadata.timestamp"),
        infer=arguments.infer,
    )


def decode_search(arguments: SearchArguments, workspace: str, limits: Limits) -> SearchMemories:
    filters = decode_object(arguments.filters, field="filters", limits=limits)
    user_id, where = search_filters(filters, limits)
    return SearchMemories(
        scope=Scope(workspace=workspace, user_id=user_id),
        text=check_text(arguments.query, field="query", bytes_max=limits.query_bytes),
        where=where,
        top_k=arguments.top_k,
        threshold=arguments.threshold,
        rerank=arguments.rerank,
    )


def decode_list(arguments: ListArguments, workspace: str, limits: Limits) -> ListMemories:
    filters = decode_object(arguments.filters, field="filters", limits=limits)
    user_id, where = list_filters(filters, limits)
    return ListMemories(
        scope=Scope(workspace=workspace, user_id=user_id),
        where=where,
        page=arguments.page,
        page_size=arguments.page_size,
    )


def decode_id(value: str, *, field: str, limits: Limits) -> str:
    """An id as somebody sent it; whether there is such a thing is for the verb to say."""
    return check_text(value, field=field, bytes_max=limits.user_id_bytes)


def decode_memory_text(value: str, limits: Limits) -> str:
    return check_text(value, field="text", bytes_max=limits.memory_bytes)


def decode_object(value: object, *, field: str, limits: Limits) -> Mapping[str, Any]:
    """An object. Some clients send it as JSON text; where nothing but an object can be meant, that is understood."""
    if isinstance(value, str):
        try:
            value = parse_json(value, depth_max=limits.json_depth)
        except MalformedJson as error:
            raise InvalidInput(
                f"{field} must be an object; this is text, and not JSON: {error}", field=field
            ) from error
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{field} must be an object", field=field)
    return value
