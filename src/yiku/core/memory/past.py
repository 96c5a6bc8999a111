"""Does a question ask about the past, so that what holds no more answers it too?

A sure sign is a word that sets what was against what is (以前, used to). The past tense alone is none: "what did she
say about coffee" asks for what holds.
"""

from __future__ import annotations

import re

_ZH = re.compile(
    r"[以之从]前|曾|过去(?![吧了])|原来(?=.{0,6}[住在叫是做用工公的])|原先|早先|当[初年时]|那时|那会儿|小时候"
    r"|上次|[上前]一[个家份任次]|前任|旧(?:地址|工作|公司|单位|号|名|手机|电脑|家|房)"
    r"|[去前]年|上个?(?:月|周|星期|季度)|[昨前]天|[年月周天]前|搬.{0,8}前|换.{0,6}前|历史上|历任|[变改换]过"
)
_PERIOD = r"(?:year|month|week|summer|winter|spring|autumn|fall|time|night|decade"
_MONTH = r"january|february|march|april|may|june|july|august|september|october|november|december)"
_EN = re.compile(
    r"\b(?:used? to|formerly|former|previous(?:ly)?|before|once (?:was|were|did|had|lived|worked)|in the past"
    r"|back (?:then|in|when)|at (?:the|that) time|those days|earlier|originally|at first|initially|prior to"
    r"|ex[- ](?:wife|husband|girlfriend|boyfriend|partner|boss|employer|colleague)"
    r"|old (?:address|job|employer|company|phone|number|name|boss|flat|apartment|house|car|email)"
    rf"|last {_PERIOD}|{_MONTH}|yesterday|(?:days?|weeks?|months?|years?|decades?) ago"
    r"|as a (?:child|kid|student|teenager)|as of|history of|until (?:recently|then)|no longer|any ?more"
    r"|ever (?:been|lived|had|worked))\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def asks_about_the_past(text: str) -> bool:
    """Whether the words speak of a time before now. A year in digits does: what holds since is found with it anyway."""
    return any(pattern.search(text) for pattern in (_ZH, _EN, _YEAR))
