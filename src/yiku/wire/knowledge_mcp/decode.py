"""Arguments as what is wanted: a search, or a piece of an item."""

from __future__ import annotations

from yiku.core.knowledge.addressed import ReadPublished
from yiku.core.knowledge.search_published import SearchPublished
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.passages import Fusion, PassageOrder
from yiku.model.texts import check_text
from yiku.wire.fields import decode_id
from yiku.wire.knowledge_mcp.arguments import QUERY_CHARACTERS_MAX, SearchKnowledgeArguments
from yiku.wire.knowledge_mcp.errors import ITEM_REQUIRED, QUERY_REQUIRED, CallRefused

_MODES = {fusion.value: fusion for fusion in Fusion}


def decode_call(given: SearchKnowledgeArguments, limits: Limits) -> SearchPublished | ReadPublished:
    """What a call asks for; texts that are blank count as not given."""
    base_id = _id(given.knowledge_base_id, "knowledge_base_id", limits)
    item_id = _id(given.knowledge_item_id, "knowledge_item_id", limits)
    revision_id = _id(given.knowledge_revision_id, "knowledge_revision_id", limits)
    searches = bool(given.query.strip())
    if searches and (item_id or revision_id):
        raise InvalidInput(
            "Either search with query, or read with knowledge_item_id and knowledge_revision_id: not both at once",
            field="query",
        )
    if revision_id and not item_id:
        raise CallRefused(ITEM_REQUIRED, "knowledge_revision_id needs the knowledge_item_id of its item beside it")
    if item_id:
        return ReadPublished(
            item_id=item_id, base_id=base_id, revision_id=revision_id, offset=given.offset, limit=given.limit_chars
        )
    if not searches:
        raise CallRefused(QUERY_REQUIRED, "Give a query to search, or a knowledge_item_id to read an item")
    return SearchPublished(
        text=_query(given.query, limits), limit=given.max_results, base_id=base_id, order=_order(given)
    )


def _id(value: str, field: str, limits: Limits) -> str | None:
    return decode_id(value, field=field, limits=limits) if value.strip() else None


def _query(text: str, limits: Limits) -> str:
    if len(text) > QUERY_CHARACTERS_MAX:
        raise InvalidInput(f"query has {len(text)} characters; the limit is {QUERY_CHARACTERS_MAX}", field="query")
    return check_text(text, field="query", bytes_max=limits.query_bytes)


def _order(given: SearchKnowledgeArguments) -> PassageOrder:
    mode = _MODES.get(given.mode.strip().lower(), Fusion.MIX)
    return PassageOrder(mode, min(max(given.alpha, 0.0), 1.0)) if mode is Fusion.MIX else PassageOrder(mode)
