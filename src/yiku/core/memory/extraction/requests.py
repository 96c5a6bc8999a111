"""Does this clause ask the assistant for something, now, or for something to be remembered?

What is to hold from now on (always answer in French) is a preference, not a request: it is kept.
"""

from __future__ import annotations

import re

_REQUEST_EN = re.compile(
    r"(?:(?:so|and|but|then|also) )?(?:please\b|pls\b|(?:can|could|would|will) you\b(?! (?:believe|imagine)\b)"
    r"|tell me\b|show me\b|give me\b"
    r"|help me\b|let me know\b|(?:recommend|suggest)(?: me)? (?:a|an|some|something|the|any)\b"
    r"|(?:explain|translate|summari[sz]e|proofread|rewrite) (?:this|the|it|what|how|why|me)\b"
    r"|write (?:me )?(?:a|an|the)\b(?!.*\b(?:i|my)\b)|i(?:'d| would)? (?:want|need|like) you to\b)",
    re.IGNORECASE,
)
_REQUEST_ZH = re.compile(
    r"(?:那么?|就|再|所以|然后|顺便)?"
    r"(?:请(?!假|客|了|过|到|来)|麻烦[你您]|帮忙|帮帮我|帮我(?!们|妈|爸|家|的)(?!.*了$)"
    r"|[你您]?(?:能不能|可不可以|能否|能|可以)(?:帮我|给我|为我|告诉我|推荐|介绍)"
    r"|(?:给我|为我)(?:推荐|介绍|讲|列)|推荐(?:一|几|个|点|下|些)|介绍(?:一下|下)|告诉我(?!的)|求推荐|有什么推荐"
    r"|我(?:想|要|希望|需要)(?:请|让)?[你您](?:帮|给|推荐|告诉)|教我(?:一下|怎么|如何)|说说|讲讲"
    r"|(?:解释|翻译|总结)(?:一下|下|成))"
)
_LASTING = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|every time|going forward|by default|whenever|don['’]t|do not"
    r"|stop|call me|remind me|remember|keep in mind|(?:answer|reply|respond|speak|talk|write)(?: to me)? in)\b"
    r"|以后|今后|从现在|从今|每次|总是|永远|一直|始终|不要|别|叫我|称呼我|提醒我|记住|记得|记下|记着|[用说].{1,6}(?:回答|回复|交流)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:because|since|as) (?:i|my)\b|\bi(?:['’]m| am|['’]ve)\b|(?:因为|由于|毕竟)我|我对|我有", re.IGNORECASE
)

_REMEMBER = re.compile(
    r"(?:请|麻烦)?[你您]?(?:帮我)?(?:一定)?要?(?:记住|记下|记一下|记得|记着|别忘了|不要忘记)(?:一下|了)?[，,：:\s]*(?=我)"
    r"|(?:please )?(?:(?:can|could) you (?:please )?)?(?:remember|note|keep in mind|don['’]t forget|make a note)"
    r"(?: that|:)? (?=i\b|my\b.*\b(?:is|are|was|were|has|have)\b)",
    re.IGNORECASE,
)


def is_request(clause: str) -> bool:
    """A request for this moment that tells nothing about the speaker."""
    words = clause.strip(" \t，,。.？?！!~～").replace("’", "'")
    asked = _REQUEST_EN.match(words) or _REQUEST_ZH.match(words)
    return asked is not None and not _LASTING.search(words) and not _TELLING.search(words, asked.end())


def without_remember(clause: str) -> str:
    """记住我对花生过敏 is 我对花生过敏. Unchanged where no statement about the speaker follows."""
    return _REMEMBER.sub("", clause, count=1) if _REMEMBER.match(clause) else clause
