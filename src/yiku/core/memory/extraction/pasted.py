"""Where in a message stands text that the assistant is only to work on: translate this, fix my code?

It is said by nobody, even where it says "I": "Translate into French: I live in Paris" tells nothing about a home.
"""

from __future__ import annotations

import re

_WORK_EN = (
    r"\b(?:translat\w{1,4}|proofread|summari[sz]e|rewrite|rephrase|paraphrase|polish|edit|check|correct"
    r"|explain|review|fix|debug"
    r"|improve|shorten|refactor|convert|format|look at|grammar|what does)\b"
)
_TEXT_EN = (
    r"\b(?:this|these|the following|following|below|text|e-?mail|sentence|paragraph|essay|letter|code"
    r"|function|snippet|message"
    r"|article|poem|phrase|cv|resume|abstract|script|query|quote|caption|into (?:\w+)|to (?:english|french"
    r"|german|spanish|chinese))\b"
)
_WORK_ZH = (
    r"(?:翻译|润色|校对|总结|概括|改写|修改|检查|解释|优化|缩写|扩写|分析|改一下|改改|看看|看一下|纠正|翻成"
    r"|译成|什么意思)"
)
_TEXT_ZH = r"(?:这|下面|以下|邮件|文字|文章|句|代码|作文|简历|文案|稿|段|成(?:英|中|日|法|德)|英文|中文|程序|函数)"
_ASKED = re.compile(
    rf"(?=[^\n:：\"“]{{0,80}}{_WORK_EN})(?=[^\n:：\"“]{{0,90}}{_TEXT_EN})[^\n:：\"“]{{0,100}}(?:[:：]\s*|\n+|(?=[\"“]))"
    rf"|(?=[^\n:：\"“]{{0,40}}{_WORK_ZH})(?=[^\n:：\"“]{{0,50}}{_TEXT_ZH})[^\n:：\"“]{{0,60}}(?:[:：]\s*"
    r"|\n+|(?=[\"“]))",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?。！？\n]))\s*")
_QUOTE = re.compile(r"[\"“][^\"”]{0,20000}[\"”]")
_STARTS_MAX = 20


def around_pasted(content: str) -> tuple[str, str, str]:
    """What is said, what is pasted, and what is said after it; all of it is said where nothing is pasted."""
    for number, start in enumerate(_SENTENCE_START.finditer(content)):
        if number == _STARTS_MAX:
            break
        if asked := _ASKED.match(content, start.end()):
            end = _end(content, asked)
            if content[asked.end() : end].strip():
                return content[: asked.end()], content[asked.end() : end], content[end:]
    return content, "", ""


def _end(content: str, asked: re.Match[str]) -> int:
    """A quotation ends with its mark; anything else goes on to the end of its paragraph, or of the message."""
    if quote := _QUOTE.match(content, asked.end()):
        return quote.end()
    if asked.group().endswith("\n"):
        return len(content)
    paragraph = content.find("\n\n", asked.end())
    return len(content) if paragraph < 0 else paragraph
