"""The ledger and the tests say the same, and the ledger says where it has it from."""

from __future__ import annotations

import re

from tests.wire.ledger import proven_beside, sources_of

from .requirements import REQUIREMENTS

SECTIONS = re.compile(r"DESIGN §[1-9]|contracts\.md (?:E\.[1-5]|G\.35)")


def test_requirements_and_proofs_are_the_same() -> None:
    assert __package__
    assert proven_beside(__file__, __package__) == REQUIREMENTS.keys()


def test_every_requirement_names_the_sections_it_comes_from() -> None:
    assert {source for source in sources_of(REQUIREMENTS) if not SECTIONS.fullmatch(source)} == set()
