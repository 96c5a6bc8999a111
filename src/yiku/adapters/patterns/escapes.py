r"""What does an escape such as `\d` or `\u4e2d` stand for: which characters?

`\b`, `\A` and the others that stand for a place in the text are not read here.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache

from yiku.adapters.patterns.refusal import refused

WORD = r"\p{L}_\p{N}"
_SETS = {
    "d": r"\p{Nd}",
    "s": r"\x{9}-\x{d}\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}",
    "w": WORD,
}
"""What Python means by them, as the inside of a class."""
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_OCTAL = re.compile(r"0[0-7]{0,2}|[0-3][0-7]{2}")
_PROPERTY = re.compile(r"[pP](?:[A-Za-z]|\{\^?[A-Za-z_]+\})")
_IN_BRACES = re.compile(r"([xN])\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Escape:
    """One character by its number, or several as the inside of a class. With `is_negated` those that are not in it."""

    end: int
    code: int | None = None
    several: str = ""
    is_negated: bool = False


def escape_at(pattern: str, at: int) -> Escape:
    """The escape whose backslash stands at `at`."""
    letter = pattern[at + 1 : at + 2]
    if not letter:
        raise refused("ends with a single backslash: write two to find a backslash")
    if letter.lower() in _SETS:
        return Escape(at + 2, several=_SETS[letter.lower()], is_negated=letter.isupper())
    if letter in _CONTROLS:
        return Escape(at + 2, _CONTROLS[letter])
    if letter.isascii() and letter.isdigit():
        return _octal(pattern, at)
    if found := _PROPERTY.match(pattern, at + 1):
        return Escape(found.end(), several=rf"\p{found[0][1:]}", is_negated=letter == "P")
    if found := _IN_BRACES.match(pattern, at + 1):
        return Escape(found.end(), _named(found[2]) if letter == "N" else _character(found[2], 16))
    if letter in _HEX_DIGITS:
        return _hexadecimal(pattern, at, _HEX_DIGITS[letter])
    if letter.isascii() and letter.isalpha():
        raise refused(f"has '\\{letter}', which means nothing here: leave the backslash out to find the letter itself")
    return Escape(at + 2, ord(letter))


def negated_set(escape: Escape) -> str:
    """Those that are not in it, for a class that has others besides: RE2 has no class within a class."""
    letter = next((letter for letter, several in _SETS.items() if several == escape.several), None)
    if letter is None:
        raise refused(r"has '\P' within brackets, which is not possible: write [^\p{…}] or (?:\P{…}|[…])")
    return _complement(letter)


@cache
def _complement(letter: str) -> str:
    characters = "".join(map(chr, range(sys.maxunicode + 1)))
    runs = re.finditer(rf"\{letter.upper()}+", characters)
    return "".join(code_range(found.start(), found.end() - 1) for found in runs)


def code_range(first: int, last: int) -> str:
    r"""As the inside of a class, without the surrogates, which are no characters of UTF-8, and without the marks of
    word boundaries (`boundaries`)."""
    kept = ""
    for gap_start, gap_end in ((0xD800, 0xDFFF), (0xFDD0, 0xFDD1)):
        if first < gap_start <= last:
            kept += _plain_range(first, gap_start - 1)
        if first <= gap_end and last >= gap_start:
            first = gap_end + 1
    return kept + _plain_range(first, last) if first <= last else kept


def _plain_range(first: int, last: int) -> str:
    return rf"\x{{{first:x}}}" if first == last else rf"\x{{{first:x}}}-\x{{{last:x}}}"


def _octal(pattern: str, at: int) -> Escape:
    found = _OCTAL.match(pattern, at + 1)
    if found is None:
        raise refused(
            f"has a backreference, \\{pattern[at + 1]}, which is not possible here: write out what is to be repeated"
        )
    return Escape(found.end(), int(found[0], 8))


def _hexadecimal(pattern: str, at: int, digits: int) -> Escape:
    end = at + 2 + digits
    number = pattern[at + 2 : end]
    if len(number) < digits:
        raise refused(f"has '{pattern[at:end]}', which needs {digits} hexadecimal digits")
    return Escape(end, _character(number, 16))


def _character(number: str, base: int) -> int:
    try:
        code = int(number, base)
    except ValueError as error:
        raise refused(f"has '{number}' where a hexadecimal number is needed") from error
    if not 0 <= code <= sys.maxunicode or 0xD800 <= code <= 0xDFFF:
        raise refused(f"asks for the character number {number}, which does not exist")
    return code


def _named(name: str) -> int:
    try:
        return ord(unicodedata.lookup(name))
    except (KeyError, TypeError) as error:
        raise refused(f"asks for a character named '{name}', which does not exist") from error
