"""What was found or read, in the shapes of results."""

from __future__ import annotations

from urllib.parse import quote

from yiku.core.knowledge.addressed import Piece, ReadPublished
from yiku.core.knowledge.lines import page_at
from yiku.core.knowledge.nodes import section_path
from yiku.core.knowledge.search_published import AnsweringPlace, PublishedHit, PublishedHits
from yiku.model.principal import Principal
from yiku.wire.knowledge_mcp.results import MatchRow, ReadText, SearchRow, SearchText

SCORE_DECIMALS = 4


def search_text(found: PublishedHits) -> SearchText:
    text: SearchText = {"type": "knowledge_search", "results": [_row(hit) for hit in found.hits]}
    if found.notices:
        text["notices"] = list(found.notices)
    return text


def read_text(piece: Piece, wanted: ReadPublished, principal: Principal) -> ReadText:
    document, revision = piece.document, piece.revision
    pages = [page_at(line, revision.page_lines) for line in (piece.first_line, piece.last_line)]
    return {
        "type": "knowledge",
        "owner_id": principal.user_id or principal.key_id,
        "team_id": principal.workspace,
        "scope": "team",
        "knowledge_base_id": document.base_id,
        "knowledge_item_id": document.id,
        "knowledge_revision_id": revision.id,
        "title": revision.title,
        "content": piece.content,
        "locator": _locator((piece.first_line, piece.last_line), (pages[0], pages[1])),
        "source": revision.source,
        "reference": _reference(document.base_id, document.id, revision.id, piece.first_line, piece.last_line),
        "content_offset": wanted.offset,
        "content_limit": wanted.limit,
        "content_total_chars": revision.characters,
        "content_truncated": piece.is_cut,
    }


def _row(hit: PublishedHit) -> SearchRow:
    best, *others = hit.places
    return {
        "knowledge_base_id": hit.base.id,
        "knowledge_item_id": hit.document.id,
        "knowledge_revision_id": hit.revision.id,
        "title": hit.revision.title,
        "source": hit.revision.source,
        **_match(hit, best),
        "more_matches": [_match(hit, place) for place in others],
    }


def _match(hit: PublishedHit, place: AnsweringPlace) -> MatchRow:
    vector, span = place.legs.vector, place.node.span
    return {
        "excerpt": place.excerpt,
        "citation": _citation(hit, place),
        "reference": _reference(hit.base.id, hit.document.id, hit.revision.id, span.start_line, span.end_line),
        "content_offset": place.start,
        "score": round(place.score, SCORE_DECIMALS),
        "lexical_score": round(place.legs.words, SCORE_DECIMALS),
        "semantic_score": None if vector is None else round(vector, SCORE_DECIMALS),
    }


def _citation(hit: PublishedHit, place: AnsweringPlace) -> str:
    """`Handbook / Deployment > Rollback, lines 10–20`: a title that is also the first heading is not said twice."""
    titles = [hit.revision.title, *place.node.path]
    span = place.node.span
    locator = _locator((span.start_line, span.end_line), (span.page_start, span.page_end))
    return f"{hit.base.name} / {section_path(titles[1:] if titles[:1] == titles[1:2] else titles)}, {locator}"


def _locator(lines: tuple[int, int], pages: tuple[int | None, int | None]) -> str:
    on_lines = _from_to("line", *lines)
    return on_lines if pages[0] is None else f"{_from_to('page', pages[0], pages[1] or pages[0])}, {on_lines}"


def _from_to(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first}–{last}"


def _reference(base_id: str, item_id: str, revision_id: str, first_line: int, last_line: int) -> str:
    path = "/".join(quote(part, safe="") for part in (base_id, item_id, revision_id))
    return f"knowledge://{path}#L{first_line}-L{last_line}"
