"""Is every reported fault claimed by a test, declared not to apply, or said to be open?"""

from __future__ import annotations

from tests.wire.ledger import proven_beside

from .ledger import CASES, DECLARED, ELSEWHERE, OPEN


def _proven() -> set[str]:
    assert __package__
    return proven_beside(__file__, __package__, elsewhere=ELSEWHERE) & CASES.keys()


def test_every_case_is_claimed_declared_or_open() -> None:
    assert CASES.keys() - _proven() - DECLARED.keys() - OPEN.keys() == set()


def test_what_is_claimed_is_neither_declared_nor_open() -> None:
    assert _proven() & (DECLARED.keys() | OPEN.keys()) == set()


def test_every_claim_and_declaration_is_of_a_case() -> None:
    assert (DECLARED.keys() | OPEN.keys()) - CASES.keys() == set()
    assert __package__
    assert proven_beside(__file__, __package__) - CASES.keys() == set()


def test_a_declaration_states_its_reason() -> None:
    assert all(reason.endswith(".") for reason in DECLARED.values())
