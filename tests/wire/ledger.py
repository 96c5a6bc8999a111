"""What a ledger is made of: documented facts, the marks on the tests that prove them, and how both are compared."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Requirement:
    fact: str
    source: str
    divergence: str | None = None


def proves(*ids: str) -> Callable[[F], F]:
    """Mark a test as the proof of these requirements."""

    def marked(test: F) -> F:
        test.__dict__["proves"] = ids
        return test

    return marked


def proven_beside(ledger_test: str, package: str, *, elsewhere: Iterable[str] = ()) -> set[str]:
    """What the tests in the folder of `ledger_test`, and in the modules `elsewhere`, say that they prove."""
    beside = [f"{package}.{path.stem}" for path in Path(ledger_test).parent.glob("test_*.py")]
    modules = [importlib.import_module(name) for name in (*beside, *elsewhere)]
    tests = [value for module in modules for name, value in vars(module).items() if name.startswith("test_")]
    return {requirement for test in tests for requirement in getattr(test, "proves", ())}


def sources_of(requirements: Mapping[str, Requirement]) -> set[str]:
    """Every section that the ledger names."""
    return {source for entry in requirements.values() for source in entry.source.split("; ")}
