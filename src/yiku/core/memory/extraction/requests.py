"""Does this clause ask the assistant for something: now, for later, or to remember or to forget?"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.sentences import plain
from yiku.core.memory.extraction.words_zh import TIME

_REQUEST_EN = re.compile(
    r"(?:(?:so|and|but|then|also) )?(?:please\b|pls\b|(?:can|could|would|will) you\b(?! (?:believe|imagine)\b)"
    r"|tell me\b|show me\b|give me\b"
    r"|help me\b|let me know\b|(?:recommend|suggest)(?: me)? (?:a|an|some|something|the|any)\b"
    r"|(?:explain|translate|summari[sz]e|proofread|rewrite) (?:this|the|it|what|how|why|me)\b"
    r"|write (?:me )?(?:a|an|the)\b|i(?:'d| would)? (?:want|need|like) you to\b)",
    re.IGNORECASE,
)
_REQUEST_ZH = re.compile(
    r"(?:那么?|就|再|所以|然后|顺便)?"
    r"(?:请(?!假|客|了|过|到|来|问)|麻烦[你您]|帮忙|帮帮我|帮我(?!们|妈|爸|家|的)(?!.*了$)"
    r"|[你您]?(?:能不能|可不可以|能否|能|可以)(?:帮我|给我|为我|告诉我|提醒|推荐|介绍)"
    r"|(?:给我|为我)(?:推荐|介绍|讲|列)|推荐(?:一|几|个|点|下|些)|介绍(?:一下|下)|告诉我(?!的)|求推荐|有什么推荐"
    r"|(?:以后|今后|从现在).*(?:好|行|可以)吗$"
    r"|我(?:想|要|希望|需要)(?:请|让)?[你您](?:帮|给|推荐|告诉)|教我(?:一下|怎么|如何)|说说|讲讲"
    r"|(?:解释|翻译|总结)(?:一下|下|成))"
)
_LASTING = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|every time|going forward|by default|whenever|don['’]t|do not"
    r"|stop|call me|remind me (?!of|what|where|who|when|which|how|if)|remember|keep in mind"
    r"|(?:answer|reply|respond|speak|talk|write)(?: to me)? in)\b"
    r"|以后|今后|从现在|从今|每次|总是|永远|一直|始终|不要|别|叫我|称呼我|提醒我|记住|记得|记下|记着|[用说].{1,6}(?:回答|回复|交流)",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:book|reserve|schedule|order|buy|plan|arrange|cancel|rent)\b.{0,200}?"
    r"(?:\d|\b(?:for|to|at|on|from|in|by|with|tomorrow|tonight|today|next)\b (?!me\b|us\b)\w)"
    rf"|(?:订|定|预约|买|安排|取消|改签|租|报名).{{0,60}}?(?:{TIME}|\d|[去到飞从给和跟])|攻略|行程|推荐.{{0,20}}?\d",
    re.IGNORECASE,
)

_REMEMBER = re.compile(
    r"(?:请|麻烦)?[你您]?(?:帮我)?(?:一定)?要?(?:记住|记下|记一下|记得|记着|别忘了|不要忘记)(?:一下|了)?[，,：:\s]*"
    r"(?=我)(?!.*吗[?？]?$)"
    r"|(?:please )?(?:(?:can|could) you (?:please )?)?(?:remember|note|keep in mind|don['’]t forget|make a note)"
    r"(?: that|:)? (?=i\b|my\b.*\b(?:is|are|was|were|has|have)\b)",
    re.IGNORECASE,
)

_I_SAID_ZH = r"[^：:]{0,40}?我[^，：:]{0,8}?(?:说|告诉|提|讲)(?!.{0,40}[没吗])"
_FORGET = re.compile(
    r"(?:(?:please|just|now|ok|so|and|also|oh|btw|by the way),? )*+"
    r"(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:want|need|like) you to )?"
    r"(?:forget (?!to\b)\w|(?:delete|erase|remove|clear|wipe)\b"
    r"(?=.*\b(?:memor(?:y|ies)|told|mentioned|said|about me)\b))[^:;—]*"
    r"|(?:请|麻烦|你|您|帮我|帮忙|能不能|可不可以|可以|能|给我|另外|还有|对了|顺便|那|就)*+"
    r"(?:(?<=请)忘[掉记](?=.{0,20}我)|忘[了记](?=我[^，,了]{1,12}吧$)|忘记(?=我的[^，,了]{1,8}$)|把[^，：:]{1,30}?(?:忘掉(?!了)|忘了吧)|把(?=.*(?:我|记忆))[^，：:]{1,30}?(?:删掉|删除|清除|清空|抹掉)(?!了)"
    rf"|忘掉|忘[记了]?(?={_I_SAID_ZH})|(?:删掉|删除|清除|清空)(?:(?=.*(?:记忆|关于我))|(?={_I_SAID_ZH})))"
    r"[^：:]*(?<!掉了)",
    re.IGNORECASE,
)


def is_request(clause: str) -> bool:
    """Whether the clause has the form of a request; "call me Bob" has not, it is a preference."""
    words = plain(clause)
    return _REQUEST_EN.match(words) is not None or _REQUEST_ZH.match(words) is not None


def is_request_to_forget(clause: str) -> bool:
    return _FORGET.fullmatch(plain(clause)) is not None


def holds_a_plan(request: str) -> bool:
    """Whether the request is to hold from now on (always answer in French), or arranges what the speaker will do."""
    words = plain(request)
    return _LASTING.search(words) is not None or _PLAN.search(words) is not None


def without_remember(clause: str) -> str:
    """记住我对花生过敏 is 我对花生过敏. Unchanged where no statement about the speaker follows."""
    return _REMEMBER.sub("", clause, count=1) if _REMEMBER.match(clause) else clause
