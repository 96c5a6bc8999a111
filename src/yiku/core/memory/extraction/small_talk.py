"""Is this clause, as a whole, small talk or a bare confirmation?

Only whole clauses: one word more than the tables know may be the fact (谢谢，我对花生过敏). All repetitions are
possessive, so that no text makes them backtrack.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.facts import CONFIRMATION, SMALL_TALK

_LONGEST = 60

_YES_NO_ZH = (
    "好|嗯|哦|噢|喔|是|对|行|可以|没错|当然|知道|我知道|明白|我明白|了解|收到|没问题"
    "|不是|没有|不用|不了|不行|不要|确实|同意|要|需要|不需要|不知道|不清楚|也许|可能"
)
_SMALL_TALK_ZH = (
    "你好|您好|大家好|嗨|哈喽|哈啰|喂|早上好|上午好|中午好|下午好|晚上好|早安|午安|晚安|早|在吗|好久不见"
    "|谢谢|多谢|感谢|辛苦|麻烦你|麻烦您|不客气|没关系|没事|不好意思|抱歉|对不起|再见|拜拜|回头见|明天见|下次见|下次聊|回聊"
    "|哈|呵|嘿|嘻|呃|额|啊|哇|哎|唉|诶|欸|咦|我的天|天哪|我去|我靠|太好|太棒|真棒|真好|厉害|加油|恭喜|不错|真的|对了|那么|记住|请记住|请"
)
_PARTICLES_ZH = "的|了|啊|呀|啦|哦|呢|吧|嘛|哈|你|您|大家|一下"
_CONFIRMATION_ZH = re.compile(rf"(?:{_YES_NO_ZH})(?:{_YES_NO_ZH}|的|了|啊|呀|啦|哦|吧|嘛|呢)*+")
_THANKS_ZH = r"(?:谢谢|感谢|多谢)(?:你|您)?们?的(?:推荐|建议|帮助|解答|回答|分享|提醒|关心|支持)"
_CHATTER_ZH = re.compile(
    rf"(?:{_THANKS_ZH}|{_SMALL_TALK_ZH}|{_YES_NO_ZH})(?:{_SMALL_TALK_ZH}|{_YES_NO_ZH}|{_PARTICLES_ZH})*+"
)

_YES_NO_EN = (
    r"yes|yeah|yea|yep|yup|no|nope|nah|ok|okay|k|sure thing|for sure|sure|right|exactly|definitely|absolutely|totally"
    r"|of course|agreed|i agree|maybe|perhaps|not sure|not yet|no idea"
    r"|true|correct|fine|alright|all right|got it|i got it|sounds good|i see|i know"
    r"|i understand|understood|will do|indeed|mhm|uh huh|not really|i think so|i guess"
    r"|i (?:did|do|am|have|will|can|was|would)"
)
_ADDRESS_EN = (
    r"hi there|hi|hello there|hello|hey there|hey|yo|good (?:morning|afternoon|evening|night|day)|greetings"
    r"|thank(?:s| you)(?: so much| very much| a lot| again)?(?: for (?:asking|sharing|listening|everything|that|this"
    r"|letting me know|(?:the|your) (?:help|info|tips?|advice|support|encouragement|suggestions?|kind words|time)))?"
    r"|thx|cheers|bye bye|bye|goodbye|see (?:you|ya)(?: later| soon| tomorrow| around)?|talk (?:to you )?(?:later|soon)"
    r"|take care|have a (?:good|great|nice) (?:day|night|evening|one|weekend)|good luck|best of luck|congrats"
    r"|congratulations|what's up|how are you|how's it going"
    r"|well done|way to go|nice one|good job|great job|no problem|no worries"
    r"|you're welcome|my pleasure"
    r"|sorry|my bad|excuse me|nice to meet you|(?:good|great|nice) to (?:hear(?: from you)?|see you)"
    r"|long time no (?:see|talk)|wow|whoa|woah|yay|woohoo|aww?|omg|oh my god|oh my|oh no|oh"
)
_FILLER_EN = (
    r"lol|lmao|(?:ha){2,}h?|(?:he){2,}|hm+|um+|uh+|ah+|ugh|so|well|anyway|anyways|btw|by the way|please|pls"
    r"|(?:please )?remember|guess what|same here|me too|me neither|really|you know|cool beans|(?:[:;=]-?[dp3]+|xd|<3)"
    r"|(?:that's |that is |sounds |that sounds |looks |how )?(?:so |really |very |super |pretty )?"
    r"(?:awesome|great|cool|nice|amazing|fantastic|wonderful|lovely|good|fun|incredible|perfect|excellent|interesting"
    r"|impressive|sweet|brilliant)"
)
_CONFIRMATION_EN = re.compile(rf"(?:{_YES_NO_EN})(?: (?:{_YES_NO_EN}|too|indeed)\b)*+")
_ADDRESSING_EN = re.compile(rf"(?:{_ADDRESS_EN})(?: (?:{_ADDRESS_EN})\b)*+")
_CHATTER_EN = re.compile(
    rf"(?:{_ADDRESS_EN}|{_FILLER_EN}|{_YES_NO_EN})"
    rf"(?: (?:{_ADDRESS_EN}|{_FILLER_EN}|{_YES_NO_EN}|all|everyone|guys)(?!\w))*+"
)
_NAME_AT_END = re.compile(r" [A-Z][a-z]+$")


def small_talk_reason(clause: str) -> str | None:
    """Why `clause` can be left out, or None when it may say something."""
    if not any(character.isalnum() for character in clause):
        return SMALL_TALK
    if len(clause) > _LONGEST:
        return None
    words = _words(clause)
    if _CONFIRMATION_ZH.fullmatch(words) or _CONFIRMATION_EN.fullmatch(words):
        return CONFIRMATION
    if _CHATTER_ZH.fullmatch(words) or _CHATTER_EN.fullmatch(words):
        return SMALL_TALK
    addressed = _NAME_AT_END.sub("", clause.rstrip(" ,.!?，。！？"))
    return SMALL_TALK if _ADDRESSING_EN.fullmatch(_words(addressed)) else None


def _words(clause: str) -> str:
    """The bare words: without emoji and punctuation, save the apostrophes and the faces :D and <3."""
    plain = clause.lower().replace("’", "'")
    return " ".join(re.sub(r"[^\w\s':;=<\-]|[:;](?!-?[dp3])|<(?!3)|[-=](?![dp3])", " ", plain).split())
