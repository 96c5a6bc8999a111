"""The ledger and the tests say the same, and the ledger says where it has it from."""

from __future__ import annotations

import re

from tests.wire.ledger import proven_beside, sources_of

from .requirements import REQUIREMENTS

PROOFS_ELSEWHERE = ("tests.e2e.test_mcp_command",)
SECTIONS = re.compile(
    r"seed 000 (?:工具总览|请求端点|Header参数|请求体格式|响应体格式|Memory工具|Knowledge Base工具)"
    r"|seed 000 memory_(?:add|event_status_get|search|get|get_all|update|delete)"
    r"|seed 000 (?:kb_(?:docs_search|nodes_search|doc_structure_get|node_content_get|doc_grep|doc_read)|hybrid_search)"
    r"|knowledge\.md §[0-7]"
    r"|issue 6"
    r"|DESIGN (?:preface|§[1-9])"
    r"|contracts\.md (?:A\.[12]|B\.[1-5]|G\.(?:[1-9]|[12]\d|3[0-8]))"
    r"|http-and-mcp\.md §[1-4]"
    r"|http-and-mcp\.md §1 fix (?:[1-9]|1[0-3])"
    r"|http-and-mcp\.md §6 row (?:1|3|4|6|8|9|11|13|14|16|18|19|21|23|24|26|28|29|31)"
    r"|cases/memory\.jsonl B\d{3}"
    r"|MCP 2025-11-25 (?:Lifecycle|Transports|Ping|Cancellation)"
    r"|JSON-RPC 2\.0 §5\.1"
    r"|RFC 8259 §8\.1"
)
"""The sections that there are in the documents this dialect is built from."""


def _proven() -> set[str]:
    assert __package__
    return proven_beside(__file__, __package__, elsewhere=PROOFS_ELSEWHERE)


def test_every_requirement_is_proven_by_a_test() -> None:
    assert REQUIREMENTS.keys() - _proven() == set()


def test_every_proof_is_of_a_requirement() -> None:
    assert _proven() - REQUIREMENTS.keys() == set()


def test_every_requirement_names_the_sections_it_comes_from() -> None:
    assert {source for source in sources_of(REQUIREMENTS) if not SECTIONS.fullmatch(source)} == set()


def test_a_divergence_states_its_reason() -> None:
    assert all(entry.divergence is None or entry.divergence.endswith(".") for entry in REQUIREMENTS.values())
