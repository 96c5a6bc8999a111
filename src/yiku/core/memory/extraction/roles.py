"""Who is meant by a word for one of the speaker's people? One word of ours for each role, in either language.

Only roles that one person fills as a rule: of friends and colleagues there are many, and what is said of one would take
the place of what was said of another.
"""

from __future__ import annotations

_ROLES = {
    "mother": "妈妈 妈 母亲 老妈 mom mum mother mommy mama",
    "father": "爸爸 爸 父亲 老爸 dad father daddy papa",
    "wife": "老婆 妻子 太太 媳妇 wife",
    "husband": "老公 丈夫 先生 husband",
    "spouse": "爱人 spouse",
    "partner": "对象 partner",
    "girlfriend": "女朋友 女友 girlfriend",
    "boyfriend": "男朋友 男友 boyfriend",
    "fiancé": "fiance fiancé",
    "fiancée": "fiancee fiancée",
    "son": "儿子 son",
    "daughter": "女儿 闺女 daughter",
    "elder son": "大儿子",
    "younger son": "小儿子",
    "elder daughter": "大女儿",
    "younger daughter": "小女儿",
    "sister": "sister",
    "brother": "brother",
    "elder sister": "姐姐 姐 older_sister elder_sister big_sister",
    "younger sister": "妹妹 妹 younger_sister little_sister",
    "elder brother": "哥哥 哥 older_brother elder_brother big_brother",
    "younger brother": "弟弟 弟 younger_brother little_brother",
    "paternal grandfather": "爷爷",
    "paternal grandmother": "奶奶",
    "maternal grandfather": "外公 姥爷",
    "maternal grandmother": "外婆 姥姥",
    "grandmother": "grandma grandmother granny nana",
    "grandfather": "grandpa grandfather granddad",
    "boss": "老板 上司 领导 boss manager",
}
_ROLE_OF = {word.replace("_", " "): role for role, words in _ROLES.items() for word in words.split()}

CHINESE = "|".join(sorted((word for word in _ROLE_OF if not word.isascii() and "é" not in word), key=len, reverse=True))
ENGLISH = "|".join(sorted((word for word in _ROLE_OF if word.isascii() or "é" in word), key=len, reverse=True))


def role_of(word: str, speaker: str | None) -> str:
    """ "mother", or "Anna's mother" where the speaker has a name."""
    role = _ROLE_OF[word.lower()]
    return f"{speaker}'s {role}" if speaker else role
