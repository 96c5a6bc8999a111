"""What is kept of Chinese messages, in which words, and what is left out for which reason."""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.facts import (
    CONFIRMATION,
    IN_OWN_WORDS,
    IN_THIRD_PERSON,
    QUESTION,
    REQUEST,
    SMALL_TALK,
)
from yiku.model.messages import Message

THIRD_PERSON = [
    ("我搬到杭州了", "用户搬到杭州了"),
    ("我叫Johnny，喜欢披萨", "用户叫Johnny，喜欢披萨"),
    ("我叫张伟，在蚂蚁集团上班", "用户叫张伟，在蚂蚁集团上班"),
    ("我有两个孩子，一个五岁，一个三岁。", "用户有两个孩子，一个五岁，一个三岁"),
    ("我的电话是13812345678", "用户的电话是13812345678"),
    ("我用Python写代码", "用户用Python写代码"),
    ("我和我老婆都喜欢爬山", "用户和用户老婆都喜欢爬山"),
    ("我妈妈说我小时候很调皮", "用户妈妈说用户小时候很调皮"),
    ("去年我搬到了上海", "去年用户搬到了上海"),
    ("其实我不喝酒！", "其实用户不喝酒"),
    ("我什么都吃", "用户什么都吃"),
    ("我不知道吃什么", "用户不知道吃什么"),
    ("我最喜欢的书是“活着”", "用户最喜欢的书是“活着”"),
    ("我喜欢看电影、听音乐、旅游……", "用户喜欢看电影、听音乐、旅游"),
    ("我喜欢猫。它们很可爱。", "用户喜欢猫。它们很可爱"),
    ("记住我对花生过敏", "用户对花生过敏"),
    ("请记住：我的生日是5月3日", "用户的生日是5月3日"),
    ("别忘了我不吃香菜", "用户不吃香菜"),
    ("特别是腰，我常常搬重物", "特别是腰，用户常常搬重物"),
    ("我在https://a.cn/?q=1看到的，价格是3.5元", "用户在https://a.cn/?q=1看到的，价格是3.5元"),
]

OWN_WORDS = [
    "昨天去了杭州",
    "他送我一本书",
    "他说我很懒",
    "老师告诉我考试取消了",
    "我们公司在杭州",
    "我国有很多山",
    "我是自我驱动的人",
    "我说：“我累了”",
    "她说：“我累了。我要睡觉。明天见。”",
    "我想你了",
    "以后都用中文回答我",
    "请用中文回答",
    "不要叫我先生",
    "从现在起叫我老王",
    "别再推荐咖啡了",
    "提醒我明天下午三点开会",
    "帮我妈买了药",
    "请假了三天",
    "你知道我对花生过敏吗？",
    "他不是已经离职了吗？",
    "我最近睡不好怎么办？",
    "怎么跟室友相处，这些我都很担心",
    "他是我的朋友。他住在上海。",
    "我的购物清单：\n- 牛奶\n- 鸡蛋",
]

LEFT_OUT = [
    ("你好！", SMALL_TALK),
    ("谢谢您！", SMALL_TALK),
    ("谢谢，再见", SMALL_TALK),
    ("哈哈哈哈", SMALL_TALK),
    ("我的天啊", SMALL_TALK),
    ("👍👍", SMALL_TALK),
    ("……", SMALL_TALK),
    ("，", SMALL_TALK),
    ("是的", CONFIRMATION),
    ("好的好的", CONFIRMATION),
    ("嗯嗯", CONFIRMATION),
    ("嗯，我知道了", CONFIRMATION),
    ("西湖在哪里", QUESTION),
    ("周末吃什么", QUESTION),
    ("你是谁", QUESTION),
    ("为什么天是蓝的", QUESTION),
    ("你知道我叫什么吗？", QUESTION),
    ("我想问一下西湖怎么走", QUESTION),
    ("如果下雨，去哪里好？", QUESTION),
    ("帮我推荐一家餐厅", REQUEST),
    ("推荐几本书吧", REQUEST),
    ("请写一首诗", REQUEST),
    ("麻烦您告诉我怎么退款", REQUEST),
    ("能不能帮我订机票？", REQUEST),
]

MIXED = [
    ("昨天去了杭州，你知道西湖吗？", "用户：昨天去了杭州", ("你知道西湖吗？", QUESTION)),
    ("谢谢，我对花生过敏", "用户对花生过敏", ("谢谢", SMALL_TALK)),
    ("我对花生过敏，能吃花生酱吗？", "用户对花生过敏", ("能吃花生酱吗？", QUESTION)),
    ("明天我要去北京出差，帮我订机票", "明天用户要去北京出差", ("帮我订机票", REQUEST)),
    ("帮我推荐一家餐厅，我不吃辣", "用户不吃辣", ("帮我推荐一家餐厅", REQUEST)),
    ("你好，我是小明", "用户是小明", ("你好", SMALL_TALK)),
    ("对，我住在杭州", "用户住在杭州", ("对", CONFIRMATION)),
]


def said(text: str) -> list[Message]:
    return [Message(role="user", content=text)]


@pytest.mark.parametrize(("text", "fact"), THIRD_PERSON)
def test_a_sure_statement_is_told_in_the_third_person(text: str, fact: str) -> None:
    extraction = extract(said(text))
    assert [(found.text, found.reason) for found in extraction.facts] == [(fact, IN_THIRD_PERSON)]
    assert extraction.left_out == ()


@pytest.mark.parametrize("text", OWN_WORDS)
def test_what_is_not_sure_is_kept_whole_in_the_users_own_words(text: str) -> None:
    extraction = extract(said(text))
    assert [(found.text, found.reason) for found in extraction.facts] == [(f"用户：{text}", IN_OWN_WORDS)]
    assert extraction.left_out == ()


@pytest.mark.parametrize(("text", "reason"), LEFT_OUT)
def test_what_says_nothing_is_left_out_with_its_reason(text: str, reason: str) -> None:
    extraction = extract(said(text))
    assert extraction.facts == ()
    assert {part.reason for part in extraction.left_out} == {reason}


@pytest.mark.parametrize(("text", "fact", "left_out"), MIXED)
def test_a_statement_is_kept_beside_what_is_left_out(text: str, fact: str, left_out: tuple[str, str]) -> None:
    extraction = extract(said(text))
    assert [found.text for found in extraction.facts] == [fact]
    assert [(part.text, part.reason) for part in extraction.left_out] == [left_out]


def test_each_sure_statement_of_a_message_is_a_fact_of_its_own() -> None:
    facts = extract(said("我叫张三。我今年30岁！我住在北京；我养了一只猫")).facts
    assert [fact.text for fact in facts] == ["用户叫张三", "用户今年30岁", "用户住在北京", "用户养了一只猫"]


def test_a_name_takes_the_place_of_the_user() -> None:
    messages = [Message(role="user", content="我喜欢杭州。昨天去了西湖。", name="小明")]
    assert [fact.text for fact in extract(messages).facts] == ["小明喜欢杭州", "小明：昨天去了西湖。"]
