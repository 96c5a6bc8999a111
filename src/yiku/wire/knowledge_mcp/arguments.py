"""What the tool takes: an argument model, whose JSON schema the tools list shows."""

from __future__ import annotations

from pydantic import Field

from yiku.core.knowledge.addressed import READ_CHARACTERS_MAX
from yiku.model.conditions import INTEGER_MAX
from yiku.wire.fields import Fields, Integer

QUERY_CHARACTERS_MAX = 4_096
"""Beyond that a query is refused (contracts.md G.36)."""


class SearchKnowledgeArguments(Fields, extra="forbid"):
    """Unknown names are refused: nobody chooses whose knowledge it is by naming an owner or a scope."""

    query: str = Field(
        "",
        description="What to search for, in natural language and in any language. Leave it out to read an item.",
        examples=["How do we roll back a deployment?", "如何回滚部署"],
    )
    knowledge_base_id: str = Field(
        "", description="Search this knowledge base only, or make sure that the item belongs to it; all by default."
    )
    knowledge_item_id: str = Field(
        "", description="Read this item instead of searching; a search returns it as knowledge_item_id."
    )
    knowledge_revision_id: str = Field(
        "", description="With knowledge_item_id: exactly this revision. By default the one that is current."
    )
    offset: Integer = Field(0, ge=0, le=INTEGER_MAX, description="When reading: the character to begin with, from 0.")
    limit_chars: Integer = Field(
        4_000, ge=1, le=READ_CHARACTERS_MAX, description="When reading: how many characters at most."
    )
    max_results: Integer = Field(10, ge=1, le=50, description="When searching: how many items at most.")
    mode: str = Field(
        "hybrid",
        description="How a search is ordered: hybrid (words and meaning), lexical (words), semantic (meaning) or rrf "
        "(both, by rank). Anything else is hybrid.",
        examples=["hybrid", "lexical", "semantic", "rrf"],
    )
    alpha: float = Field(
        0.5, description="What words count in hybrid, 0 to 1; meaning counts the rest. Beyond that the nearest is used."
    )
