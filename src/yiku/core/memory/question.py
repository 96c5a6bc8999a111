"""What does a search ask for, and about whom?

Agents often send the last turns of a chat instead of a question. What an assistant said in it is not what is asked
about, and the marks around the turns are no words: both blur the vector (MADial-Bench, vectors alone, a right memory
among the first five: 73 % as pasted, 81 % so).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TURN = re.compile(
    r"""^\W*                                    # list marks, quotes, the bracket of <Anna>
    (?P<name>\w[\w .'·-]{0,38}?)
    \W{0,2}\s*[:：]\s*                           # the other bracket
    ["“「『]?(?P<words>.*?)["”」』]?\s*$""",
    re.VERBOSE,
)
_MARK = re.compile(r"^\W*<\w+>\W*$|^\s*$")
"""A line of its own that says nothing: <BOD>."""
_ASSISTANTS = frozenset(("assistant", "ai", "bot", "system", "tool", "助手", "助理", "机器人", "系统"))
_ROLES = _ASSISTANTS | {"user", "human", "me", "用户", "我"}
_TURNS_MIN = 2


@dataclass(frozen=True, slots=True)
class Question:
    """`text` is what words and vectors are made of; `people` are those who speak in it."""

    text: str
    people: tuple[str, ...] = ()


def understood(text: str) -> Question:
    """A pasted dialogue without its marks and without what an assistant said; anything else as it is."""
    turns = _turns(text)
    said = [(name, words) for name, words in turns if name.casefold() not in _ASSISTANTS]
    if len(turns) < _TURNS_MIN or not said:
        return Question(text)
    people = dict.fromkeys(name for name, _ in said if name.casefold() not in _ROLES)
    return Question(" ".join(f"{name}: {words}" for name, words in said), tuple(people))


def _turns(text: str) -> list[tuple[str, str]]:
    """Who says what, line by line; nothing when a line is no turn, for then the text is none of these dialogues."""
    turns = []
    for line in text.splitlines():
        if _MARK.match(line):
            continue
        turn = _TURN.match(line)
        if turn is None:
            return []
        turns.append((turn["name"], turn["words"]))
    return turns
