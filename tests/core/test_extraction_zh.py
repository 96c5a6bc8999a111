"""What is kept of Chinese messages, in which words, and what is left out for which reason."""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.facts import (
    CONFIRMATION,
    FRAGMENT,
    IN_OWN_WORDS,
    IN_THIRD_PERSON,
    QUESTION,
    REACTION,
    REQUEST,
    SMALL_TALK,
)
from yiku.model.messages import Message

THIRD_PERSON = [
    ("我搬到杭州了", "用户搬到杭州了"),
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
    ("我喜欢看电影……", "用户喜欢看电影"),
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
    "能不能推荐适合我这种糖尿病人的早餐？",
    "你能提醒我妈妈的生日是5月8号吗？",
    "帮我订明天去上海的机票",
    "帮我给老婆订一束花",
    "推荐一家适合带孩子去的餐厅",
    "推荐个餐厅，不要太辣的",
    "我的糖尿病能吃什么？",
    "猫三天没吃饭了怎么办？",
    "孕妇能喝咖啡吗？",
    "帮我做一个下周去云南的攻略",
    "帮我想想怎么安慰刚失恋的闺蜜",
    "推荐一款3000元以内的手机",
    "我女朋友生日送什么好？",
    "作为一个糖尿病患者，我能吃西瓜吗？",
    "像我这样的新手，怎么学吉他？",
    "我在杭州的时候，去哪里玩？",
    "小明不吃辣，去哪家好？",
    "小明怀孕了？",
    "他已经离职了吧？",
    "以后回答简短一点好吗？",
    "忘了告诉你，我搬家了",
    "忘了带伞，淋湿了",
    "忘掉旧地址，新地址是文三路5号",
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
    ("嗯，我知道了", REACTION),
    ("西湖在哪里", QUESTION),
    ("周末吃什么", QUESTION),
    ("你是谁", QUESTION),
    ("为什么天是蓝的", QUESTION),
    ("你知道我叫什么吗？", QUESTION),
    ("我叫什么名字？", QUESTION),
    ("我住在哪里？", QUESTION),
    ("你还记得我喜欢喝什么吗？", QUESTION),
    ("你记得我的生日吗？", QUESTION),
    ("我儿子叫什么？", QUESTION),
    ("我应该带伞吗？", QUESTION),
    ("我想知道怎么退款", QUESTION),
    ("父亲节送什么礼物好？", QUESTION),
    ("我想问一下西湖怎么走", QUESTION),
    ("如果下雨，去哪里好？", QUESTION),
    ("帮我推荐一家餐厅", REQUEST),
    ("推荐几本书吧", REQUEST),
    ("请写一首诗", REQUEST),
    ("麻烦您告诉我怎么退款", REQUEST),
    ("能不能帮我订机票？", REQUEST),
    ("帮我推荐一下咖啡", REQUEST),
    ("帮我查一下明天北京的天气", REQUEST),
    ("继续", REQUEST),
    ("就这样吧", REACTION),
    ("试试这个", REACTION),
    ("12", FRAGMENT),
    ("谢谢你的推荐！", SMALL_TALK),
]

MIXED = [
    ("昨天去了杭州，你知道西湖吗？", "用户：昨天去了杭州", ("你知道西湖吗？", QUESTION)),
    ("谢谢，我对花生过敏", "用户对花生过敏", ("谢谢", SMALL_TALK)),
    ("我对花生过敏，能吃花生酱吗？", "用户对花生过敏", ("能吃花生酱吗？", QUESTION)),
    ("明天我要去北京出差，帮我订机票", "明天用户要去北京出差", ("帮我订机票", REQUEST)),
    ("帮我推荐一家餐厅，我不吃辣", "用户不吃辣", ("帮我推荐一家餐厅", REQUEST)),
    ("你好，我是小明", "用户是小明", ("你好", SMALL_TALK)),
    ("对，我住在杭州", "用户住在杭州", ("对", CONFIRMATION)),
    ("我喜欢喝咖啡，帮我推荐", "用户喜欢喝咖啡", ("帮我推荐", REQUEST)),
    ("我妈妈有高血压，早餐吃什么好？", "用户妈妈有高血压", ("早餐吃什么好？", QUESTION)),
]

ANSWERS = [
    ("你住在哪里？", "杭州", "用户：（被问“你住在哪里？”）杭州"),
    ("好的，已记录。您今年多大？", "28", "用户：（被问“您今年多大？”）28"),
    ("您吃素吗？", "是的", "用户：（被问“您吃素吗？”）是的"),
    ("你结婚了吗？", "没有，我单身", "用户：（被问“你结婚了吗？”）没有，我单身"),
    ("你最喜欢哪个城市？", "我最喜欢成都", "用户最喜欢成都"),
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


def test_a_sentence_without_a_subject_stays_with_the_one_that_names_it() -> None:
    facts = extract(said("我们家在成都。玩得很开心。我老公很忙，你知道的。妈妈是老师。小李是同事。他人很好。")).facts
    assert [fact.text for fact in facts] == [
        "用户：我们家在成都。玩得很开心。",
        "用户：我老公很忙，你知道的。",
        "用户：妈妈是老师。",
        "用户：小李是同事。他人很好。",
    ]


@pytest.mark.parametrize(("question", "answer", "fact"), ANSWERS)
def test_an_answer_that_means_nothing_alone_is_kept_with_its_question(question: str, answer: str, fact: str) -> None:
    extraction = extract([Message(role="assistant", content=question), *said(answer)])
    assert [(found.text, found.position) for found in extraction.facts] == [(fact, 1)]


@pytest.mark.parametrize(("question", "reply"), [("需要我帮您预订吗？", "好的"), ("要不要我帮你订？", "要")])
def test_a_yes_to_an_offer_is_left_out(question: str, reply: str) -> None:
    extraction = extract([Message(role="assistant", content=question), *said(reply)])
    assert extraction.facts == ()
    assert extraction.left_out[-1].reason == CONFIRMATION


def test_a_name_takes_the_place_of_the_user() -> None:
    messages = [Message(role="user", content="我喜欢杭州。昨天去了西湖。", name="小明")]
    assert [fact.text for fact in extract(messages).facts] == ["小明喜欢杭州", "小明：昨天去了西湖。"]
