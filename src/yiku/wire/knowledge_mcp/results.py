"""The shapes that stand in the text of a result, and the shape around it."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class MatchRow(TypedDict):
    """A place that answers. `content_offset` is where to read on from with `offset`."""

    excerpt: str
    citation: str
    reference: str
    content_offset: int
    score: float
    lexical_score: float
    semantic_score: float | None
    """None where meaning was not asked for, or cannot be told."""


class SearchRow(MatchRow):
    """An item, with the best place in it; `more_matches` are the next ones."""

    knowledge_base_id: str
    knowledge_item_id: str
    knowledge_revision_id: str
    title: str
    source: str
    more_matches: list[MatchRow]


class SearchText(TypedDict):
    type: Literal["knowledge_search"]
    results: list[SearchRow]
    notices: NotRequired[list[str]]


class ReadText(TypedDict):
    """`content_total_chars` are those of the revision; `content_truncated` says that there is more after this."""

    type: Literal["knowledge"]
    owner_id: str
    team_id: str
    scope: Literal["team"]
    knowledge_base_id: str
    knowledge_item_id: str
    knowledge_revision_id: str
    title: str
    content: str
    locator: str
    source: str
    reference: str
    content_offset: int
    content_limit: int
    content_total_chars: int
    content_truncated: bool


class TextResult(TypedDict):
    """A tool that gives a text."""

    result: str
