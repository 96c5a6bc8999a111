"""Arguments of the tools for documents, as questions to the verbs."""

from __future__ import annotations

from yiku.core.hybrid import HybridQuery
from yiku.core.knowledge.contents import NODES_AT_ONCE
from yiku.core.knowledge.reading import GrepDocument
from yiku.core.knowledge.search import SearchNodes
from yiku.model.conditions import EVERYTHING, Eq
from yiku.model.errors import InvalidInput
from yiku.model.knowledge import Expansion
from yiku.model.limits import Limits
from yiku.model.memories import SearchMemories
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier, check_text
from yiku.wire.fields import decode_id
from yiku.wire.opensearch_filters import decode_dimension
from yiku.wire.opensearch_mcp.knowledge_arguments import (
    DOCUMENTS_MOST,
    GrepArguments,
    HybridArguments,
    NodesArguments,
)


def decode_base_id(value: str, limits: Limits) -> str:
    return decode_id(value, field="kb_id", limits=limits)


def decode_document_id(value: str, limits: Limits) -> str:
    return decode_id(value, field="doc_id", limits=limits)


def decode_node_ids(value: object, limits: Limits) -> tuple[str, ...]:
    return _ids(value, field="node_ids", least=1, most=NODES_AT_ONCE, limits=limits)


def decode_question(value: str, limits: Limits) -> str:
    return check_text(value, field="query", bytes_max=limits.query_bytes)


def decode_nodes_search(given: NodesArguments, limits: Limits) -> SearchNodes:
    chosen = given.doc_ids
    return SearchNodes(
        text=decode_question(given.query, limits),
        top_k=given.topk,
        document_ids=None if chosen is None else _ids(chosen, field="doc_ids", most=DOCUMENTS_MOST, limits=limits),
        expansion=_expansion(given.expand),
    )


def decode_grep(given: GrepArguments, limits: Limits) -> GrepDocument:
    return GrepDocument(
        # One blank is a pattern too; what is empty is refused by those who know patterns.
        pattern=check_text(given.pattern, field="pattern", bytes_max=limits.query_bytes, blank_allowed=True),
        context=given.context,
        ignore_case=given.ignore_case,
        literal=given.literal,
        limit=given.limit,
    )


def decode_hybrid(given: HybridArguments, workspace: str, limits: Limits) -> HybridQuery:
    user_id = check_identifier(given.user_id, field="user_id", bytes_max=limits.user_id_bytes)
    agent_id = decode_dimension(given.agent_id, field="agent_id", limits=limits)
    return HybridQuery(
        memories=SearchMemories(
            scope=Scope(workspace=workspace, user_id=user_id),
            text=decode_question(given.query, limits),
            where=EVERYTHING if given.agent_id is None else Eq("agent_id", agent_id),
            top_k=given.top_k,
        ),
        base_id=None if given.kb_id is None else decode_base_id(given.kb_id, limits),
    )


def _ids(value: object, *, field: str, most: int, limits: Limits, least: int = 0) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{field} must be a list of ids", field=field)
    if not least <= len(value) <= most:
        raise InvalidInput(f"{field} must name {least} to {most} ids; it names {len(value)}", field=field)
    for position, named in enumerate(value):
        place = f"{field}[{position}]"
        if not isinstance(named, str):
            raise InvalidInput(f"{place} must be text", field=place)
        decode_id(named, field=place, limits=limits)
    return tuple(value)


def _expansion(value: str) -> Expansion:
    try:
        return Expansion(value)
    except ValueError as error:
        known = ", ".join(way.value for way in Expansion)
        raise InvalidInput(f"expand must be one of {known}", field="expand") from error
