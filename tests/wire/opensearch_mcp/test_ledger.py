"""The ledger and the tests say the same."""

from __future__ import annotations

import importlib
from pathlib import Path

from .requirements import REQUIREMENTS


def _proven() -> set[str]:
    modules = [
        importlib.import_module(f"{__package__}.{path.stem}") for path in Path(__file__).parent.glob("test_*.py")
    ]
    tests = [value for module in modules for name, value in vars(module).items() if name.startswith("test_")]
    return {requirement for test in tests for requirement in getattr(test, "proves", ())}


def test_every_requirement_is_proven_by_a_test() -> None:
    assert REQUIREMENTS.keys() - _proven() == set()


def test_every_proof_is_of_a_requirement() -> None:
    assert _proven() - REQUIREMENTS.keys() == set()


def test_a_divergence_states_its_reason() -> None:
    assert all(entry.divergence is None or entry.divergence.endswith(".") for entry in REQUIREMENTS.values())
