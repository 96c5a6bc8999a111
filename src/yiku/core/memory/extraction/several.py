"""Does one sentence say several things, each of which can stand by itself?

我叫张伟，在蚂蚁集团上班，喜欢跑步 says three, "I'm a nurse and live in Lyon" two. A sentence is cut only before words
that fill a slot of their own, or that name the speaker anew; what was left unsaid is said again (我喜欢跑步).
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction import subjects_en, subjects_zh
from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.lists import items_in
from yiku.core.memory.extraction.sentences import HAN, clauses, plain
from yiku.core.memory.extraction.statements import is_complete_statement
from yiku.core.memory.extraction.structure import slot_in
from yiku.model.facts import Slot

_LINK_ZH = re.compile(r"^(?:而且|并且|同时|另外|还有|以及|也|还|平时|然后|不过|但是?)+")
_SPACE_ZH = re.compile(rf"(?<=[{HAN}])[ 　]+(?=[{HAN}])")
_JOINT_EN = re.compile(r",? (?:and|but|plus|also) |, |; ", re.IGNORECASE)
_PETS_EN = re.compile(
    r"(?P<first>.+?) with (?P<pets>(?:my )?(?:(?:an?|two|three|four|five|\d)(?: \w+)? )?(?:cats?|dogs?"
    r"|rabbits?|parrots?|hamsters?))",
    re.IGNORECASE,
)
_PIECES_MAX = 12
_NEWS_ZH = re.compile(r"我?(?:最近|刚刚?|已经|又|上个?月|上周|今年|去年)*(?:换(?:了?新?工作|公司)|跳槽|搬家)了?[，,]?")
_NEWS_EN = re.compile(
    r"(?:i|we)(?:'ve| have)?(?: just| recently)? (?:(?:changed|switched) jobs|got a new job|moved(?: house)?)",
    re.IGNORECASE,
)
"""Announces what the next clause tells: 我换工作了，现在在阿里上班."""
_OF_A_STORY = ("home", "employer", "school", "habit", "tools")
_TIED = re.compile(
    r"因为|所以|但|虽然|如果|不过|就|才|却|而|的时候|之后|以后|[它他她这那其]|结果|于是|然后"
    r"|\b(?:because|so|but|although|though|if|when|while|since|then|it|that|this|these|those|there|them"
    r"|they|he|him|his|she|her"
    r"|as|until|before|after|either|neither|instead|too|which|who)\b",
    re.IGNORECASE,
)
"""Words that tie one statement to another: apart, one of them would be less than was said."""


def statements_in(sentence: str, speaker: str | None) -> list[str]:
    """The statements of `sentence`, each complete; the sentence itself where it is one."""
    if len(sentence) > 600:
        return [sentence]
    cut = _chinese(sentence, speaker) if language_of(sentence) == "zh" else _english(sentence, speaker)
    return [item for statement in cut for item in items_in(statement, speaker)]


def _chinese(sentence: str, speaker: str | None) -> list[str]:
    """Cut at commas; what follows is about whom the last clause with a subject was about."""
    pieces = [piece for clause in clauses(sentence) for piece in _SPACE_ZH.split(clause)]
    if not 1 < len(pieces) <= _PIECES_MAX:
        return [sentence]
    cut: list[str] = []
    about = ""
    settled = False
    for piece in pieces:
        own = subjects_zh.subject_of(plain(piece), speaker)
        alone = piece if own or not about else about + _LINK_ZH.sub("", piece)
        slot = slot_in(alone, speaker) if own or about else None
        if not cut or _begins_zh(piece, slot, cut[-1], settled=settled, own=own is not None):
            cut.append(alone)
            settled = slot is not None
        else:
            cut[-1] += piece
        if own:
            # 我家猫叫煤球，今年三岁了: it is the cat that is three.
            about = "" if own.rest.startswith(("的", "家")) else own.words
    return [piece.rstrip("，, ") for piece in cut] if len(cut) > 1 else [sentence]


def _begins_zh(piece: str, slot: Slot | None, before: str, *, settled: bool, own: bool) -> bool:
    """Whether `piece` is a statement of its own. A place in a story (去了杭州，住在西湖边) is none."""
    if slot is not None and (settled or own or slot.attribute not in _OF_A_STORY or _NEWS_ZH.fullmatch(before)):
        return True
    return own and _is_independent(piece) and (settled or _is_independent(before))


def _is_independent(words: str) -> bool:
    return is_complete_statement(words) and not _TIED.search(words)


def _english(sentence: str, speaker: str | None) -> list[str]:
    """Cut at "and" and commas from left to right: a piece begins where it has a slot and so has what stands before."""
    words = sentence.replace("’", "'").rstrip(" .!")
    first = subjects_en.subject_of(words, speaker)
    if first is None or quoted(words):
        return [sentence]
    cut: list[str] = []
    rest = words
    while joint := _next_cut(rest, speaker):
        before, rest = joint
        cut.append(before)
        if len(cut) > _PIECES_MAX:
            break
    with_pets = _PETS_EN.fullmatch(rest)
    if with_pets and slot_in(with_pets["first"], speaker):
        return [*cut, with_pets["first"], f"I have {with_pets['pets']}"]
    return [*cut, rest] if cut else [sentence]


def quoted(words: str) -> bool:
    return any(mark in words for mark in '"“”')


def _next_cut(words: str, speaker: str | None) -> tuple[str, str] | None:
    """What `words` say first, and the rest with its subject; None where they cannot be cut."""
    subject = subjects_en.subject_of(words, speaker)
    if subject is None:
        return None
    for joint in _JOINT_EN.finditer(words):
        before, after = words[: joint.start()], words[joint.end() :]
        own = subjects_en.subject_of(after, speaker) is not None
        if own and _is_independent(after) and _is_independent(before):
            return before, after
        if not slot_in(before, speaker) and not _NEWS_EN.fullmatch(before):
            continue
        if own:
            if _begins_with_slot(after, speaker) or is_complete_statement(after):
                return before, after
        elif not subject.of_thing:
            for rest in (f"{subject.words} {after}", f"{subject.words} {_be(subject.words)} {after}"):
                if _begins_with_slot(rest, speaker, unless="name"):
                    return before, rest
    return None


def _be(subject: str) -> str:
    return {"i": "am", "we": "are"}.get(subject.lower(), "is")


def _begins_with_slot(words: str, speaker: str | None, unless: str = "") -> bool:
    """Whether `words`, up to a joint or their end, fill a slot; in "Berlin, Germany" none is a name (`unless`)."""
    ends = [*(joint.start() for joint in _JOINT_EN.finditer(words)), len(words)]
    with_pets = _PETS_EN.match(words)
    if with_pets:
        ends.append(with_pets.end("first"))
    slots = (slot_in(words[:end], speaker) for end in ends)
    return any(slot and slot.attribute != unless for slot in slots)
