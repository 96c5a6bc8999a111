"""Which question about whom does a statement answer? Sure or not at all."""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import Fact, extract
from yiku.model.messages import Message

SLOTS = [
    ("我叫张伟", "user name: 张伟"),
    ("我今年三十岁", "user age: 三十"),
    ("我的生日是5月3日", "user birthday: 5月3日"),
    ("我住在北京", "user home: 北京"),
    ("我上个月搬到杭州了", "user home: 杭州"),
    ("2025年又搬回上海", "user home: 上海"),
    ("我是四川人", "user hometown: 四川"),
    ("我是一名护士", "user job: 护士"),
    ("我在市医院当护士", "user job: 护士"),
    ("我是一名在市医院工作的护士", "user job: 护士"),
    ("我跳槽到字节了", "user employer: 字节"),
    ("我在北京大学读研", "user school: 北京大学"),
    ("我对花生过敏", "user allergy 花生: yes"),
    ("我有高血压", "user health 高血压: yes"),
    ("我从去年开始吃素", "user diet: vegetarian"),
    ("我不喝咖啡了", "user diet 咖啡: no"),
    ("我戒烟了", "user habit 烟: no"),
    ("我很喜欢喝咖啡", "user likes 咖啡: like"),
    ("我不再喜欢咖啡了", "user likes 咖啡: dislike"),
    ("我最喜欢的颜色是蓝色", "user favourite 颜色: 蓝色"),
    ("我会说日语", "user languages 日语: yes"),
    ("我用Python写代码", "user tools 写代码: python"),
    ("技术栈: FastAPI+PostgreSQL", "user tools 技术栈: fastapi+postgresql"),
    ("我的手机号是13812345678", "user contact phone: 13812345678"),
    ("我每天早上跑步", "user habit 跑步: 每天早上"),
    ("我结婚了", "user marital status: 结婚"),
    ("我妈妈住在罗马", "mother home: 罗马"),
    ("我姐姐叫李娜", "elder sister name: 李娜"),
    ("My name is Anna Müller", "user name: anna müller"),
    ("I'm Anna", "user name: anna"),
    ("I work as a nurse at the city hospital", "user job: nurse"),
    ("I'm a teacher at a small school", "user job: teacher"),
    ("I'm a nurse at St Mary's Hospital", "user job: nurse at st mary's hospital"),
    ("I'm 34 years old", "user age: 34"),
    ("my birthday is May 3", "user birthday: may 3"),
    ("I've lived in Rome for ten years", "user home: rome"),
    ("I just moved to Berlin last month", "user home: berlin"),
    ("I'm from Spain", "user hometown: spain"),
    ("I'm a software engineer at Google", "user job: software engineer at google"),
    ("I work for Siemens now", "user employer: siemens"),
    ("I don't drink coffee any more", "user diet coffee: no"),
    ("I quit smoking in 2019", "user habit smoking: no"),
    ("I really love hiking!", "user likes hiking: like"),
    ("I'm not a fan of horror movies", "user likes horror movies: dislike"),
    ("My favourite food is sushi", "user favourite food: sushi"),
    ("I'm allergic to peanuts", "user allergy peanuts: yes"),
    ("I have a dog named Rex", "user pet dog: rex"),
    ("I use Vim for coding", "user tools coding: vim"),
    ("I speak French", "user languages french: yes"),
    ("I go running every morning", "user habit go running: every morning"),
    ("my sister lives in Rome", "sister home: rome"),
    ("my wife's name is Julia", "wife name: julia"),
]

NO_SLOTS = [
    "我在考虑当老师",
    "我在想要不要做医生",
    "I'm the manager in the story",
    "I'm a fan at the stadium",
    *["我喜欢你", "我叫他起床", "我住在酒店", "如果我住在北京", "我可能住在北京", "我以前住在北京", "我是好人"],
    *[
        "我今天不吃晚饭",
        "我朋友住在上海",
        "我们公司在杭州",
        "他叫小明",
        "我昨天去了杭州，住在西湖边",
    ],
    *["I lived in Rome", "I'm moving to Berlin next month", "If I live in Berlin", "I might live in Berlin"],
    *["I live in Lyon with my parents", "I like it", "I like how you talk", "I'm German"],
    *["My friend lives in Rome", "She lives in Rome", "I used to love tea", "I'd love to live in Rome", "I'm so tired"],
]

