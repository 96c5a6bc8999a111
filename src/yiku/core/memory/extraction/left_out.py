"""Which clauses of a sentence say something, and which are left out for which reason?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from yiku.core.memory.extraction.facts import QUESTION, REQUEST, SMALL_TALK
from yiku.core.memory.extraction.questions import is_question
from yiku.core.memory.extraction.requests import is_request, without_remember
from yiku.core.memory.extraction.sentences import Sentence, clauses
from yiku.core.memory.extraction.small_talk import small_talk_reason

_NAME = re.compile(r"[A-Z][a-z]+,?")
_LEAD_IN = re.compile(
    r"(?:if|about|besides)\b(?!.*\b(?:i|my|me)\b)"
    r"|(?:如果|要是|假如|假设|关于|对于|除了)(?!.*我)|(?:但是?|不过|另外|还有|所以|然后)，$",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(r"(?:and|or)\s(?!.*\b(?:i|my|we|our)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sifted:
    """`kept` is empty when the sentence says nothing. `left_out` holds pairs of words and reason."""

    kept: str
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    reason: str | None


def sift(sentence: Sentence) -> Sifted:
    """What `sentence` says, and what it does not."""
    if sentence.is_block:
        reason = small_talk_reason(sentence.text)
        return Sifted("", ((sentence.text, reason),)) if reason else Sifted(sentence.text)
    judged = _with_dependents(_judged(sentence.text))
    kept = side_by_side(without_remember(clause.text) for clause in judged if clause.reason is None)
    return Sifted(without_comma(kept), tuple(_left_out(judged)))


def _judged(text: str) -> list[_Clause]:
    whole = small_talk_reason(text)
    if whole:
        return [_Clause(text, whole)]
    asked = re.search(r"[?？][”’」』）)\]\"'!！]*$", text) is not None
    parts = clauses(text)
    last = len(parts) - 1
    return [
        _Clause(part, _reason(part, may_ask=asked or index == last, marked=asked and index == last))
        for index, part in enumerate(parts)
    ]


def _reason(clause: str, *, may_ask: bool, marked: bool) -> str | None:
    """`may_ask` is false within a statement: 怎么跟室友相处，这些我都担心 asks nothing."""
    if reason := small_talk_reason(clause):
        return reason
    if without_remember(clause) != clause:
        return None
    if is_request(clause):
        return REQUEST
    return QUESTION if may_ask and is_question(clause, marked=marked) else None


def _with_dependents(judged: list[_Clause]) -> list[_Clause]:
    """Fragments go the way of the clause they belong to: a name that is called, the condition of a question, a list."""
    settled: list[_Clause] = []
    for clause in reversed(judged):
        before = settled[-1] if settled else None
        settled.append(_Clause(clause.text, before.reason) if before and _leads_to(clause, before) else clause)
    settled.reverse()
    return _with_list(_with_names(settled))


def _leads_to(clause: _Clause, following: _Clause) -> bool:
    if clause.reason is not None or following.reason is None:
        return False
    if _NAME.fullmatch(clause.text):
        return True
    return following.reason == QUESTION and _LEAD_IN.match(clause.text) is not None


def _with_names(judged: list[_Clause]) -> list[_Clause]:
    """Thanks, Caroline! A name after a greeting is a part of the greeting."""
    settled: list[_Clause] = []
    for clause in judged:
        greeted = clause.reason is None and settled and settled[-1].reason == SMALL_TALK
        called = greeted and _NAME.fullmatch(clause.text.rstrip(".!"))
        settled.append(_Clause(clause.text, SMALL_TALK) if called else clause)
    return settled


def _with_list(judged: list[_Clause]) -> list[_Clause]:
    """Write about cats, dogs, and birds: the rest of a list that a request or a question began."""
    first, *rest = judged
    if first.reason not in (REQUEST, QUESTION) or not rest or not _ENUMERATED.match(rest[-1].text):
        return judged
    listed = all(clause.reason is None and len(clause.text.split()) <= 4 for clause in rest)
    return [_Clause(clause.text, first.reason) for clause in judged] if listed else judged


def _left_out(judged: list[_Clause]) -> Iterable[tuple[str, str]]:
    for reason, run in groupby(judged, key=lambda clause: clause.reason):
        if reason is not None:
            yield without_comma(side_by_side(clause.text for clause in run)), reason


def side_by_side(parts: Iterable[str]) -> str:
    """Clauses side by side: a space after a Latin comma, none after a Chinese one."""
    return re.sub(r"(?<=，) ", "", " ".join(parts))


def without_comma(clause: str) -> str:
    """`clause` without the comma that joined it to the next one; a lone comma stays, for nothing vanishes."""
    return clause.rstrip(" ，,") or clause
