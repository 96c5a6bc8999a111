"""Which questions with one answer at a time does a noun name: 地址, "phone number", "where I work"?"""

from __future__ import annotations

import re

ANY_TOPIC = "*"
"""Of a diet: whatever is or is not eaten."""

_Named = tuple[tuple[str, str | None], ...]
_NAMED: tuple[tuple[_Named, re.Pattern[str]], ...] = tuple(
    (named, re.compile(words, re.IGNORECASE))
    for named, words in (
        (
            (("address", None), ("home", None)),
            r"(?:家庭|收货|现在的?|新)?(?:地址|住址)|(?:home |postal |current |new )?address",
        ),
        ((("home", None),), r"家?住?(?:在)?(?:哪[里儿]?|什么地方)|where (?:i )?live|(?:place of )?residence"),
        ((("hometown", None),), r"老家|家乡|home ?town|where (?:i )?come from"),
        ((("birthday", None),), r"生日|出生日期|birthday|date of birth|birth ?date"),
        ((("name", None),), r"名字|姓名|(?:full |real )?name"),
        ((("age", None),), r"年龄|年纪|岁数|age|how old (?:i )?am"),
        ((("job", None), ("employer", None)), r"工作|job|work"),
        (
            (("job", None),),
            r"职业|职位|做什么(?:工作)?的?|profession|occupation|what (?:i )?do(?: for (?:a living|work))?",
        ),
        (
            (("employer", None),),
            r"公司|单位|在哪(?:里|儿|家公司)?(?:上班|工作)|employer|company|where (?:i )?work|workplace",
        ),
        (
            (("contact", "phone"),),
            r"(?:手机|电话|联系)(?:号码?|电话)?|联系方式"
            r"|(?:(?:phone|mobile|cell|cellphone|telephone|contact)(?: phone)?(?: number)?)",
        ),
        ((("contact", "email"),), r"(?:电子)?邮箱(?:地址)?|电子邮件(?:地址)?|邮件地址|e-?mail(?: address)?"),
        ((("contact", "wechat"),), r"微信号?|wechat(?: id)?"),
        ((("contact", "qq"),), r"QQ号?码?"),
        (
            (("diet", None), ("diet", ANY_TOPIC)),
            r"饮食(?:习惯|偏好|要求|禁忌|限制)?|忌口|diet|eating habits"
            r"|dietary (?:restrictions?|preferences?|needs|habits|requirements?)",
        ),
        ((("allergy", ANY_TOPIC),), r"过敏(?:史|原|情况)?|allerg(?:y|ies)"),
        ((("marital status", None),), r"婚姻(?:状况|情况)|marital status"),
        ((("blood type", None),), r"血型|blood type"),
    )
)


def questions_named(words: str) -> _Named:
    """Attribute and topic of each question; none where `words` say anything else."""
    bare = re.sub(
        r"^(?:my |where i |我的?)", lambda lead: "where " if "where" in lead[0].lower() else "", words, flags=re.I
    )
    return next((named for named, asked in _NAMED if asked.fullmatch(bare) or asked.fullmatch(words)), ())
