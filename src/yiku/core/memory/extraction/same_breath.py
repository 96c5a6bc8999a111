"""What did somebody mean who puts himself right in the same breath?

我住在上海，不对，说错了，是杭州 says one thing: 我住在杭州. The wrong value was never meant, so it is no memory, not
even one of the past. Only where it is sure: the words before the slip fill a slot, or name a day, and what follows
fills the same one in its place. Everything else stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from yiku.core.memory.dates import named_in
from yiku.core.memory.extraction.sentences import HAN, Sentence, plain
from yiku.core.memory.extraction.several import statements_in
from yiku.core.memory.extraction.slots import DISLIKE, LIKE, NO, YES, normalised
from yiku.core.memory.extraction.structure import slot_in
from yiku.model.facts import Slot

_APART = r"[\s，,。.!！…—–;；:：-]{0,6}+"
_FILLER = r"(?:oh|ah|um+|uh|er+|hmm+|well|but|哦|啊|呃|哎呀?|噢|额)"
_MARK = (
    r"(?:[哦啊呃哎噢额]{0,2}不对(?:不对)?(?=[，,。…！!；\s]|是|应该|说错|我说错)|[哦啊呃哎噢额]+不(?![是会想能要在爱喜吃喝])|不不+|不是(?=[，,。…\s])"
    r"|(?:对不起|抱歉|不好意思)?(?:我|刚才|刚刚)*(?:说|讲|写|打|记|弄|搞)错了?|口误|笔误|更正(?:一下)?|纠正(?:一下)?"
    r"|准确地?说|应该说|等等|等一下|抱歉|不好意思|对不起|我?的?意思是|我(?:是)?(?:想|要)说的?(?:是)?"
    r"|(?:(?:no|nope|sorry|apologies)(?=[,.!…—–;-]|\s+(?:no|wait|sorry|i mean|i meant)\b)"
    r"|wait|hold on|oops|whoops|my bad|my mistake|scratch that|strike that"
    r"|(?:a )?(?:small |quick )?correction|typo|i misspoke|i mistyped|i made a mistake"
    r"|that(?:'s|’s| is| was) (?:wrong|not right|a mistake)"
    r"|let me correct (?:that|myself)|actually|(?:or )?rather|i mean|i meant(?: to say)?|i should (?:say|have said)"
    r"|make (?:that|it))(?![\w'’]))"
)
_MARKS = rf"(?:{_FILLER}(?![a-z]){_APART}){{0,3}}{_MARK}(?:{_APART}(?:{_FILLER}(?![a-z])|{_MARK})){{0,4}}{_APART}"
_SLIP = re.compile(rf"(?P<apart>(?=[\s，,。.!！…—–;；:：-]){_APART}){_MARKS}", re.IGNORECASE)
_OPENING = re.compile(_MARKS, re.IGNORECASE)
_WEAK = re.compile(
    rf"{_APART}(?:no|nope|actually|sorry|apologies|wait|不是|等等|等一下|抱歉|不好意思|对不起){_APART}", re.IGNORECASE
)
_LEADS = re.compile(
    r"^(?:应该是|其实是|其实|是|改成|it(?:'s|’s| is|'s actually)|that(?:'s|’s| is)|to|(?=.))\s*", re.IGNORECASE
)
_SMALL = re.compile(r"^(?:in|at|on|for|to|as|an?|the|from|在|叫|对|到|去)\s*(?=\S)", re.IGNORECASE)
_END = re.compile(r"[，,。；;.!！](?=\s|$|[" + HAN + r"])|\s+(?:and|but|because|so)\s|$", re.IGNORECASE)
_OF_FORM = (LIKE, DISLIKE, YES, NO)
"""What the form of the words says, and no word of its own."""
_TWICE = re.compile(rf"\b(\w+) \1\b|(在|是|叫|对|住|[{HAN}]{{2,}})\2", re.IGNORECASE)
_WORD = re.compile(rf"[{HAN}]|[\w'’.-]+")
NUMBER = re.compile(rf"(?P<digits>[+$€£¥]?\d(?:[\d.,:/ -]*\d)?)(?P<unit>[{HAN}]{{0,2}}| ?[a-zA-Z]{{0,9}})")
"""A sum, a time, a telephone number, with its unit where it has one."""
_CHARACTERS_MOST = 160
_SENTENCE_MOST = 500
_TIMES = 3
_SLIPS_MOST = 6
_ENDS_MOST = 6
_SOME_DAY = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mended:
    """What was meant, and the words that were taken back, with those that say so."""

    said: list[Sentence]
    taken_back: tuple[str, ...] = ()


def mended(said: list[Sentence], speaker: str | None) -> Mended:
    """`said` without what is put right in the sentence itself, or in the one that follows."""
    meant: list[Sentence] = []
    taken_back: list[str] = []
    for sentence in said:
        before = meant[-1].text if meant and not meant[-1].is_block else None
        found = None if before is None or sentence.is_block else _put_right(before, sentence.text, speaker)
        if found:
            meant.pop()
        elif not sentence.is_block:
            found = _mended(sentence.text, speaker)
        if found:
            taken_back += found.taken_back
        meant += found.said if found else [sentence]
    return Mended(meant, tuple(taken_back))


def opening(sentence: str, speaker: str | None) -> tuple[str, str]:
    """The words at its beginning that say that something before was wrong, and the statement that puts it right."""
    slip = _OPENING.match(sentence)
    if slip is None or _WEAK.fullmatch(slip.group()) or slot_in(sentence[slip.end() :], speaker) is None:
        return "", sentence
    return slip.group().rstrip(" ，,"), sentence[slip.end() :]


def day_or_number_meant(sentence: str) -> str | None:
    """What a message that begins by saying that something was wrong names instead, and nothing else: 不对，是周五."""
    slip = _OPENING.match(sentence)
    if slip is None or _WEAK.fullmatch(slip.group()):
        return None
    said = _SMALL.sub("", _LEADS.sub("", plain(sentence[slip.end() :]), count=1), count=1)
    return said if is_a_day(said) or NUMBER.fullmatch(said) else None


def is_a_day(words: str) -> bool:
    """Whether they name one day, or another time, and say nothing else. 周五 alone may be every Friday."""
    for before in ("", "我会在"):
        days = named_in(before + words, _SOME_DAY)
        if len(days) == 1 and (days[0].start, days[0].end) == (len(before), len(before + words)):
            return True
    return False


def _put_right(before: str, following: str, speaker: str | None) -> Mended | None:
    """The two as one, where the second begins by saying that the first was wrong."""
    slip = _SLIP.match(" " + following)
    return _mended(f"{before} {following}", speaker) if slip else None


def _mended(text: str, speaker: str | None) -> Mended | None:
    if len(text) > _SENTENCE_MOST:
        return None
    taken_back: list[str] = []
    told: list[str] = []
    for _ in range(_TIMES):
        found = next(_readings(text, speaker), None)
        if found is None:
            break
        first, wrong, text = found
        told += first
        taken_back.append(wrong)
    return Mended([*map(Sentence, told), Sentence(text)], tuple(taken_back)) if taken_back else None


def _readings(text: str, speaker: str | None) -> Iterator[tuple[list[str], str, str]]:
    """What was said before the slip, the slip, and the rest with what was meant."""
    for slip in islice(_SLIP.finditer(text), _SLIPS_MOST):
        before, after = text[: slip.start()].strip(), text[slip.end() :]
        if not before or not after or len(before) > _CHARACTERS_MOST:
            continue
        if not slip["apart"].strip() and _WEAK.fullmatch(slip.group()):
            continue  # "I actually like tea" puts nothing right.
        *first, wrong = statements_in(before, speaker)
        for end in islice(_END.finditer(after), _ENDS_MOST):
            said = _LEADS.sub("", plain(after[: end.start()]), count=1)
            weak = _WEAK.fullmatch(slip.group()) is not None
            if said and (meant := _meant(plain(wrong), said, speaker, weak=weak)):
                yield first, f"{wrong}{slip.group().rstrip(' ，,')}", meant + after[end.start() :]


def _meant(wrong: str, said: str, speaker: str | None, *, weak: bool) -> str | None:
    """The whole statement; `weak` words (sorry, 等等) may as well begin something else, said whole."""
    slot = slot_in(wrong, speaker)
    if slot is None:
        return _on_another_day(wrong, said)
    own = slot_in(said, speaker)
    if own is not None:
        return said if not weak and _is_another(slot, own, said) else None
    for words in _put_in_place(wrong, said, slot):
        new = slot_in(words, speaker)
        if new is not None and not _TWICE.search(words) and _is_another(slot, new, said):
            return words
    return None


def _put_in_place(wrong: str, said: str, slot: Slot) -> Iterator[str]:
    """`said` in the place of the last words like its first one, of the value or topic, or of the end of `wrong`."""
    lead = _SMALL.match(said)
    if lead:
        word = lead.group().strip().lower()
        alike = "(?:an?|the)" if word in ("a", "an", "the") else re.escape(word)
        bound = r"\b" if word.isascii() else ""
        for place in reversed(list(re.finditer(rf"{bound}{alike}{bound}", wrong, re.IGNORECASE))):
            yield wrong[: place.start()] + said
    bare = _SMALL.sub("", said, count=1)
    for old in (slot.value, slot.topic):
        start = wrong.lower().rfind(old) if old else -1
        if old and start >= 0:
            yield wrong[:start] + bare + wrong[start + len(old) :]
    for cut in reversed(list(_WORD.finditer(wrong))):
        if wrong[cut.start() - 1 : cut.start()] == said[0]:
            continue  # 搬 is already there, before 搬到宁波.
        yield wrong[: cut.start()] + said
        yield wrong[: cut.start()] + bare


def _is_another(old: Slot, new: Slot, said: str) -> bool:
    """Whether the same question has another answer, and all of that is what was said last."""
    words = normalised(said)
    answers = [answer for answer, before in ((new.topic, old.topic), (new.value, old.value)) if answer != before]
    if (new.subject, new.attribute) != (old.subject, old.attribute) or len(answers) != 1:
        return False
    return answers[0] is not None and (answers[0] in words or answers[0] in _OF_FORM)


def _on_another_day(wrong: str, said: str) -> str | None:
    """A flight on Friday, no, on Saturday: the one day that was named, and nothing but another."""
    bare = _SMALL.sub("", said, count=1)
    old = named_in(wrong, _SOME_DAY)
    if len(old) != 1 or not is_a_day(bare):
        return None
    return wrong[: old[0].start] + bare + wrong[old[0].end :]