SEVERAL = [
    ("我叫张伟，在蚂蚁集团上班，喜欢跑步", ["用户叫张伟", "用户在蚂蚁集团上班", "用户喜欢跑步"]),
    ("我女儿叫小雨，今年五岁，特别爱画画", ["用户女儿叫小雨", "用户女儿今年五岁", "用户女儿特别爱画画"]),
    ("我昨天去了杭州，住在西湖边", ["用户昨天去了杭州，住在西湖边"]),
    (
        "I'm a nurse and live in Lyon with two cats",
        ["The user is a nurse", "The user lives in Lyon", "The user has two cats"],
    ),
    ("I'm vegan and lactose intolerant", ["The user is vegan", "The user is lactose intolerant"]),
    (
        "My sister lives in Rome and works at Google",
        ["The user's sister lives in Rome", "The user's sister works at Google"],
    ),
    ("I went to Rome and it was hot", ["The user went to Rome and it was hot"]),
]

SAME = [
    ("我喜欢咖啡", "我很喜欢喝咖啡"),
    ("我叫ＪＯＨＮ", "我的名字是John"),
    ("我住在北京", "我现在就住在北京了"),
    ("I like coffee", "I really love drinking coffee!"),
    ("I live in Berlin", "I'm currently living in berlin"),
    ("I don't eat meat", "I never eat meat"),
]

ANSWERS = [
    ("Where do you live?", "Berlin.", "user home: berlin"),
    ("How old are you?", "I'm 42", "user age: 42"),
    ("您贵姓？怎么称呼您？", "张伟", "user name: 张伟"),
    ("你住在哪里？", "在杭州", "user home: 杭州"),
]


def facts(text: str, name: str | None = None) -> tuple[Fact, ...]:
    return extract([Message(role="user", content=text, name=name)]).facts


def slot(fact: Fact) -> str | None:
    if fact.slot is None:
        return None
    topic = f" {fact.slot.topic}" if fact.slot.topic else ""
    return f"{fact.slot.subject} {fact.slot.attribute}{topic}: {fact.slot.value}"


@pytest.mark.parametrize(("text", "expected"), SLOTS)
def test_a_sure_statement_fills_its_slot(text: str, expected: str) -> None:
    assert [slot(fact) for fact in facts(text)] == [expected]


@pytest.mark.parametrize("text", NO_SLOTS)
def test_what_is_not_sure_fills_none_and_is_kept(text: str) -> None:
    assert {slot(fact) for fact in facts(text)} == {None}


@pytest.mark.parametrize(("text", "expected"), SEVERAL)
def test_several_statements_of_a_sentence_are_facts_of_their_own(text: str, expected: list[str]) -> None:
    assert [fact.text for fact in facts(text)] == expected


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_answers_are_equal_slots(one: str, other: str) -> None:
    assert slot(facts(one)[0]) == slot(facts(other)[0]) is not None


@pytest.mark.parametrize(("question", "answer", "expected"), ANSWERS)
def test_a_bare_answer_fills_the_slot_of_its_question_and_rests_on_both(
    question: str, answer: str, expected: str
) -> None:
    extraction = extract([Message(role="assistant", content=question), Message(role="user", content=answer)])
    assert slot(extraction.facts[-1]) == expected


def test_an_answer_kept_with_its_question_rests_on_both_messages() -> None:
    dialogue = [Message(role="assistant", content="Where do you live?"), Message(role="user", content="Berlin.")]
    (fact,) = extract(dialogue).facts
    assert (fact.positions, fact.position) == ((1, 0), 1)


def test_what_a_named_speaker_says_is_about_them_and_their_people() -> None:
    assert slot(facts("I live in Rome", "Anna")[0]) == "Anna home: rome"
    assert slot(facts("我妈妈住在罗马", "小明")[0]) == "小明's mother home: 罗马"


def test_words_without_a_subject_after_others_are_not_sure() -> None:
    """我妈妈是老师。住在上海。 It is the mother who lives there."""
    assert [slot(fact) for fact in facts("我妈妈是老师。住在上海。")][1:] == [None]
