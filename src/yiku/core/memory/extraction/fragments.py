"""Is this sentence too little to mean anything by itself, or to be understood without the one before it?"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.facts import FRAGMENT, REQUEST
from yiku.core.memory.extraction.sentences import HAN, plain
from yiku.core.memory.extraction.verbs_en import PREDICATE, third_person_of
from yiku.core.memory.extraction.words_zh import KIN, TIME

# Longer numbers are dates, telephone numbers and the like.
_NUMBER = re.compile(r"(?:[a-z]\s?[=:]\s?)?[-+]?\d{1,4}(?:[.,]\d+)?%?", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?:(?:please|just|ok|now|then|and) )*+"
    r"(?:(?:do|try|use|show|send|make|run|open|go with|take|check|repeat|change|fix|explain|undo|delete|stop)"
    r"(?: me)? (?:that|this|it|them|those|these|so)|continue|go on|go ahead|next|again|stop|undo)"
    r"(?: (?:please|again|now|too|instead|one))*+"
    r"|(?:(?:can|could) you )?(?:make (?:it|this|that) )?(?:(?:a )?(?:bit|little|lot|much) )?(?:more|less"
    r"|shorter|longer|simpler) ?"
    r"(?:formal|casual|detailed|concise|friendly|polite|funny|professional)?(?: please)?|(?:another"
    r"|one more)(?: one)?(?: please)?"
    r"|(?:可以|能)?(?:再|更|稍微)+.{1,6}一?[点些](?:吧|吗|呗)?|太[长短难]了(?:吧|点)?"
    r"|(?:请|那就|那|就|先)?(?:继续|再来一[个次]|下一个|发给我|这[样么](?:做|办)?"
    r"|(?:用|选|要|试试?|发|看看?|做|改)[这那它](?:个|些)?)"
    r"(?:吧|一下|呢)?",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"(?:in|at|on|near|from|about|for) (?:the )?[^\W\d]+(?: [^\W\d]+)?|(?:在|关于|对于)[^\d我]{1,6}", re.IGNORECASE
)
_SPEAKER = re.compile(r"\b(?:i|me|my|we|us|our)\b|我", re.IGNORECASE)

_LEANING = re.compile(
    r"(?:it|that|this|these|those|they|he|she|his|her|their|its|mine|one (?:is|was)|there|which|but|and|so"
    r"|because)\b|[(\[（【]"
    r"|[它他她这那]|其中|所以|因此|因为|但|不过|而且|然后|并且",
    re.IGNORECASE,
)
_WHEN_EN = r"(?:(?:yesterday|today|tomorrow|last \w+|next \w+|(?:on|in) \w+),? )?"
_OWN_SUBJECT = re.compile(
    rf"(?:(?:also|well|oh|plus|hey),? )?{_WHEN_EN}(?:i|we|my|our)\b|(?:please|always|never|don't|from now on)\b"
    rf"|(?:{TIME}|其实|另外|还有|对了|平时)*+(?:我|咱|{KIN}|[小老阿][{HAN}]{{1,2}}(?=[是有在叫住喜爱]))|以后|请|从现在",
    re.IGNORECASE,
)
_POINTING = re.compile(r"(?:\S+ ){1,3}(?:it|them|him|there)\b", re.IGNORECASE)
_NAMED_SUBJECT = re.compile(
    r"(?!(?:One|Two|Three|Four|Five|Six|Ten|No|Some|Many|Most|All|Both|More|What|Which|Who|When|How)\b)"
    rf"(?P<name>[A-Z]\w+)(?:'s [a-z]+)?(?: and [A-Z]\w+)? (?:{PREDICATE})\b"
)


def nothing_by_itself(sentence: str) -> str | None:
    """Why `sentence`, said alone, can be left out: a bare number, or a command that points at something unsaid."""
    words = plain(sentence)
    if _COMMAND.fullmatch(words):
        return REQUEST
    return FRAGMENT if _NUMBER.fullmatch(words) else None


def is_setting(sentence: str) -> bool:
    """In Paris. What is there to see? The first of these belongs to the question."""
    words = plain(sentence)
    return _SETTING.fullmatch(words) is not None and not _SPEAKER.search(words)


def leans(sentence: str) -> bool:
    """Whether the sentence begins with a word for something said before."""
    return _LEANING.match(sentence) is not None


def stands_alone(sentence: str) -> bool:
    """Whether the sentence names who it is about. Otherwise the one before may have to explain it."""
    words = plain(sentence)
    if _OWN_SUBJECT.match(words):
        return not words.isascii() or (len(words.split()) > 2 and not _POINTING.match(words))
    named = _NAMED_SUBJECT.match(words)
    return named is not None and not leans(words) and third_person_of(named["name"].lower()) is None


def is_short(sentence: str) -> bool:
    """A bare word or a few, such as answer a question."""
    return len(sentence.split()) <= 5 and len(re.findall(f"[{HAN}]", sentence)) <= 8
