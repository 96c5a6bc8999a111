"""The ledger and the tests say the same, and the ledger says where it has it from."""

from __future__ import annotations

import re

from tests.wire.ledger import proven_beside, sources_of

from .requirements import REQUIREMENTS

SECTIONS = re.compile(
    r"seed 004 (?:适用场景|不适用场景|所需权限范围|参数列表|返回模式|错误信息)"
    r"|DESIGN §[1-9]"
    r"|contracts\.md (?:A\.[12]|E\.[1-5]|G\.(?:3[5-8]))"
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
