"""Fields of both OpenSearch dialects as commands and queries: whoever holds one of these need not check again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, SearchMemories
from yiku.model.metadata import check_metadata, time_anchor
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier, check_text
from yiku.wire.jsonrpc import MalformedJson, parse_json
from yiku.wire.opensearch_fields import AddFields, SearchFields
from yiku.wire.opensearch_filters import decode_dimension, search_filters
from yiku.wire.opensearch_messages import decode_messages


def decode_add(fields: AddFields, workspace: str, limits: Limits) -> AddMemories:
    metadata = {} if fields.metadata is None else decode_object(fields.metadata, field="metadata", limits=limits)
    check_metadata(metadata, limits)
    return AddMemories(
        scope=Scope(
            workspace=workspace,
            user_id=check_identifier(fields.user_id, field="user_id", bytes_max=limits.user_id_bytes),
            agent_id=decode_dimension(fields.agent_id, field="agent_id", limits=limits),
            run_id=decode_dimension(fields.run_id, field="run_id", limits=limits),
        ),
        messages=decode_messages(fields.messages, limits),
        metadata=metadata,
        anchor=time_anchor(metadata),
        infer=fields.infer,
    )


def decode_search(fields: SearchFields, workspace: str, limits: Limits) -> SearchMemories:
    filters = decode_object(fields.filters, field="filters", limits=limits)
    user_id, where = search_filters(filters, limits)
    return SearchMemories(
        scope=Scope(workspace=workspace, user_id=user_id),
        text=check_text(fields.query, field="query", bytes_max=limits.query_bytes),
        where=where,
        top_k=fields.top_k,
        threshold=fields.threshold,
        rerank=fields.rerank,
    )


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
