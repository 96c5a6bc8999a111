"""Do these words say that something said before was wrong?

"Actually, I moved" tells news; "actually, it's Friday" and 不对，是周五 put something right.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.sentences import plain

_MARK = re.compile(
    r"(?:哦|啊|呃|等等|等一下|抱歉|不好意思|对不起|[，,、\s])*+(?:不对|不是(?:的)?[，,]|错了"
    r"|(?:我)?(?:刚才|刚刚|之前|前面)?(?:说|记|写|打|搞|弄|讲)错了?|[那这]个?不是(?:我|在?说我)|口误|更正"
    r"|纠正|准确地?说)"
    r"|(?:刚才|刚刚|之前|前面)(?:我)?(?:说|写|讲)的?.{0,20}(?:不对|错了|有误)|(?:应该|其实"
    r"|实际上)(?:应该)?是.{1,40}(?:，|,)?(?:不是|而不是)|不是.{1,20}[，,]?(?:而)?是(?!吗)|(?:应该是"
    r"|其实是)"
    r"|(?:oh|no|wait|oops|sorry|hmm|hold on|my bad|ah|er|um|actually|[,.!\s-]+){0,6}\b(?:actually,? (?:it(?:'s| is"
    r"| was)|that(?:'s| is| was)|no\b|he's|she's|they're|my \w+(?: \w+)? is|not\b)|i meant"
    r"|i mean,? (?:it's|i)|(?:a )?(?:small |quick )?correction|scratch that"
    r"|i (?:misspoke|mistyped|made a mistake|got that wrong|was wrong|said (?:it|that) wrong)|that(?:'s"
    r"| is| was) (?:wrong|not right|incorrect|a mistake|a typo|not me)|typo|make that\b|let me correct)"
    r"|.{4,80}, not (?:an? |the |on |in |at )?[\w']+(?: [\w']+){0,2}$|.{1,60}\bnot .{1,30}, (?:it's"
    r"|sorry)\b|i (?:said|told you|wrote) .{1,60}\b(?:but|that was) .{0,20}(?:wrong|meant|mistake"
    r"|it's actually|actually)",
    re.IGNORECASE,
)
_NEWS = re.compile(r"\b(?:moved|switched|changed|started|stopped|quit)\b|搬|换|改成|开始|戒", re.IGNORECASE)
_ONLY = re.compile(
    r"(?:哦|啊|呃|等等|等一下|抱歉|不好意思|对不起|[，,、\s])*+(?:不对不?对?|不是的?|(?:我)?(?:刚才|刚刚"
    r"|之前|前面)?(?:说|记|写|打|搞|弄|讲)错了?|口误|更正(?:一下)?|纠正一下)[啊哦了]?"
    r"|(?:(?:oh|no|wait|oops|sorry|hmm|hold on|my bad|ah|er|um|actually)[,.! ]*)*+(?:i (?:misspoke"
    r"|mistyped|made a mistake|got that wrong|was wrong|said (?:it|that) wrong)"
    r"|i (?:told you|had it|put it|wrote it|said it) wrong(?: earlier| before)?|that(?:'s| is"
    r"| was) (?:wrong|not right|incorrect|a mistake|a typo)|typo|scratch that|(?:a )?(?:small "
    r"|quick )?correction|let me correct (?:that|myself)|my mistake)",
    re.IGNORECASE,
)


def corrects(sentence: str) -> bool:
    """Whether `sentence` puts right what was said before."""
    words = plain(sentence)
    return _MARK.match(words) is not None and not _NEWS.search(words)


def only_corrects(sentence: str) -> bool:
    """Whether `sentence` says that something was wrong and nothing else: "sorry, my mistake"."""
    return _ONLY.fullmatch(plain(sentence)) is not None
