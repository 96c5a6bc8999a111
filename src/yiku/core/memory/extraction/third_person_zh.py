"""Can a Chinese sentence be told about its speaker in the third person, and how?

我 becomes the speaker where nothing else can be meant by it; otherwise the answer is None and the sentence keeps its
own words.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.sentences import QUOTED

_OTHERS = re.compile("[你您咱俺]|我们|我国|我校|我司|我方|我军|我党|我院|我市|自我|忘我|我行我素|舍我其谁|我的天")
_PERSON = re.compile("[我你您咱]")
_QUOTE_MARK = re.compile('[“”‘’「」『』"]')
_TIME = (
    r"(?:今天|昨天|前天|明天|后天|今年|去年|前年|明年|上周|下周|这周|本周|上个?月|下个?月|这个月|周末|今早|今晚|昨晚|早上|上午"
    r"|中午|下午|晚上|现在|目前|最近|以前|之前|后来|刚才|刚刚|平时|一般|通常|小时候|每天|每周|每年|每个?月|[周星期]{1,2}[一二三四五六日天]|\d{1,4}[年月日号点时岁])"
)
_LINK = r"(?:其实|但是?|因为|所以|而且|然后|不过|另外|还有|虽然|由于|首先|对了|原来|当时|那时候?)"
_SUBJECT = re.compile(rf"(?:^|[，,、；：:\s])(?:{_TIME}|{_LINK})*+我")
_SAYING = re.compile("[说问喊道]|告诉|认为|觉得")


def in_third_person(sentence: str, subject: str) -> str | None:
    """我叫Johnny，喜欢披萨 is 用户叫Johnny，喜欢披萨. None when it is not sure whom a pronoun means."""
    if _OTHERS.search(sentence) or not _SUBJECT.search(sentence):
        return None
    if _SAYING.search(sentence[: sentence.index("我")]) or _quotes_a_person(sentence):
        return None
    return sentence.replace("我", subject)


def mentions_speaker(sentence: str) -> bool:
    return "我" in sentence


def _quotes_a_person(sentence: str) -> bool:
    """Whether somebody speaks within quotation marks. A title in marks does no harm; a mark without its pair may."""
    quotes = re.findall(QUOTED, sentence)
    unpaired = _QUOTE_MARK.search(re.sub(QUOTED, "", sentence))
    return unpaired is not None or any(_PERSON.search(quote) for quote in quotes)
