"""What the tools for documents take."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from yiku.core.knowledge.contents import NODES_AT_ONCE
from yiku.model.knowledge import Expansion
from yiku.wire.fields import Integer
from yiku.wire.opensearch_mcp.arguments import Arguments

DOCUMENTS_MOST = 100
"""Ids in `doc_ids`: each is a lookup."""
LINES_UNASKED = 200
"""What a reader gets who does not say how many lines: some pages, and little of an agent's context."""

_IDS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}

KbId = Annotated[
    str,
    Field(description="Which knowledge base: its id, as you were told it.", examples=["your_kb_id"]),
]
DocId = Annotated[
    str,
    Field(
        description="The document, by its id: kb_docs_search returns it as id, kb_nodes_search as doc_id.",
        examples=["your_doc_id"],
    ),
]
DocIds = Annotated[Any, WithJsonSchema(_IDS | {"maxItems": DOCUMENTS_MOST})]
NodeIds = Annotated[Any, WithJsonSchema(_IDS | {"minItems": 1, "maxItems": NODES_AT_ONCE})]
Expand = Annotated[
    str, WithJsonSchema({"type": "string", "enum": [way.value for way in Expansion], "default": Expansion.NONE.value})
]


class DocsArguments(Arguments):
    query: str = Field(description="What the document should be about, in plain words.", examples=["产品使用手册"])
    kb_id: KbId
    topk: Integer = Field(10, ge=1, le=100, description="How many documents to return at most.", examples=[5])


class NodesArguments(Arguments):
    query: str = Field(
        description="What you want to know, in plain words.", examples=["如何配置权限", "How are permissions set?"]
    )
    kb_id: KbId
    topk: Integer = Field(5, ge=1, le=100, description="How many passages to look for at most.", examples=[3])
    doc_ids: DocIds | SkipJsonSchema[None] = Field(
        None,
        description="Search these documents only; leave it out for all. An empty list finds nothing.",
        examples=[["your_doc_id"]],
    )
    expand: Expand = Field(
        Expansion.NONE.value,
        description="no_expand: the passages themselves. max_score: the section around each passage, once, with the "
        "score of its best passage. cohierarchy: one section in place of passages that share it, others stay.",
        examples=["cohierarchy"],
    )


class StructureArguments(Arguments):
    kb_id: KbId
    doc_id: DocId


class NodeArguments(Arguments):
    node_ids: NodeIds = Field(
        description="Ids of nodes, as kb_nodes_search (id) and kb_doc_structure_get (node_id) return them.",
        examples=[["your_node_id_1", "your_node_id_2"]],
    )
    kb_id: KbId


class GrepArguments(Arguments):
    kb_id: KbId
    doc_id: DocId
    pattern: str = Field(
        description="A regular expression, looked for in each line by itself: no lookaround, no backreferences. With "
        "literal the text as it stands.",
        examples=["配置.*参数", r"error\s+\d+"],
    )
    context: Integer = Field(0, ge=0, le=20, description="Lines to show before and after each match.", examples=[2])
    ignore_case: bool = Field(False, description="Take large and small letters for the same.")
    literal: bool = Field(False, description="Signs like . * ( mean themselves.")
    limit: Integer = Field(100, ge=1, le=1000, description="How many matches to show at most.", examples=[20])


class ReadArguments(Arguments):
    kb_id: KbId
    doc_id: DocId
    offset: Integer = Field(1, ge=1, description="The first line to read, counted from 1.", examples=[1])
    limit: Integer = Field(LINES_UNASKED, ge=1, le=2000, description="How many lines to read at most.", examples=[50])


class HybridArguments(Arguments):
    query: str = Field(description="What you want to know, in plain words.", examples=["如何处理退货"])
    user_id: str = Field(description="Whose memories are searched.", examples=["your_user_id"])
    kb_id: str | SkipJsonSchema[None] = Field(
        None, description="The knowledge base to search beside them; left out, none is.", examples=["your_kb_id"]
    )
    agent_id: str | SkipJsonSchema[None] = Field(
        None, description="Only memories that came through this agent.", examples=["your_agent_id"]
    )
    top_k: Integer = Field(10, ge=1, le=100, description="How many results of each kind at most.", examples=[5])
