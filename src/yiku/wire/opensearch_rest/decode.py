"""Bodies and parts of paths that only this dialect has, as commands and queries."""

from __future__ import annotations

from yiku.model.errors import InvalidInput, NotFound
from yiku.model.limits import Limits
from yiku.model.memories import ChangeMemory, DeleteMemories, ListMemories
from yiku.model.metadata import check_metadata, time_anchor
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier
from yiku.wire.fields import decode_id
from yiku.wire.opensearch_decode import decode_as_of, decode_lifetime, decode_memory_text
from yiku.wire.opensearch_filters import search_filters
from yiku.wire.opensearch_rest.bodies import DeleteBody, ListBody, UpdateBody


def decode_list(body: ListBody, workspace: str, limits: Limits) -> ListMemories:
    user_id, where = search_filters(body.filters, limits)
    scope = Scope(workspace=workspace, user_id=user_id)
    as_of = decode_as_of(body.as_of)
    return ListMemories(scope=scope, where=where, as_of=as_of, page=body.page, page_size=body.page_size)


def decode_delete(body: DeleteBody, workspace: str, limits: Limits) -> DeleteMemories:
    user_id, where = search_filters(body.filters, limits)
    return DeleteMemories(scope=Scope(workspace=workspace, user_id=user_id), where=where)


def decode_update(body: UpdateBody, limits: Limits) -> ChangeMemory:
    lifetime = decode_lifetime(body.expires_at, body.ttl_seconds)
    if body.text is None and body.metadata is None and lifetime is None:
        raise InvalidInput("text or metadata is required, or a time to expire", field="text")
    if body.metadata is not None:
        check_metadata(body.metadata, limits)
        time_anchor(body.metadata)
    return ChangeMemory(
        text=None if body.text is None else decode_memory_text(body.text, limits),
        metadata=body.metadata,
        lifetime=lifetime,
    )


def decode_path_id(value: str, *, field: str, limits: Limits) -> str:
    """An id as a path names it; what could be no id is not there either."""
    try:
        return decode_id(value, field=field, limits=limits)
    except InvalidInput as error:
        raise NotFound(f"There is nothing with this {field}", field=field) from error


def decode_user_id(value: str, limits: Limits) -> str:
    return check_identifier(value, field="user_id", bytes_max=limits.user_id_bytes)
