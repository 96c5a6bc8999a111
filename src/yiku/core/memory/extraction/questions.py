"""Has this clause the form of a question?

Whether it tells something too (Did you know I have two dogs?) is decided elsewhere; so is whether it is left out.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.sentences import HAN, plain
from yiku.core.memory.extraction.verbs_en import PREDICATE

_LEAD_EN = r"(?:(?:so|and|but|or|then|also|well|now|hey) )?"
_HOLDS_EN = "do|does|did|can|could|should|would|will"
_PERSON_EN = "i|you|we|he|she|they|it|there|this|that|these|those|the|your|my|anyone|anybody|someone"
_ASKING_EN = re.compile(
    rf"{_LEAD_EN}(?:(?:what|where|when|why|who|whom|which|how) (?:{_HOLDS_EN}) (?:{_PERSON_EN})\b"
    rf"|(?:{_HOLDS_EN}|are|is|have|has)(?:n't)? (?:you|anyone|anybody|there)\b|(?:{_HOLDS_EN})(?:n't)? (?:i|we)\b"
    r"|(?:how|what) about \w|any (?:tips|ideas?|suggestions?|recommendations?|advice|thoughts)$)",
    re.IGNORECASE,
)
_ASKING_WITH_MARK_EN = re.compile(
    rf"{_LEAD_EN}(?:(?:what|where|when|why|who|whom|whose|which|how)\b"
    rf"|(?:{_HOLDS_EN}|am|are|is|was|were|have|has|had|may|must|shall)(?:n't)? \w"
    r"|(?:any|anything|anyone|anybody|ever|got|mind|wanna|you|your|you're|guess)\b"
    rf"|(?!i\b|my\b|we\b|\w+'s |\w+ (?:{PREDICATE})\b)(?:(?![{HAN}])[\w'-])+(?: [\w'-]+){{0,2}}$)",
    re.IGNORECASE,
)

_WHICH_ZH = "什么时候|什么|怎么样|怎么办|怎么|怎样|为什么|为啥|谁|哪里|哪儿|哪|多少|几点|如何|是否|能否"
_WHETHER_ZH = "有没有|是不是|能不能|可不可以|会不会|要不要"
_ASKING_ZH = re.compile(
    rf"(?:请问|我?想(?:请教|问)|我?想(?:知道|了解).*(?:{_WHICH_ZH})|问一?下"
    rf"|(?:那么?|所以|另外|又)?[你您我]?(?:该|应该|要|能)?(?:{_WHICH_ZH}|{_WHETHER_ZH}))"
    rf"|.*(?:吗|[^什怎那这要多]么|(?:{_WHICH_ZH})(?:呢|啊|呀)?)$"
)
_ASKING_WITH_MARK_ZH = re.compile(
    rf".*(?:{_WHICH_ZH}|{_WHETHER_ZH}|[几咋吗呢么]|还是|多[大高长远久]|(.)不\1)|[你您]|[^吧]{{1,4}}$"
)
_INDEFINITE_ZH = re.compile("都|也|不知道|无论|不管|没什么|没有什么|没怎么|不怎么|忘了|记不|随便")


def is_question(clause: str, *, marked: bool) -> bool:
    """`marked` says that a question mark ends the clause; without one, its form alone must be sure."""
    words = plain(clause)
    if _ASKING_EN.match(words):
        return True
    if marked and (_ASKING_WITH_MARK_EN.match(words) or _ASKING_WITH_MARK_ZH.match(words)):
        return True
    return _ASKING_ZH.match(words) is not None and not _INDEFINITE_ZH.search(words)
