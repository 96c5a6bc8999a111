"""Fields of both OpenSearch dialects as commands and queries: whoever holds one of these need not check again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from yiku.model.conditions import And, Eq, Not
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.memories import FOR_GOOD, AddMemories, Lifetime, SearchMemories
from yiku.model.metadata import check_metadata, time_anchor
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier, check_text
from yiku.model.times import parse_timestamp
from yiku.wire.jsonrpc import MalformedJson, parse_json
from yiku.wire.opensearch_fields import AddFields, SearchFields
from yiku.wire.opensearch_filters import decode_dimension, search_filters
from yiku.wire.opensearch_messages import decode_messages

NEVER = "never"


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
        lifetime=decode_lifetime(fields.expires_at, fields.ttl_seconds) or FOR_GOOD,
        idempotency_key=_idempotency_key(fields.idempotency_key, limits),
    )


def decode_search(fields: SearchFields, workspace: str, limits: Limits) -> SearchMemories:
    filters = decode_object(fields.filters, field="filters", limits=limits)
    user_id, where = search_filters(filters, limits)
    if fields.exclude_run_id is not None:
        excluded = decode_dimension(fields.exclude_run_id, field="exclude_run_id", limits=limits)
        where = And((where, Not(Eq("run_id", excluded))))
    return SearchMemories(
        scope=Scope(workspace=workspace, user_id=user_id),
        text=check_text(fields.query, field="query", bytes_max=limits.query_bytes),
        where=where,
        as_of=decode_as_of(fields.as_of),
        top_k=fields.top_k,
        threshold=fields.threshold,
        rerank=fields.rerank,
        explain=fields.explain,
    )


def _idempotency_key(value: str | None, limits: Limits) -> str | None:
    return None if value is None else check_text(value, field="idempotency_key", bytes_max=limits.user_id_bytes)


def decode_lifetime(expires_at: str | None, ttl_seconds: int | None) -> Lifetime | None:
    """None when nothing is said of it."""
    if expires_at is not None and ttl_seconds is not None:
        raise InvalidInput("expires_at and ttl_seconds say the same: give one of them", field="ttl_seconds")
    if ttl_seconds is not None:
        return Lifetime(seconds=ttl_seconds)
    if expires_at is None or expires_at == NEVER:
        return None if expires_at is None else FOR_GOOD
    return Lifetime(until=parse_timestamp(expires_at, field="expires_at"))


def decode_as_of(value: str | None) -> datetime | None:
    return None if value is None else parse_timestamp(value, field="as_of")


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
