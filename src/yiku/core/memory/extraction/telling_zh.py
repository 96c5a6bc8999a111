"""Does a Chinese question or request tell something about the speaker, or about the speaker's people?

周末去哪里玩？ tells nothing; 能不能推荐适合我这种糖尿病人的早餐？ does. Asking for what is known (我叫什么名字？) is no
statement. When it is not sure that nothing is told, something is.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.words_zh import FAMILY, KIN, TIME

# In these 我 is only the one who asks.
_FOR_SELF = re.compile(
    rf"(?:帮|给|为|告诉|教|替)我(?!们|的|{KIN})|我(?:就|只|还)?(?:想|要)(?:请教|问|知道|了解)"
    r"|我(?:想|要|希望|需要)(?:请|让)?(?=[你您])"
    r"|我们?(?:到底|究竟)?(?:应该|该|要|能|可以|得)?(?=怎么|如何|怎样|什么时候|哪|几[点号])"
)
_WH = "什么时候|什么|怎么样|怎么|怎样|为什么|为啥|谁|哪里|哪儿|哪|多少|几|如何|多大|多高"
_ASKED_BACK = r"(?:那么?|所以|请问|请|你|您|还|能|可以|知道|记得|记不记得|知不知道|告诉我|说说|猜猜?|一下)*+"
_OWN = rf"(?:我们?(?:{KIN})?|{KIN})"
_ACTION = r"(?:去|吃|喝|做|看|玩|买|穿|用|干|读|点|选|带|送|说)"
_ASKED_OF_SELF = rf"(?:叫|是|姓|属|住在?|在|来自|养了?|有|(?:最?喜欢|爱){_ACTION}?)"
_NOUN = (
    r"(?:名字|姓名|生日|年龄|年纪|电话|手机号?|号码|邮箱|地址|住址|家|工作|职业|公司|专业|爱好|兴趣|口味|狗|猫|宠物|车牌号?|车"
    r"|星座|血型|身高|体重)"
)
_KNOWN = re.compile(
    rf"{_ASKED_BACK}(?:觉得|认为|看)?(?:{_OWN}(?:的?{_NOUN}|最喜欢的?[^，\d]{{0,4}}?)?(?:的?{_NOUN})?"
    rf"(?:{TIME})?{_ASKED_OF_SELF}?(?:{_WH})[^，\d]{{0,4}}"
    rf"|我们?(?:应该|该|要)[^，\d]{{1,10}}(?:吗|么|吧)"
    rf"|我们?(?:{TIME})?(?:应该|该|要|能|可以|需要|想)?{_ACTION}?(?:{_WH})(?:好|[^，\d]{{0,4}})"
    rf"|{_OWN}(?:的?{_NOUN}){{1,2}}(?:吗|呢)?"
    r"|我们?(?:应该|该|要|能|可以|需要|会)[^，\d]{1,5}(?:吗|么)"
    r"|我(?:能|可以|想)问.{0,8})"
)
_TOLD = re.compile(
    rf"[我咱俺]|{FAMILY}(?!节)|(?<!是)不是.{{2,40}}吗$|[，,](?:因为|由于|而且|但)?[他她它]|(?:因为|由于|既然|毕竟)[他她]"
    r"|了(?:该|要)?[怎咋]么?办|素食|吃素|清真|无麸质|无糖|过敏|糖尿病|孕妇"
)


def tells(words: str) -> bool:
    """Whether `words`, which ask for something, hold a statement too."""
    asked = _FOR_SELF.sub("", words)
    return _TOLD.search(asked) is not None and not _KNOWN.fullmatch(asked)
