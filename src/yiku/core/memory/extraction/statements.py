"""Is this clause surely a statement, complete by itself, that can be kept while the question beside it is left out?

Half a statement says something wrong, so a clause that may go on after its comma (my father, who is 70) is not sure.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.sentences import plain
from yiku.core.memory.extraction.verbs_en import PREDICATE
from yiku.core.memory.extraction.words_zh import LINK, TIME

_ASKING_FIRST_EN = (
    r"wonder|was wondering|want to (?:know|ask)|would like to (?:know|ask)|guess|think|mean|know|hope|need you|want you"
)
_COMPLETE_EN = re.compile(
    r"(?:(?:and|but|so|because|well|also|since|as) )?"
    rf"(?:(?:i|we)(?:'(?!d like to (?:know|ask)|m wondering|m curious)\w+ \w| (?!(?:{_ASKING_FIRST_EN})\b)[\w']+ \w)"
    r"|(?:my|our) (?:(?!(?:who|which|that|whose)\b)[\w']+ ){1,3}?"
    rf"(?:{PREDICATE}) \w)",
    re.IGNORECASE,
)
_OPEN_EN = re.compile(r"\b(?:who|which|that|whose|if|when|whether|because|to|of|and|or|the|a|an|my)$", re.IGNORECASE)

_PREDICATE_ZH = (
    r"(?:是|有|在|叫|住|喜欢|爱|想|要|会|能|不|没|了|过|去|来|吃|喝|做|用|买|对|养|学|觉得|怕|讨厌|今年|得|刚|准备|打算|每|常"
    r"|一直|失眠|搬|玩|看|穿|结婚|怀孕|毕业|退休|工作|上班)"
)
_COMPLETE_ZH = re.compile(
    rf"(?:{TIME}|{LINK})*+我(?!就?想(?:问|知道|请教|了解)).*?{_PREDICATE_ZH}.|(?:{TIME}|{LINK})++.*[了过].*"
)
_OPEN_ZH = re.compile(r"(?:的|时|时候|的话|之?后|之?前|以后|以前)$")


def is_complete_statement(clause: str) -> bool:
    words = plain(clause)
    if _COMPLETE_EN.match(words):
        return not _OPEN_EN.search(words)
    return _COMPLETE_ZH.match(words) is not None and not _OPEN_ZH.search(words)
