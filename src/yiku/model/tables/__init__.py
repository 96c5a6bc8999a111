"""Tables that ship with Yiku. Stored data depends on them: they change only with the tokeniser's version."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def table_lines(name: str) -> list[str]:
    """The lines of a table, comments and blank lines left out."""
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def traditional_to_simplified() -> dict[int, str]:
    """For `str.translate`: traditional characters to simplified ones."""
    traditional, simplified = table_lines("traditional.txt")
    return {ord(character): other for character, other in zip(traditional, simplified, strict=True)}


@cache
def background_shares() -> dict[str, float]:
    """Term → the share of ordinary records that contain it; terms that are not listed are rare."""
    shares: dict[str, float] = {}
    for line in table_lines("background.txt"):
        share, _, terms = line.partition(" ")
        shares.update(dict.fromkeys(terms.split(), float(share)))
    return shares
