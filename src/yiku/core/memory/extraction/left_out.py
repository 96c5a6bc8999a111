"""Which clauses of a sentence say something, and which are left out for which reason?

A question or a request is kept or left out whole. It is cut from a sentence only where the rest is surely complete by
itself (I just moved to Berlin, any tips?), and left out only when it surely tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from yiku.core.memory.extraction import kinds_zh, telling_en, telling_zh
from yiku.core.memory.extraction.facts import CONFIRMATION, FORGET, QUESTION, REACTION, REQUEST, SMALL_TALK
from yiku.core.memory.extraction.questions import is_question
from yiku.core.memory.extraction.reactions import is_reaction
from yiku.core.memory.extraction.requests import holds_a_plan, is_request, is_request_to_forget, without_remember
from yiku.core.memory.extraction.sentences import Sentence, clauses, plain
from yiku.core.memory.extraction.small_talk import small_talk_reason
from yiku.core.memory.extraction.statements import is_complete_statement

_ASKING = (QUESTION, REQUEST, FORGET)
_ASKED = re.compile(r"[?？][”’」』）)\]\"'!！]*$")
_NAME = re.compile(r"[A-Z][a-z]+,?")
_LEAD_IN = re.compile(
    r"(?:if|about|besides|in|at|on|for|from|near)\b(?!.*(?:\d|\b(?:i|my|me|we|our|us)\b))"
    r"|(?:如果|要是|假如|假设|关于|对于|除了)(?!.*我)|(?:但是?|不过|另外|还有|所以|然后)，$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:if|whether|when|unless)\b|如果|要是|假如|假设", re.IGNORECASE)
_NEW = re.compile(r"新|改|换|\d|\b(?:new|now|instead|moved|is)\b", re.IGNORECASE)
"""After a request to forget, what is to be known instead; 忘掉旧号码吧，已经不用了 says nothing of the kind."""
_LISTED = re.compile(r"(?:and|or)\s|.*\s(?:and|or)\s", re.IGNORECASE)
_NO_ITEM = re.compile(r"\b(?:i|my|we|our|he|she|they|who|no|not|without)\b|\d|\w'|[A-Z]\w+ [a-z]")


@dataclass(frozen=True, slots=True)
class Sifted:
    """`kept` is empty when the sentence says nothing. `left_out` holds pairs of words and reason.

    `verbatim` is never retold: a question or a request that is kept for what it tells, an answer with its question.
    The words of such an answer, and its `question`, are given beside.
    """

    kept: str
    left_out: tuple[tuple[str, str], ...] = ()
    verbatim: bool = False
    is_block: bool = False
    answer: str = ""
    question: str | None = None


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    reason: str | None

    @property
    def asks(self) -> bool:
        return self.reason in _ASKING


def sift(sentence: Sentence) -> Sifted:
    """What `sentence` says, and what it does not."""
    whole = _empty_reason(sentence.text)
    if whole:
        return Sifted("", ((sentence.text, whole),))
    if sentence.is_block:
        return Sifted(sentence.text, is_block=True)
    judged = _judged(sentence.text)
    if not any(clause.asks for clause in judged):
        return _sifted(_with_names(judged))
    settled = _with_dependents(judged)
    if settled is None or any(_tells(words, reason) for words, reason in _left_out(settled)):
        return replace(_sifted(_whole(judged)), verbatim=True)
    return _sifted(settled)


def _judged(text: str) -> list[_Clause]:
    asked = _ASKED.search(text) is not None
    parts = clauses(text)
    last = len(parts) - 1
    return [
        _Clause(part, _reason(part, may_ask=asked or index == last, marked=asked and index == last))
        for index, part in enumerate(parts)
    ]


def _reason(clause: str, *, may_ask: bool, marked: bool) -> str | None:
    """`may_ask` is false within a statement: 怎么跟室友相处，这些我都担心 asks nothing."""
    if reason := _empty_reason(clause):
        return reason
    if is_request_to_forget(clause):
        return FORGET
    if without_remember(clause) != clause:
        return None
    if is_request(clause):
        return REQUEST
    return QUESTION if may_ask and is_question(clause, marked=marked) else None


def _empty_reason(words: str) -> str | None:
    return small_talk_reason(words) or (REACTION if is_reaction(words) else None)


def _tells(words: str, reason: str) -> bool:
    if reason not in (QUESTION, REQUEST):
        return False
    bare = plain(words)
    if kinds_zh.is_instruction(bare):
        return True
    return telling_en.tells(bare) or telling_zh.tells(bare) or (reason == REQUEST and holds_a_plan(bare))


def _with_dependents(judged: Sequence[_Clause]) -> list[_Clause] | None:
    """Fragments go the way of the clause they belong to. None when one of them may be half a statement."""
    settled: list[_Clause] = []
    for index, clause in enumerate(judged):
        last = settled[-1] if settled else None
        following = judged[index + 1] if index + 1 < len(judged) else None
        if clause.reason or is_complete_statement(clause.text) or without_remember(clause.text) != clause.text:
            settled.append(clause)
        elif following and following.asks and (_LEAD_IN.match(clause.text) or (last is None and _is_name(clause))):
            settled.append(_Clause(clause.text, following.reason))
        elif last and last.reason in (SMALL_TALK, REACTION) and _is_name(clause):
            settled.append(_Clause(clause.text, SMALL_TALK))
        elif last and last.reason == FORGET and not _NEW.search(clause.text):
            settled.append(_Clause(clause.text, FORGET))
        elif last and last.asks and _is_list(judged[index:]):
            return [*settled, *(_Clause(item.text, last.reason) for item in judged[index:])]
        elif last and last.reason is None and not _CONDITION.match(clause.text):
            settled.append(clause)
        else:
            return None
    return settled


def _is_name(clause: _Clause) -> bool:
    return _NAME.fullmatch(clause.text.rstrip(".!")) is not None


def _is_list(clauses_left: Sequence[_Clause]) -> bool:
    """Write about cats, dogs, and birds: the rest of a list that a request or a question began."""
    short = all(len(c.text.split()) <= 4 and not _NO_ITEM.search(c.text) for c in clauses_left)
    return short and _LISTED.match(clauses_left[-1].text) is not None


def _with_names(judged: Sequence[_Clause]) -> list[_Clause]:
    """Thanks, Caroline! A name after a greeting is a part of the greeting."""
    settled: list[_Clause] = []
    for clause in judged:
        called = settled and settled[-1].reason in (SMALL_TALK, REACTION) and clause.reason is None and _is_name(clause)
        settled.append(_Clause(clause.text, SMALL_TALK) if called else clause)
    return settled


def _whole(judged: Sequence[_Clause]) -> list[_Clause]:
    """All of a sentence but the greeting before it."""
    settled = _with_names(judged)
    start = next(i for i, clause in enumerate(settled) if clause.reason not in (SMALL_TALK, REACTION, CONFIRMATION))
    return [*settled[:start], *(_Clause(clause.text, None) for clause in settled[start:])]


def _sifted(judged: Sequence[_Clause]) -> Sifted:
    kept = side_by_side(without_remember(clause.text) for clause in judged if clause.reason is None)
    return Sifted(without_comma(kept), tuple(_left_out(judged)))


def _left_out(judged: Sequence[_Clause]) -> Iterable[tuple[str, str]]:
    for reason, run in groupby(judged, key=lambda clause: clause.reason):
        if reason is not None:
            yield without_comma(side_by_side(clause.text for clause in run)), reason


def side_by_side(parts: Iterable[str]) -> str:
    """Clauses side by side: a space after a Latin comma, none after a Chinese one."""
    return re.sub(r"(?<=，) ", "", " ".join(parts))


def without_comma(clause: str) -> str:
    """`clause` without the comma that joined it to the next one; a lone comma stays, for nothing vanishes."""
    return clause.rstrip(" ，,") or clause
