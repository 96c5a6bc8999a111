"""The ledger and the tests say the same, and the ledger says where it has it from."""

from __future__ import annotations

import re

from tests.wire.ledger import proven_beside, sources_of

from .requirements import REQUIREMENTS

SECTIONS = re.compile(
    r"seed 003 (?:公共URI|Header参数|存储 Memory|查询事件状态|搜索 Memory|获取 Memory"
    r"|更新 Memory|删除 Memory|上传 KB 文档|获取 KB 文档列表|查看 KB 文档详情|删除 KB 文档|健康检查|异常响应示例)"
    r"|DESIGN (?:preface|§[1-9])"
    r"|contracts\.md (?:B\.[1-5]|F|G\.(?:[1-9]|[12]\d|3[0-8]))"
    r"|http-and-mcp\.md §[1-6]"
    r"|cases/memory\.jsonl B\d{3}"
    r"|knowledge\.md §[0-7]"
    r"|issue [46]"
)
"""The sections that there are in the documents this dialect is built from."""


def _proven() -> set[str]:
    assert __package__
    return proven_beside(__file__, __package__)


def test_every_requirement_is_proven_by_a_test() -> None:
    assert REQUIREMENTS.keys() - _proven() == set()


def test_every_proof_is_of_a_requirement() -> None:
    assert _proven() - REQUIREMENTS.keys() == set()


def test_every_requirement_names_the_sections_it_comes_from() -> None:
    assert {source for source in sources_of(REQUIREMENTS) if not SECTIONS.fullmatch(source)} == set()


def test_a_divergence_states_its_reason() -> None:
    assert all(entry.divergence is None or entry.divergence.endswith(".") for entry in REQUIREMENTS.values())
