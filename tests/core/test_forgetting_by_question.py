"""A request to forget may name a question (my address): what answers it goes, and nothing else."""

from __future__ import annotations

import pytest

from tests.core.facts import heard, home
from tests.core.memories import add, listed
from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.questions_named import ANY_TOPIC
from yiku.core.memory.forgetting import Request, surely_meant
from yiku.model.facts import Slot
from yiku.model.messages import Message
from yiku.ports import Ports

Keys = tuple[tuple[str, str, str | None], ...]
ADDRESS: Keys = (("user", "address", None), ("user", "home", None))
PHONE: Keys = (("user", "contact", "phone"),)
EMAIL: Keys = (("user", "contact", "email"),)
JOB: Keys = (("user", "job", None), ("user", "employer", None))
BIRTHDAY: Keys = (("user", "birthday", None),)
DIET: Keys = (("user", "diet", None), ("user", "diet", ANY_TOPIC))


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("忘掉我的地址", ADDRESS),
        ("忘了我的地址吧", ADDRESS),
        ("忘记我的地址", ADDRESS),
        ("把我的住址从记忆里删掉", ADDRESS),
        ("请忘掉我的电话", PHONE),
        ("把我的手机号忘掉", PHONE),
        ("请删除你记忆里我的邮箱", EMAIL),
        ("忘掉我的工作", JOB),
        ("忘掉我的生日", BIRTHDAY),
        ("忘掉我的饮食习惯", DIET),
        ("忘掉我的地址和电话", ADDRESS + PHONE),
        ("忘掉我妈妈的生日", (("mother", "birthday", None),)),
        ("forget my address", ADDRESS),
        ("Please forget my phone number.", PHONE),
        ("Forget my job", JOB),
        ("forget my birthday", BIRTHDAY),
        ("Forget my email address.", EMAIL),
        ("forget my diet", DIET),
        ("Could you forget what I do for a living?", JOB[:1]),
        ("Forget where I work.", JOB[1:]),
        ("Forget my address and phone number.", ADDRESS + PHONE),
        ("forget my sister's birthday", (("sister", "birthday", None),)),
        ("Forget my dog", ()),
        ("忘掉我的地址和我的狗", ()),
    ],
)
def test_the_request_is_known_by_the_questions_that_it_names(said: str, keys: Keys) -> None:
    [request] = extract([Message(role="user", content=said)]).forget
    assert request.keys == keys


@pytest.mark.parametrize(
    "said", ["我忘了我的电话", "我忘记我的生日了", "I forgot my address", "I always forget my email"]
)
def test_whoever_forgot_something_asks_for_nothing(said: str) -> None:
    assert extract([Message(role="user", content=said)]).forget == ()


def test_all_that_answers_it_is_meant_and_nothing_that_only_uses_its_words() -> None:
    def contact(subject: str, topic: str, value: str) -> Slot:
        return Slot(subject=subject, attribute="contact", topic=topic, value=value)

    mine = heard("The user's phone number is 555 1234", contact("user", "phone", "555 1234"))
    old = heard("The user's number was 555 9", contact("user", "phone", "555 9"))
    hers = heard("The user's sister's phone number is 555 99", contact("sister", "phone", "555 99"))
    mail = heard("The user's email is a@b.org", contact("user", "email", "a@b.org"))
    unsaid = heard("The user lost a phone number")
    request = Request(text="", words="my phone number", message_ids=("msg",), key=PHONE[0])
    assert surely_meant(request, (mine, old, hers, mail, unsaid))[0] == [mine, old]
    assert surely_meant(request, (hers, mail))[0] == []


def test_a_topic_may_be_any_and_several_questions_may_be_meant() -> None:
    pork = heard("The user doesn't eat pork", Slot(subject="user", attribute="diet", topic="pork", value="no"))
    nuts = heard("The user is allergic to nuts", Slot(subject="user", attribute="allergy", topic="nuts", value="yes"))
    diet = Request(text="", words="my diet", message_ids=("msg",), key=DIET[0], also=DIET[1:])
    assert surely_meant(diet, (pork, nuts))[0] == [pork]
    rome = heard("The user lives in Rome", home("rome"))
    address = Request(text="", words="my address", message_ids=("msg",), key=ADDRESS[0], also=ADDRESS[1:])
    assert surely_meant(address, (rome, nuts))[0] == [rome]


@pytest.mark.parametrize(
    ("told", "request_to_forget", "left"),
    [
        ("我的手机号是13812345678。我妈妈喜欢茶。", "忘掉我的电话", {"用户妈妈喜欢茶"}),
        ("我的邮箱是tom@example.org。我喜欢茶。", "忘掉我的邮箱", {"用户喜欢茶"}),
        ("我的生日是3月5日。我喜欢茶。", "忘掉我的生日", {"用户喜欢茶"}),
        ("我是一名护士。我喜欢茶。", "忘掉我的工作", {"用户喜欢茶"}),
        ("我的地址是文三路1号。我妈妈住在苏州。", "忘掉我的地址", {"用户妈妈住在苏州"}),
        ("我吃素。我喜欢茶。", "忘掉我的饮食习惯", {"用户喜欢茶"}),
        ("My phone number is 555 123 4567. I like tea.", "Forget my phone number.", {"The user likes tea"}),
        ("My email is tom@example.org. I like tea.", "forget my email", {"The user likes tea"}),
        ("My birthday is March 5. I like tea.", "Forget my birthday", {"The user likes tea"}),
        ("I'm a nurse. I like my job.", "Forget my job", {"The user likes their job"}),
        ("My address is 12 High Street. I like tea.", "Please forget my address.", {"The user likes tea"}),
        ("I'm a vegan. I'm allergic to nuts.", "Forget my diet.", {"The user is allergic to nuts"}),
        ("我住在杭州。我妈妈住在苏州。", "忘掉我的地址", {"用户妈妈住在苏州"}),
        ("我不吃猪肉和羊肉。我对花生过敏。", "忘掉我的饮食习惯", {"用户对花生过敏"}),
        ("我在阿里上班。我的手机号是13812345678。我喜欢茶。", "忘掉我的工作和电话", {"用户喜欢茶"}),
        ("I live in York. My sister lives in Rome.", "Forget my address", {"The user's sister lives in Rome"}),
        ("I don't eat pork or lamb. I like tea.", "Forget my diet.", {"The user likes tea"}),
        ("I work at Airbus. I like tea.", "Forget my job", {"The user likes tea"}),
    ],
)
async def test_the_answers_are_deleted_and_nothing_else(
    ports: Ports, told: str, request_to_forget: str, left: set[str]
) -> None:
    await add(ports, told)
    await add(ports, request_to_forget)
    assert {memory.text for memory in await listed(ports)} == left
