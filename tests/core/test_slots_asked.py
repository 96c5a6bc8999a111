"""Does a question find what fills the slot it asks for, in other words and another language than its own?"""

from __future__ import annotations

import pytest

from tests.core.memories import ADMIN, add, found, scope
from yiku.core.memory.extraction.questions_named import ANY_TOPIC
from yiku.core.memory.search import search_memories
from yiku.core.memory.slots_asked import slots_asked
from yiku.model.conditions import Eq
from yiku.model.memories import MemoryHit, SearchMemories
from yiku.ports import Ports


@pytest.mark.parametrize(
    ("question", "subject", "attribute", "topic"),
    [
        ("Where do I live?", "user", "home", None),
        ("where does the user live now", "user", "home", None),
        ("Which city does my sister live in?", "sister", "home", None),
        ("Where does Nora live?", "Nora", "home", None),
        ("Where did I work before?", "user", "employer", None),
        ("Which company do I work for?", "user", "employer", None),
        ("What do I do for a living?", "user", "job", None),
        ("What's my name?", "user", "name", None),
        ("What is my sister's name?", "sister", "name", None),
        ("How old am I?", "user", "age", None),
        ("When is Nora's birthday?", "Nora", "birthday", None),
        ("What is my phone number?", "user", "contact", "phone"),
        ("What's the user's email address?", "user", "contact", "email"),
        ("What am I allergic to?", "user", "allergy", ANY_TOPIC),
        ("Am I allergic to nuts?", "user", "allergy", "nuts"),
        ("Do I like coffee?", "user", "likes", "coffee"),
        ("What do I like to drink?", "user", "likes", ANY_TOPIC),
        ("What is my favourite colour?", "user", "favourite", "colour"),
        ("Which languages do I speak?", "user", "languages", ANY_TOPIC),
        ("Am I married?", "user", "marital status", None),
        ("我住在哪里？", "user", "home", None),
        ("我现在住哪儿", "user", "home", None),
        ("用户住在哪个城市？", "user", "home", None),
        ("我妈妈住在哪里？", "mother", "home", None),
        ("小明住在哪里", "小明", "home", None),
        ("我在哪家公司上班？", "user", "employer", None),
        ("我是做什么工作的？", "user", "job", None),
        ("我叫什么名字？", "user", "name", None),
        ("我几岁了？", "user", "age", None),
        ("我的生日是哪天？", "user", "birthday", None),
        ("我妈妈的生日是什么时候？", "mother", "birthday", None),
        ("我的手机号是多少？", "user", "contact", "phone"),
        ("我对什么食物过敏？", "user", "allergy", ANY_TOPIC),
        ("妈妈对什么过敏？", "mother", "allergy", ANY_TOPIC),
        ("我对花生过敏吗？", "user", "allergy", "花生"),
        ("我喜欢喝什么？", "user", "likes", ANY_TOPIC),
        ("我喜欢咖啡吗？", "user", "likes", "咖啡"),
        ("我最喜欢的颜色是什么？", "user", "favourite", "颜色"),
        ("我会说哪些语言？", "user", "languages", ANY_TOPIC),
        ("我结婚了吗？", "user", "marital status", None),
    ],
)
def test_a_question_of_a_known_form_names_its_slot(
    question: str, subject: str, attribute: str, topic: str | None
) -> None:
    assert (subject, attribute, topic) in slots_asked(question)


@pytest.mark.parametrize(
    "question",
    [
        "", "?", "Where do you live?", "What is your name?", "你叫什么名字？", "他住在哪里？", "Where is it located?",
        "What is the capital of France?", "北京的面积是多少？", "今天天气怎么样？", "What time is it?",
        "Where did we spend the summer holidays?", "What did she say about coffee?", "他为什么决定换工作？",
        "Which car do I drive?", "我的车是什么牌子？", "Where do I live and what do I like about the people there?",
        "How do I get to work?", "what does it do", "x" * 100_000,
    ],
)  # fmt: skip
def test_any_other_question_names_none(question: str) -> None:
    assert slots_asked(question) == ()


async def best(ports: Ports, text: str) -> MemoryHit:
    return (await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text=text, explain=True))).hits[0]


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (("I live in Bath.", "My aunt lives in Rome.", "I moved to York"), "where do I live", "The user moved to York"),
        (("I work at Boeing.", "My sister is a nurse."), "Who do I work for?", "The user works at Boeing"),
        (("我住在成都。", "我妈妈住在苏州。", "我搬到宁波了。"), "我住在哪里？", "用户搬到宁波了"),
        (("我住在成都。", "我妈妈住在苏州。"), "我妈妈住在哪儿？", "用户妈妈住在苏州"),
        (("我在腾讯上班。", "我女儿叫小红。"), "Where do I work?", "用户在腾讯上班"),
        (("I'm allergic to nuts.", "I like tea."), "我对什么过敏？", "The user is allergic to nuts"),
    ],
)  # fmt: skip
async def test_what_fills_the_slot_comes_first_and_is_sure(
    ports: Ports, told: tuple[str, ...], question: str, answer: str
) -> None:
    for text in told:
        await add(ports, text)
    hit = await best(ports, question)
    assert hit.memory.text == answer
    assert hit.score >= 0.5
    assert hit.legs is not None
    assert hit.legs.answer > 0


async def test_a_question_about_the_past_is_answered_by_what_held(ports: Ports) -> None:
    for text in ("I live in Leeds.", "I moved to York.", "我在华西医院上班。", "我现在在腾讯上班。"):
        await add(ports, text)
    assert (await best(ports, "Where did I live before?")).memory.text == "The user lives in Leeds"
    assert (await best(ports, "我以前在哪里上班？")).memory.text == "用户在华西医院上班"


async def test_a_slot_that_nobody_filled_is_answered_by_nothing(ports: Ports) -> None:
    await add(ports, "My sister lives in Rome.")
    wanted = SearchMemories(scope=scope(), text="Where do I live?", explain=True)
    found_hits = (await search_memories(ports, ADMIN, wanted)).hits
    assert [hit.legs.answer for hit in found_hits if hit.legs] == [0.0] * len(found_hits)


async def test_answers_stay_within_user_and_filters(ports: Ports) -> None:
    await add(ports, "I live in Leeds.", where=scope("other"))
    await add(ports, "I moved to York.", where=scope(agent_id="a"))
    assert await found(ports, "Where do I live?") == ["The user moved to York"]
    assert await found(ports, "Where do I live?", where=Eq("agent_id", "b")) == []


@pytest.mark.parametrize(
    ("name", "home", "question", "answer"),
    [
        ("I'm Nora Smith.", "I moved to York.", "Where does Nora live?", "The user moved to York"),
        ("我叫周敏。", "我搬到宁波了。", "周敏住在哪里？", "用户搬到宁波了"),
    ],
)
async def test_a_question_about_the_users_own_name_is_about_the_user(
    ports: Ports, name: str, home: str, question: str, answer: str
) -> None:
    for text in (name, home):
        await add(ports, text)
    hit = await best(ports, question)
    assert (hit.memory.text, hit.score >= 0.5) == (answer, True)
    another = SearchMemories(scope=scope(), text=question.replace("Nora", "Anna").replace("周敏", "小明"), explain=True)
    assert {hit.legs.answer for hit in (await search_memories(ports, ADMIN, another)).hits if hit.legs} == {0.0}
