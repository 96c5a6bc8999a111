"""What kind of fact is this Chinese sentence, where no slot says so?"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.words_zh import FAMILY
from yiku.model.facts import FactKind

_INSTRUCTION = re.compile(
    r"(?:(?:还有|另外|对了|那|也|顺便)[，,]?)*+(?:请|麻烦|拜托|希望)?(?:你|您)?(?:能不能|可不可以|能否"
    r"|可以)?(?:以后|今后|从现在(?:起|开始)?"
    r"|从今天起|每次|之后|下次|接下来)?[，,]?(?:请|都|一律)?(?:你|您)?(?:都|要|一直|始终|尽量)?"
    r"(?:(?:用|说|讲)[^，。我]{1,8}(?:回答|回复|交流|跟我说|和我说|语气|格式)|回答(?:我)?|回复(?:我)?|叫我"
    r"|称呼我|别(?:再|叫|给|用|推荐|提|跟|老|总)?|不要(?:再|叫|给|用|推荐|提|跟|老|总)?|直接|说话|推荐)"
)
_LASTING = re.compile(
    r"以后|今后|从现在|从今|每次|总是|永远|一直|始终|都|别|不要|叫我|称呼我|简短|简洁"
    r"|[用说讲].{1,8}(?:回答|回复|交流|跟我说)"
)
_OWN = re.compile(r"^(?:以后|今后|从现在起?)?我(?!说)")
_PLAN = re.compile(
    r"打算|(?<!有)准备(?!好了)|计划|将要|即将|(?:要|会|想|得|该)去|(?:下周|下个?月|明[天年早晚]|后天"
    r"|下学期|周末|年底|月底)(?!.*了[。！]?$)"
    r"|(?<![主重必需只首])要(?!求|是|么|紧|点|不)|考虑|希望(?!你)|目标是|[订约报](?:好)?了.{0,8}(?:票|酒店"
    r"|机票|位|号)|提醒我|帮.{0,3}[订约买]|预[约订]|想(?:要)?(?:换|学|买|去|回|考|找|搬|申请|报|试|减肥|养"
    r"|做|开|带|给)"
)
_STATE = re.compile(
    r"(?:是|做|当)(?:了)?(?:一[名个位])?[^，。]{0,10}(?:师|员|医生|护士|经理|老板|学生|律师|会计|产品|程序员)"
    r"|(?:岁|年|个月)了?[。！]?$|对.{1,10}过敏|年经验|主要(?:做|用|负责)|有(?:点|一点|轻微"
    r"|严重)?.{0,6}(?:病|炎|毛病|问题|障碍)"
    r"|(?:开|经营)(?:了|着)(?:一)?[家间]|(?:在|给).{1,14}(?:上班|工作|当|做|读书|上学)|住在|家在|平时|通常|一般|经常"
    r"|从小|车牌|每[天周月年晚早]|身高|体重"
)
_BELONGING = re.compile(
    rf"(?:{FAMILY}|儿|女).{{0,8}}(?:叫|名字|小名)|小名叫|[只条匹][^，。]{{0,4}}叫|有.{{0,6}}(?:{FAMILY}"
    r"|[只条匹][猫狗兔鸟龟])"
    r"|(?:老师|同事|朋友|同学|邻居|室友|导师|教练)(?:叫|是)"
)
_PREFERENCE = re.compile(
    r"改[喝吃用]|不[让准能](?:我)?[吃喝]|忌口|以茶代酒|喜欢|爱(?=[吃喝看听玩])|最爱|讨厌|偏好|偏爱|宁愿"
    r"|受不了|不吃|不喝|怕(?=[吃辣冷热酸])|口味|感兴趣|习惯(?:了|用|喝|吃)"
)
_EVENT = re.compile(
    r"了(?!解|不起|吗)|过(?!敏|期|年|得|于|程|来|去)|昨[天晚]|前天|上周|上个?月|去年|刚刚?|曾经|那天|今[天早](?!.*要)"
)
_RELATION = re.compile(
    rf"{FAMILY}.{{0,6}}(?:叫|是|名字)|有.{{0,6}}{FAMILY}|(?:养|有).{{0,6}}[只条匹][猫狗兔鸟龟鱼]|(?:我|他"
    r"|她)(?:的)?(?:同事|朋友|同学|老师|邻居|室友)|是我"
)
_PROFILE = re.compile(
    r"我(?:今年|现在|平时|从小|一直|的)?(?:是|在|有|叫|住|会|用|做|学|属|姓|身高|体重|毕业|每|负责|家)"
    r"|每[天周月年晚早]|对.{1,8}过敏|通常|一般|经常"
)


def is_instruction(words: str) -> bool:
    """Whether the assistant is told how to behave from now on."""
    return not _OWN.match(words) and _LASTING.search(words) is not None and _INSTRUCTION.match(words) is not None


def kind_of(words: str) -> FactKind:
    if is_instruction(words):
        return FactKind.INSTRUCTION
    for pattern, kind in (
        (_PLAN, FactKind.PLAN),
        (_PREFERENCE, FactKind.PREFERENCE),
        (_BELONGING, FactKind.RELATION),
        (_STATE, FactKind.PROFILE),
        (_EVENT, FactKind.EVENT),
        (_RELATION, FactKind.RELATION),
        (_PROFILE, FactKind.PROFILE),
    ):
        if pattern.search(words):
            return kind
    return FactKind.STATEMENT
