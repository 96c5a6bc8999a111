"""Whom is an English clause about: the speaker, one of the speaker's people, or nobody that it names?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from yiku.core.memory.extraction import roles

_LEAD = (
    r"(?:(?:and|but|so|also|well|oh|hey|actually|plus|yes|yeah|no|btw|by the way|to be honest|honestly|fyi|currently"
    r"|these days|nowadays|right now|at the moment|now|first|then|in fact|as i said|on top of that|(?:in"
    r"|since) (?:19|20)\d\d"
    r"|last (?:year|month|week)|two years ago|recently),? )*+"
)
_SUBJECT = re.compile(
    rf"(?P<lead>{_LEAD})(?:(?P<me>i|we)(?P<verb>'m|'re|'ve|'ll|'d)?|(?P<my>my"
    rf"|our) (?P<kin>{roles.ENGLISH})(?P<owner>'s)?"
    r"|(?P<mine>my|our)) ",
    re.IGNORECASE,
)
_WRITTEN_OUT = {"'m": "am ", "'re": "are ", "'ve": "have ", "'ll": "will ", "'d": "would "}
_OWNED = re.compile(r"(?:name|birthday|job|favou?rite|dog|cat|email|address|phone|number)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` name whom the clause is about, `name` is what a slot calls them, `rest` is what is said of them.

    `of_thing` says that the rest is about something of theirs: (my) name is Anna.
    """

    words: str
    name: str
    rest: str
    of_thing: bool = False


def subject_of(words: str, speaker: str | None) -> Subject | None:
    """The subject that `words` begin with; None where it is nobody that has a slot."""
    found = _SUBJECT.match(words)
    if found is None:
        return None
    rest = words[found.end() :]
    if found["me"]:
        return Subject(found["me"], speaker or "user", _WRITTEN_OUT.get((found["verb"] or "").lower(), "") + rest)
    if not found["kin"]:
        return Subject("my", speaker or "user", rest, of_thing=True)
    role = roles.role_of(found["kin"], speaker)
    if found["owner"] and not _OWNED.match(rest):
        return Subject(f"my {found['kin']}", role, "is " + rest)
    return Subject(f"my {found['kin']}", role, rest, of_thing=bool(found["owner"]))
