"""What is said of a pattern that cannot be used."""

from __future__ import annotations

from yiku.model.errors import InvalidInput

FIELD = "pattern"


def refused(problem: str) -> InvalidInput:
    """`problem` continues the sentence "The pattern …"."""
    return InvalidInput(f"The pattern {problem}.", field=FIELD)
