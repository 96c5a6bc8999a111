"""Whom is a Chinese clause about: the speaker, one of the speaker's people, or nobody that it names?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from yiku.core.memory.extraction import roles
from yiku.core.memory.extraction.words_zh import LINK, TIME

_DATE = r"(?:(?:\d{4}年)?(?:\d{1,2}月)?(?:份|\d{1,2}[日号])?|\d{1,3}(?:天|个?月|年|周)(?:以|之)?前)"
_LEAD = (
    rf"(?:{TIME}|{LINK}|{_DATE}(?<=[年月日号前份])|那|哦|嗯|啊|哈|哎|欸|不过|对|另外|还有|顺便说一下|说起来"
    r"|告诉你|跟你说|[，,、：:\s])*+"
)
_MANNER = r"(?:其实|现在|目前|也|还|就|都|已经|刚刚?|最近|真的|本人|自己|一直|平时|从小|本来|这边|个人|是个|又|早就)*+"
_SUBJECT = re.compile(
    rf"(?P<lead>{_LEAD})(?:(?P<self>我)(?:家)?(?:的)?(?P<kin>{roles.CHINESE})(?![夫妻弟妹姐哥])"
    rf"|(?P<own>{roles.CHINESE})(?![们的去节夫妻弟妹姐哥])"
    r"|(?P<me>[我俺]|本人)(?!们|国|校|司|方))"
    rf"(?P<manner>{_MANNER})"
)
_OMITTED = re.compile(rf"(?P<lead>{_LEAD})(?P<manner>{_MANNER})")


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` name whom the clause is about, `name` is what a slot calls them, `rest` is what is said of them."""

    words: str
    name: str
    rest: str


def subject_of(words: str, speaker: str | None) -> Subject | None:
    """The subject that `words` begin with; None where it is nobody that has a slot."""
    found = _SUBJECT.match(words)
    if found is None:
        return None
    rest = words[found.end() :]
    if found["me"]:
        return Subject("我", speaker or "user", rest)
    kin = found["kin"] or found["own"]
    return Subject(("我" if found["kin"] else "") + kin, roles.role_of(kin, speaker), rest)


def without_subject(words: str) -> str:
    """What is said where the subject is left unsaid, as Chinese may."""
    found = _OMITTED.match(words)
    return words[found.end() :] if found else words
