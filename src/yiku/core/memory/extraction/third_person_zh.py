"""Can a Chinese sentence be told about its speaker in the third person, and how?

我 becomes the speaker where nothing else can be meant by it; otherwise the answer is None and the sentence keeps its
own words.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.quotations import quotes_a_person
from yiku.core.memory.extraction.words_zh import LINK, TIME

_OTHERS = re.compile("[你您咱俺]|我们|我国|我校|我司|我方|我军|我党|我院|我市|自我|忘我|我行我素|舍我其谁|我的天")
_SUBJECT = re.compile(rf"(?:^|[，,、；：:\s])(?:{TIME}|{LINK})*+我")
_SAYING = re.compile("[说问喊道]|告诉|认为|觉得")


def in_third_person(sentence: str, subject: str) -> str | None:
    """我叫Johnny，喜欢披萨 is 用户叫Johnny，喜欢披萨. None when it is not sure whom a pronoun means."""
    if _OTHERS.search(sentence) or not _SUBJECT.search(sentence):
        return None
    if _SAYING.search(sentence[: sentence.index("我")]) or quotes_a_person(sentence):
        return None
    return sentence.replace("我", subject)


def mentions_speaker(sentence: str) -> bool:
    return "我" in sentence
