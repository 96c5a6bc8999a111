"""Arguments that only this dialect has, as queries."""

from __future__ import annotations

from yiku.model.limits import Limits
from yiku.model.memories import ListMemories
from yiku.model.scopes import Scope
from yiku.wire.opensearch_decode import decode_as_of, decode_object
from yiku.wire.opensearch_filters import list_filters
from yiku.wire.opensearch_mcp.arguments import ListArguments


def decode_list(arguments: ListArguments, workspace: str, limits: Limits) -> ListMemories:
    filters = decode_object(arguments.filters, field="filters", limits=limits)
    user_id, where = list_filters(filters, limits)
    return ListMemories(
        scope=Scope(workspace=workspace, user_id=user_id),
        where=where,
        as_of=decode_as_of(arguments.as_of),
        page=arguments.page,
        page_size=arguments.page_size,
    )
