"""What in a reply of the assistant is worth remembering? What it recommended, did or promised; nothing else.

An assistant repeats what it recalls. Were that kept, every memory would come back as a new one (B011).
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.facts import (
    NO_RECOMMENDATION,
    PROMISE,
    RECALLED,
    RECOMMENDATION,
    Extraction,
    Fact,
    LeftOut,
)
from yiku.core.memory.extraction.language import Language
from yiku.core.memory.extraction.left_out import side_by_side, without_comma
from yiku.core.memory.extraction.person import own_words
from yiku.core.memory.extraction.questions import is_question
from yiku.core.memory.extraction.sentences import Sentence, clauses, sentences
from yiku.model.facts import FactKind
from yiku.model.messages import Message

_LABELS: dict[Language, str] = {"zh": "助手：", "en": "Assistant: "}

_OFFERED_ZH = re.compile(r"(?:那么?|因此|所以)?我?(?:想|再)?(?:为|给|向)[您你]推荐了?[：:，,]?\s*")
_ADVISED_ZH = re.compile(
    r"(?:那么?|因此|所以)?我?(?:强烈|特别|还|也)?(?P<verb>不?(?:建议|推荐))(?!的)了?(?P<user>[您你]?)[：:，,]?\s*"
)
_MAY_TRY_ZH = re.compile(r"[您你]也?(?:可以|不妨)(?=试|尝试|考虑|选择|去|看看)")
_ADVISED_EN = re.compile(
    r"(?:so |then )?i(?:['’]d| would| can)? (?:(?:strongly|highly|also|really|definitely) )?"
    r"(?P<verb>recommend|suggest)(?:ed)?\b:?\s*",
    re.IGNORECASE,
)
_ADVISED_OTHERWISE_EN = re.compile(
    r"(?:maybe )?you (?:should|could|might want to|might) (?:try|consider|check out|visit|go)\b"
    r"|here are (?:some|a few|my|the) (?:recommendations|suggestions)\b"
    r"|(?:how about|why not) (?:trying|try|an?|the)\b"
    r"|i (?:don['’]t|wouldn['’]t|do not|would not) (?:recommend|suggest)\b",
    re.IGNORECASE,
)
_DONE_ZH = re.compile(
    r"我?(?:已经?|会|将)[^，,]{0,8}?(?:为|给|帮)?[您你][^，,]{0,20}?(?:订|安排|设置|提醒|创建|添加|取消|发送|下单|更新)"
    r"|我?(?:已经?|会|将)[^，,]{0,12}?提醒[您你]"
)
_DONE_EN = re.compile(
    r"i(?:['’]ve| have) (?:just |already )?"
    r"(?:booked|reserved|scheduled|sent|ordered|created|added|set|saved|updated|cancell?ed|arranged)\b"
    r"|i(?:['’]ll| will) (?:remind|send|book|schedule|order|cancel|call|check back)\b",
    re.IGNORECASE,
)
_RECALLED = re.compile(
    r"我(?:还|也)?记得|[您你](?:之前|曾经?|以前|上次)(?:说|提|告诉)|[您你](?:说过|提到过|告诉过)|我的记忆|记忆(?:中|显示)|已(?:经)?记住"
    r"|\bi (?:remember|recall)\b|\byou (?:mentioned|told me|said)\b|\b(?:my|our) (?:memory|memories|records|notes)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"我|你们|\b(?:i|i['’]\w+|me|my|we|us|our|yourself|you['’]\w+)\b", re.IGNORECASE)


def from_assistant(message: Message, position: int) -> Extraction:
    """The recommendations of one reply, and all the rest of it as left out."""
    facts: list[Fact] = []
    left_out: list[LeftOut] = []
    for sentence in sentences(message.content):
        parts = _parts(sentence)
        start = next((index for index, part in enumerate(parts) if _told(part)), len(parts))
        end = len(parts) - 1 if start < len(parts) - 1 and _asks(parts[-1]) else len(parts)
        left_out += (_left_out(rest, position) for rest in (parts[:start], parts[end:]) if rest)
        if told := _told(side_by_side(parts[start:end])):
            text, reason = told
            facts.append(
                Fact(text=text, positions=(position,), speaker=message.name, reason=reason, kind=FactKind.SUGGESTION)
            )
    return Extraction(tuple(facts), tuple(left_out))


def _parts(sentence: Sentence) -> list[str]:
    """The clauses of a sentence; a block follows the last clause of its introduction."""
    first, line_end, rest = sentence.text.partition("\n")
    parts = clauses(first)
    return [*parts[:-1], parts[-1] + line_end + rest] if parts else [sentence.text]


def _asks(clause: str) -> bool:
    return is_question(clause, marked=clause.endswith(("?", "？")))


def _left_out(parts: list[str], position: int) -> LeftOut:
    text = without_comma(side_by_side(parts))
    return LeftOut(text=text, position=position, reason=RECALLED if _RECALLED.search(text) else NO_RECOMMENDATION)


def _told(words: str) -> tuple[str, str] | None:
    """The fact that `words` begin with and the reason to keep it, or None."""
    if _DONE_ZH.match(words) or _DONE_EN.match(words):
        return own_words(words, None, _LABELS), PROMISE
    for rule in (_told_in_chinese, _told_in_english):
        if advice := rule(words):
            return advice.rstrip(" .。…!！;；,，"), RECOMMENDATION
    return None


def _told_in_chinese(words: str) -> str | None:
    """建议您每天散步 is 助手建议用户每天散步; the assistant's own words where a pronoun is not sure."""
    if offered := _OFFERED_ZH.match(words):
        lead, rest = "助手为用户推荐了", words[offered.end() :]
    elif advised := _ADVISED_ZH.match(words):
        user = "用户" if advised["user"] else ""
        lead, rest = f"助手{advised['verb']}{user}", words[advised.end() :]
    elif may_try := _MAY_TRY_ZH.match(words):
        lead, rest = "助手建议用户", words[may_try.end() :]
    else:
        return None
    return own_words(words, None, _LABELS) if _UNSURE.search(rest) else lead + re.sub("[您你]", "用户", rest)


def _told_in_english(words: str) -> str | None:
    """'I suggest a walk' is 'The assistant suggested a walk'."""
    advised = _ADVISED_EN.match(words)
    if advised is None:
        return own_words(words, None, _LABELS) if _ADVISED_OTHERWISE_EN.match(words) else None
    rest = words[advised.end() :]
    if _UNSURE.search(rest):
        return own_words(words, None, _LABELS)
    verb = "recommended" if advised["verb"].lower() == "recommend" else "suggested"
    rest = re.sub(r"\byour\b", "the user's", re.sub(r"\byou\b", "the user", rest))
    return f"The assistant {verb} {rest}"
