r"""How is a pattern, written as Python's `re` has it, said to RE2? Or: which part of it cannot be said?

Both read almost the same language, but RE2 means ASCII by `\w` and `\d`, ends a text with `\z`, and has neither
`\uXXXX` nor comments. Lines are matched one by one, so `^`, `\A` and `$`, `\Z` are the ends of a line, wherever RE2
looks at many lines at once; that no class and no dot takes a line end is an option of RE2 itself.

RE2's `\b` knows ASCII words alone: `\bécole` would not be found in "une école", nor `\b配置` anywhere. So a pattern
that asks for word boundaries is written twice: `plain` leaves them out and tells which lines are worth a look; `marked`
is for lines into which `boundaries` has put marks: it takes a mark for `\b` and skips marks before everything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from yiku.adapters.patterns.classes import MARKS, class_at, negated
from yiku.adapters.patterns.escapes import escape_at
from yiku.adapters.patterns.refusal import refused

BOUNDARY = "\ufdd0"
INSIDE = "\ufdd1"
"""Where a word begins or ends, and where none does. Noncharacters: Unicode keeps them out of texts."""
_SKIPPED = f"[{MARKS}]*"
_LINE_START = "(?m:^)"
_LINE_END = "(?m:$)"
_REPEAT = re.compile(r"[*+?]|\{(\d+(?:,\d*)?|,\d*)\}", re.ASCII)
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_FLAGS_KNOWN = frozenset("imsu")
"""`m` and `s` change nothing where the text is one line, and `u` holds anyway."""
_INSTEAD = "Search for the text around it, or set literal=true to find the pattern as it stands"
_UNSUPPORTED = (
    ("(?=", "a lookahead, (?=…)"),
    ("(?!", "a negative lookahead, (?!…)"),
    ("(?<=", "a lookbehind, (?<=…)"),
    ("(?<!", "a negative lookbehind, (?<!…)"),
    ("(?P=", "a backreference, (?P=name)"),
    ("(?>", "an atomic group, (?>…)"),
    ("(?(", "a conditional, (?(…)…|…)"),
)


@dataclass(frozen=True, slots=True)
class Translation:
    """`marked` is None without word boundaries. `marks` is how many of them may be wanted at one place."""

    plain: str
    marked: str | None = None
    marks: int = 0
    has_insides: bool = False


def translated(pattern: str) -> Translation:
    """Raises `InvalidInput` (field `pattern`) for what cannot be said."""
    reader = _Reader(pattern, marked=False)
    plain = reader.whole()
    if not reader.boundaries and not reader.insides:
        return Translation(plain)
    marked = _Reader(pattern, marked=True).whole()
    return Translation(plain, marked, max(reader.boundaries, reader.insides), has_insides=reader.insides > 0)


class _Reader:
    """Goes through a pattern once, from left to right."""

    def __init__(self, pattern: str, *, marked: bool) -> None:
        self._pattern = pattern
        self._marked = marked
        self._at = 0
        self.boundaries = 0
        self.insides = 0

    def whole(self) -> str:
        pieces: list[str] = []
        while self._at < len(self._pattern):
            pieces.append(self._piece())
        return "".join(pieces)

    def _piece(self) -> str:
        character = self._pattern[self._at]
        if character == "\\":
            return self._escape(self._pattern[self._at + 1 : self._at + 2])
        if character == "[":
            content, self._at = class_at(self._pattern, self._at)
            return self._atom(content)
        if character == "(":
            return self._group()
        if found := _REPEAT.match(self._pattern, self._at):
            return self._repeat(found[0])
        self._at += 1
        match character:
            case "^":
                return _LINE_START
            case "$":
                return self._line_end()
            case ")" | "|":
                return character
            case ".":
                return self._atom(negated("") if self._marked else ".")
        return self._atom(re.escape(character))

    def _atom(self, content: str) -> str:
        return f"(?:{_SKIPPED}{content})" if self._marked else content

    def _line_end(self) -> str:
        return _SKIPPED + _LINE_END if self._marked else _LINE_END

    def _escape(self, letter: str) -> str:
        if letter in ("b", "B", "A", "Z", "z"):
            self._at += 2
            if letter in "bB":
                return self._word_boundary(letter)
            return _LINE_START if letter == "A" else self._line_end()
        escape = escape_at(self._pattern, self._at)
        self._at = escape.end
        if escape.code is not None:
            return self._atom(rf"\x{{{escape.code:x}}}")
        return self._atom(negated(escape.several) if escape.is_negated else f"[{escape.several}]")

    def _word_boundary(self, letter: str) -> str:
        self.boundaries += letter == "b"
        self.insides += letter == "B"
        if not self._marked:
            return "(?:)"
        return BOUNDARY if letter == "b" else INSIDE

    def _repeat(self, sign: str) -> str:
        self._at += len(sign)
        if self._pattern.startswith("+", self._at):
            raise refused(f"has a possessive repeat, {sign}+, which is not possible here: write {sign} for it")
        # To RE2 an upper bound alone is ordinary text.
        return "{0," + sign[2:] if sign.startswith("{,") else sign

    def _group(self) -> str:
        rest = self._pattern[self._at :]
        for opening, name in _UNSUPPORTED:
            if rest.startswith(opening):
                raise refused(f"has {name}, which is not possible here. {_INSTEAD}")
        if not rest.startswith("(?"):
            self._at += 1
            return "("
        if rest.startswith("(?#"):
            self._skip_to(")", "a comment, (?#…),")
            return ""
        if rest.startswith(("(?P<", "(?<")):
            # Nobody asks for a group by its name here.
            self._skip_to(">", "a name of a group, (?P<name>…),")
            return "("
        return self._flags()

    def _skip_to(self, closing: str, what: str) -> None:
        end = self._pattern.find(closing, self._at)
        if end < 0:
            raise refused(f"has {what} that is never closed")
        self._at = end + 1

    def _flags(self) -> str:
        found = _FLAGS.match(self._pattern, self._at)
        if found is None:
            raise refused(f"has '{self._pattern[self._at : self._at + 4]}', which begins no group that is known here")
        on, off, closing = found[1], found[2] or "", found[3]
        if unknown := set(on + off) - _FLAGS_KNOWN:
            raise refused(f"has the flag '{min(unknown)}' in '{found[0]}'; only i, m, s and u are possible here")
        self._at = found.end()
        flags = ("i" if "i" in on else "") + ("-i" if "i" in off else "")
        return f"(?{flags}{closing}" if flags or closing == ":" else ""
