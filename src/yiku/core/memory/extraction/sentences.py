"""Where does one sentence end and the next begin?

Cutting wrongly is worse than not cutting: half of a quotation reads as the speaker's own statement. So quotations,
links and abbreviations are stepped over, and code, JSON, tables and lists stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from yiku.core.memory.extraction.quotations import QUOTED

LINK = r"https?://[^\s，。！？；、“”]+(?<![.,!?])"
HAN = r"\u3400-\u4dbf\u4e00-\u9fff"

_STOP = re.compile(
    rf"(?P<skip>{QUOTED}|{LINK})"
    r"|(?P<end>[。！？；][。！？；!?]*[”’」』）)]*"
    rf"|(?<![!?])[!?]++[\"'”’)\]]*(?=\s|$|[{HAN}])"
    r"|(?<!\.)\.(?!\.)[\"'”’)\]]*(?=\s|$))"
)
_COMMA = re.compile(rf"(?P<skip>{QUOTED}|{LINK})|(?P<end>，|,(?=\s|[{HAN}]))")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"“])(?:dr|mr|mrs|ms|prof|sr|jr|st|mt|vs|no|fig|inc|ltd|co|dept|approx|etc|(?:[a-z]\.)+[a-z]|[a-hj-z])$",
    re.IGNORECASE,
)

_FENCE = "```"
_ITEM = re.compile(r"\s*(?:[-*•·+]\s|\d{1,3}(?:[.)]\s|、)|[（(]\d{1,3}[)）]|\|)")
_INDENTED = re.compile(r"\t| {2,}")
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\d\]])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its punctuation, or a block (code, JSON, a table, a list) that means something only whole."""

    text: str
    is_block: bool = False


def sentences(text: str) -> list[Sentence]:
    """`text` in its order, without the white space between sentences; nothing else is dropped."""
    if _JSON.match(text) and text.rstrip().endswith(("}", "]")):
        return [Sentence(text.strip(), is_block=True)]
    found: list[Sentence] = []
    for block in _blocks(text):
        if len(block) > 1:
            found.append(Sentence("\n".join(block).strip(), is_block=True))
        else:
            found.extend(Sentence(piece) for piece in _cut(block[0], _STOP))
    return found


def clauses(sentence: str) -> list[str]:
    """A sentence at its commas, each clause with the comma that ends it."""
    return list(_cut(sentence, _COMMA))


def is_code(sentence: Sentence) -> bool:
    return sentence.is_block and sentence.text.startswith(_FENCE)


def plain(clause: str) -> str:
    """A clause without the punctuation around it, and with straight apostrophes: what its words are matched against."""
    return clause.strip(" \t，,。.？?！!~～;；").replace("’", "'")


def _cut(text: str, mark: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for found in mark.finditer(text):
        if found["skip"] or _is_abbreviation(text, found):
            continue
        if piece := text[start : found.end()].strip():
            yield piece
        start = found.end()
    if rest := text[start:].strip():
        yield rest


def _is_abbreviation(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 12) : found.start()]
    return found["end"].startswith(".") and _ABBREVIATED.search(before) is not None


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of `text`: lines of one block together, a line of prose alone."""
    block: list[str] = []
    fenced = False
    for line in re.split(r"\r\n|\r|\n", text):
        if line.lstrip().startswith(_FENCE):
            if not fenced and block:
                yield block
                block = []
            fenced = not fenced
        elif not fenced and not line.strip():
            continue
        elif not fenced and block and not _belongs(line, block[-1]):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _belongs(line: str, previous: str) -> bool:
    """Whether `line` goes on with the block of `previous`: a list item after another or after its introduction."""
    if previous.lstrip().startswith(_FENCE):
        return False
    in_list = _ITEM.match(previous) is not None or _INDENTED.match(previous) is not None
    if _ITEM.match(line):
        return in_list or previous.rstrip().endswith((":", "："))
    return in_list and _INDENTED.match(line) is not None
