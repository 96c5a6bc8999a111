"""Which slots does a question ask for? "Where do I live?" asks for the user's home, 妈妈对什么过敏？ for her allergies.

A memory that fills such a slot answers the question, in whatever words: "I moved to York" has none in common with it.
Only whole questions of a known form are understood, and only about the user, one of the user's people, or a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.questions_named import ANY_TOPIC, questions_named
from yiku.core.memory.extraction.slots import normalised
from yiku.core.memory.extraction.structure import slot_in
from yiku.core.memory.holdings import SlotKey
from yiku.core.memory.records import slot_field
from yiku.model.conditions import Condition, Glob, In, Or

_CHARACTERS_MOST = 80

_Asked = tuple[str, str | None]
"""Attribute and topic."""

_NOW_EN = r"(?: (?:now|currently|still|these days|nowadays|at the moment|today|before|previously|then|earlier|again))*"
_WHO_EN = r"(?P<who>i|we|the user|(?:my|our) (?:\w+[- ]){0,2}?\w+|(?!you\b|it\b|this\b|that\b|there\b)[a-z][\w'’-]*)"
_WHOSE_EN = r"(?P<whose>(?:my|our) (?:\w+[- ]){0,2}?\w+['’]s|my|our|the user['’]s|[a-z][\w-]*['’]s)"
_DO, _BE, _IS = r"(?:do|does|did)", r"(?:am|is|are|was|were)", r"(?:['’]s| is| are| was| were)"


def _en(*forms: tuple[str, tuple[_Asked, ...]]) -> tuple[tuple[re.Pattern[str], tuple[_Asked, ...]], ...]:
    return tuple((re.compile(rf"(?:and |so |but )?{form}{_NOW_EN}", re.IGNORECASE), asked) for form, asked in forms)


_FORMS_EN = _en(
    (rf"where {_DO} {_WHO_EN}{_NOW_EN} (?:live|stay|reside)", (("home", None),)),
    (rf"(?:which|what) (?:city|town|village|country|place) {_DO} {_WHO_EN}{_NOW_EN} live in", (("home", None),)),
    (rf"where {_BE} {_WHO_EN}{_NOW_EN} (?:living|based|located)", (("home", None),)),
    (rf"where {_DO} {_WHO_EN}{_NOW_EN} work", (("employer", None),)),
    (rf"where {_BE} {_WHO_EN}{_NOW_EN} working", (("employer", None),)),
    (
        rf"(?:who|whom|(?:what|which) (?:company|employer|firm)) {_DO} {_WHO_EN}{_NOW_EN} work (?:for|at|with)",
        (("employer", None),),
    ),
    (rf"what {_DO} {_WHO_EN}{_NOW_EN} do(?: for (?:a living|work)| as a job)?", (("job", None), ("employer", None))),
    (rf"what {_BE} {_WHO_EN} called", (("name", None),)),
    (r"who am (?P<who>i)", (("name", None),)),
    (rf"how old {_BE} {_WHO_EN}", (("age", None), ("birthday", None))),
    (rf"when {_BE} {_WHO_EN} born", (("birthday", None),)),
    (rf"where {_BE} {_WHO_EN} from", (("hometown", None), ("birthplace", None))),
    (rf"where {_DO} {_WHO_EN} (?:come from|grow up)", (("hometown", None), ("birthplace", None))),
    (rf"what (?:foods? |things? |medicines? )?{_BE} {_WHO_EN} allergic to", (("allergy", ANY_TOPIC),)),
    (rf"(?:what|which) allergies {_DO} {_WHO_EN} have", (("allergy", ANY_TOPIC),)),
    (rf"{_DO} {_WHO_EN} have (?:any )?allergies", (("allergy", ANY_TOPIC),)),
    (rf"{_BE} {_WHO_EN} allergic to (?:anything|something)", (("allergy", ANY_TOPIC),)),
    (
        rf"what {_DO} {_WHO_EN}{_NOW_EN} (?:really )?(?:like|love|enjoy|dislike|hate)(?: (?:most|best))?"
        r"(?: (?:doing|to (?:do|eat|drink)|eating|drinking))?",
        (("likes", ANY_TOPIC),),
    ),
    (rf"(?:what|which|how many) languages {_DO} {_WHO_EN} (?:speak|know)", (("languages", ANY_TOPIC),)),
    (rf"(?:what|which) pets? {_DO} {_WHO_EN} have", (("pet", ANY_TOPIC),)),
    (rf"{_DO} {_WHO_EN} have (?:a pet|any pets|pets)", (("pet", ANY_TOPIC),)),
    (rf"{_BE} {_WHO_EN} (?:married|single|divorced|engaged)", (("marital status", None),)),
    (
        rf"what (?:can['’]?t|don['’]?t|doesn['’]?t|won['’]?t) {_WHO_EN} eat",
        (("diet", ANY_TOPIC), ("allergy", ANY_TOPIC)),
    ),
    (
        rf"(?:what|which) (?:tools?|apps?|software|editor|programming languages?) {_DO} {_WHO_EN}{_NOW_EN} use",
        (("tools", ANY_TOPIC),),
    ),
)
_NOUN_EN = re.compile(
    rf"(?:and |so )?(?:what|when|which|where|who){_IS} {_WHOSE_EN}(?: (?:current|present|old|former|previous|new))*"
    rf" (?P<noun>.+?){_NOW_EN}",
    re.IGNORECASE,
)
_FAVOURITE_EN = re.compile(rf"(?:what|which|who){_IS} {_WHOSE_EN} favou?rite (?P<topic>\w+)", re.IGNORECASE)
_YES_OR_NO_EN = re.compile(rf"(?P<verb>{_DO}|{_BE}) {_WHO_EN} (?P<rest>.+?)", re.IGNORECASE)

_NOW_ZH = r"(?:现在|目前|如今|以前|之前|从前|原来|曾经|过去|当时|那时|还|平时|一般|最|都|到底|究竟|今年|是)*+"
_WHO_ZH = r"(?P<who>[\u4e00-\u9fffA-Za-z·]{1,8}?)"
_WHERE_ZH = r"(?:哪里|哪儿|哪个(?:城市|地方|小区|区|国家)|什么(?:地方|城市)|何处|哪)"
_FIRM_ZH = r"(?:哪家|哪个|什么)(?:公司|单位|医院|学校|企业)"
_WHAT_ZH = r"(?:什么|哪些|啥|哪种|哪类)"


def _zh(*forms: tuple[str, tuple[_Asked, ...]]) -> tuple[tuple[re.Pattern[str], tuple[_Asked, ...]], ...]:
    return tuple((re.compile(rf"(?:请问|那么?|所以)?{_WHO_ZH}{_NOW_ZH}{form}"), asked) for form, asked in forms)


_FORMS_ZH = _zh(
    (rf"(?:住|居住|定居)(?:在)?{_WHERE_ZH}", (("home", None),)),
    (rf"(?:的)?家(?:住)?在?{_WHERE_ZH}", (("home", None),)),
    (
        rf"(?:在)(?:{_WHERE_ZH}|(?:哪家|哪个|什么)(?:公司|单位|医院|学校|企业))(?:上班|工作|任职|就职)",
        (("employer", None),),
    ),
    (r"(?:从事|做|干)(?:的是)?(?:什么|啥|哪行)(?:工作|职业)?(?:的)?", (("job", None), ("employer", None))),
    (r"叫(?:什么|啥)(?:名字)?", (("name", None),)),
    (r"(?:几岁|多大|多少岁)(?:了)?", (("age", None), ("birthday", None))),
    (r"(?:什么时候|哪天|哪年|哪一[天年]|几月几[号日])(?:出)?生(?:日)?(?:的)?", (("birthday", None),)),
    (rf"(?:来自|从){_WHERE_ZH}(?:来)?(?:的)?|{_WHERE_ZH}人", (("hometown", None),)),
    (rf"对{_WHAT_ZH}(?:食物|东西|药物?|吃的)?(?:会)?过敏", (("allergy", ANY_TOPIC),)),
    (r"有(?:没有)?(?:什么|哪些)?过敏(?:史|的东西|的食物)?", (("allergy", ANY_TOPIC),)),
    (
        rf"(?:不)?(?:喜欢|爱|喜爱|讨厌)(?:吃|喝|看|听|玩|做)?{_WHAT_ZH}(?:东西|食物|饮料|运动|音乐|书|电影)?",
        (("likes", ANY_TOPIC),),
    ),
    (rf"(?:的)?(?:爱好|兴趣)(?:爱好)?(?:有{_WHAT_ZH}|是{_WHAT_ZH})", (("likes", ANY_TOPIC),)),
    (r"(?:会)(?:说|讲)?(?:什么|哪些|哪几种|几种|几门)(?:语言|外语|话)", (("languages", ANY_TOPIC),)),
    (r"(?:养|有)(?:了)?(?:什么|哪些|啥)(?:宠物)", (("pet", ANY_TOPIC),)),
    (r"(?:有没有)?(?:结婚|成家)(?:了没有|了没|没有|没)?", (("marital status", None),)),
    (rf"(?:不能|不)吃{_WHAT_ZH}(?:东西)?", (("diet", ANY_TOPIC), ("allergy", ANY_TOPIC))),
)
_NOUN_ZH = re.compile(
    r"(?:请问|那么?)?(?P<who>[\u4e00-\u9fffA-Za-z·]{1,8}?)(?:的|(?<=我)(?!.+的))(?:现在的?|目前的?|以前的?|之前的?|新|旧|原来的?)*+"
    r"(?P<noun>[\u4e00-\u9fffA-Za-z]{1,8}?)(?:现在|以前|之前|原来)?(?:是|叫|为|在)?"
    r"(?:什么(?:时候)?|多少|啥|哪里|哪儿|哪(?:[个天家一]|一天)?|谁|几(?:月几)?[号日]|怎么样)?"
)
_FAVOURITE_ZH = re.compile(
    rf"{_WHO_ZH}(?:最喜欢|最爱|最喜爱)(?:的)(?P<topic>[\u4e00-\u9fff]{{1,6}}?)(?:是)(?:什么|哪个|谁|哪部|哪本|哪种|哪首)"
)
_YES_OR_NO_ZH = re.compile(r"(?P<statement>.+?)(?:吗|么|嘛)")


USERS_NAME: SlotKey = ("user", "name", None)


@lru_cache(maxsize=256)
def slots_asked(question: str) -> tuple[SlotKey, ...]:
    """Subject, attribute and topic of each; none where the question is of no known form. The topic may be any."""
    bare = " ".join(question.split()).strip(" ?？!！.。")
    if not bare or len(bare) > _CHARACTERS_MOST:
        return ()
    return _chinese(bare) if language_of(bare) == "zh" else _english(bare)


def is_name(subject: str) -> bool:
    """Whether a subject is somebody by name: roles and the user are called by small English words."""
    return not (subject.isascii() and subject.islower())


def names_the_same(name: str, value: str) -> bool:
    """A first name, or the whole: Nora is "nora smith", 周敏 is 周敏."""
    asked = normalised(name)
    return asked in (value, value.split(" ")[0])


def slots_condition(keys: Collection[SlotKey]) -> Condition:
    """What fills one of these slots; of one whose topic is any, whatever it is about."""
    whole = tuple(slot_field(key) for key in keys if key[2] != ANY_TOPIC)
    of_any = (slot_field(key).replace(f'"{ANY_TOPIC}"', "*") for key in keys if key[2] == ANY_TOPIC)
    return Or((In("slot", whole), *(Glob("slot", pattern) for pattern in of_any)))


def _english(bare: str) -> tuple[SlotKey, ...]:
    if found := _FAVOURITE_EN.fullmatch(bare):
        return _keys(_subject_en(found["whose"]), (("favourite", found["topic"].lower()),))
    if (found := _NOUN_EN.fullmatch(bare)) and (asked := questions_named(found["noun"])):
        return _keys(_subject_en(found["whose"]), asked)
    for form, asked in _FORMS_EN:
        if found := form.fullmatch(bare):
            return _keys(_subject_en(found["who"]), asked)
    if found := _YES_OR_NO_EN.fullmatch(bare):
        verb = "am " if found["verb"].lower() in ("am", "is", "are", "was", "were") else ""
        return _of_statement(_subject_en(found["who"]), f"I {verb}{found['rest']}")
    return ()


def _chinese(bare: str) -> tuple[SlotKey, ...]:
    if found := _FAVOURITE_ZH.fullmatch(bare):
        return _keys(_subject_zh(found["who"]), (("favourite", found["topic"]),))
    if (found := _NOUN_ZH.fullmatch(bare)) and (asked := questions_named(found["noun"])):
        return _keys(_subject_zh(found["who"]), asked)
    for form, asked in _FORMS_ZH:
        if found := form.fullmatch(bare):
            return _keys(_subject_zh(found["who"]), asked)
    if found := _YES_OR_NO_ZH.fullmatch(bare):
        statement = re.sub("^用户", "我", found["statement"])
        slot = slot_in(statement, None)
        return (slot.key,) if slot else ()
    return ()


def _of_statement(subject: str | None, statement: str) -> tuple[SlotKey, ...]:
    slot = slot_in(statement, None)
    return () if slot is None else _keys(subject, ((slot.attribute, slot.topic),))


def _keys(subject: str | None, asked: tuple[_Asked, ...]) -> tuple[SlotKey, ...]:
    return () if subject is None else tuple((subject, attribute, topic) for attribute, topic in asked)


def _subject_en(who: str) -> str | None:
    name = re.sub(r"['’]s$", "", who)
    if name.lower() in ("i", "we", "my", "our", "the user"):
        return "user"
    if name.lower().startswith(("my ", "our ")):
        return _role(f"{name} lives in Xanadu")
    return name if name[0].isupper() else None


def _subject_zh(who: str) -> str | None:
    bare = re.sub(r"的$", "", who)
    if bare in ("我", "我们", "用户", "本人", "咱", "咱们", "俺"):
        return "user"
    role = _role(f"我{bare}住在某地") if not bare.startswith("我") else _role(f"{bare}住在某地")
    return role or (None if bare.startswith(("我", "你", "他", "她", "它")) else bare)


def _role(statement: str) -> str | None:
    """What a slot calls somebody of the user's: 我妈妈 is "mother"."""
    slot = slot_in(statement, None)
    return slot.subject if slot else None
