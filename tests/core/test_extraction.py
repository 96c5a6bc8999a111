"""What is kept of whole conversations, and the promises that hold for any text at all."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from yiku.core.memory.extraction import Extraction, extract
from yiku.core.memory.extraction.facts import NO_RECOMMENDATION, NOT_A_PERSON, PROMISE, RECALLED, RECOMMENDATION
from yiku.model.messages import Message, Role

RECOMMENDED = [
    ("为您推荐美式咖啡...", "助手为用户推荐了美式咖啡"),
    ("建议您每天散步", "助手建议用户每天散步"),
    ("我推荐您试试西湖醋鱼。", "助手推荐用户试试西湖醋鱼"),
    ("我不建议您吃花生。", "助手不建议用户吃花生"),
    ("您可以试试瑜伽。", "助手建议用户试试瑜伽"),
    ("为您推荐：\n1. 美式\n2. 拿铁", "助手为用户推荐了1. 美式\n2. 拿铁"),
    ("我推荐我们一起去", "助手：我推荐我们一起去"),
    ("I recommend trying the ramen at Ichiran.", "The assistant recommended trying the ramen at Ichiran"),
    ("I'd suggest you bring your umbrella.", "The assistant suggested the user bring the user's umbrella"),
    ("You should try the Louvre.", "Assistant: You should try the Louvre"),
    ("I would not recommend it.", "Assistant: I would not recommend it"),
    ("Here are some suggestions:\n1. Ramen\n2. Sushi", "Assistant: Here are some suggestions:\n1. Ramen\n2. Sushi"),
]

PROMISED = [
    ("I've booked a table for 7pm.", "Assistant: I've booked a table for 7pm."),
    ("已为您预订了明天的酒店。", "助手：已为您预订了明天的酒店。"),
    ("我会在明天早上8点提醒您。", "助手：我会在明天早上8点提醒您。"),
]

NOT_RECOMMENDED = [
    ("很高兴为您服务！", NO_RECOMMENDATION),
    ("杭州是浙江的省会。", NO_RECOMMENDATION),
    ("需要我为您推荐咖啡吗？", NO_RECOMMENDATION),
    ("Paris is the capital of France.", NO_RECOMMENDATION),
    ("根据我的记忆，您喜欢咖啡。", RECALLED),
    ("我记得您对花生过敏。", RECALLED),
    ("I remember that you like tea.", RECALLED),
]


def texts(extraction: Extraction) -> list[str]:
    return [fact.text for fact in extraction.facts]


def test_the_users_liking_and_the_assistants_recommendation_are_kept_and_the_request_is_not() -> None:
    extraction = extract(
        [
            Message(role="user", content="我喜欢喝咖啡，帮我推荐"),
            Message(role="assistant", content="为您推荐美式咖啡..."),
        ]
    )
    assert texts(extraction) == ["用户喜欢喝咖啡", "助手为用户推荐了美式咖啡"]
    assert [(fact.position, fact.speaker) for fact in extraction.facts] == [(0, None), (1, None)]
    assert [part.text for part in extraction.left_out] == ["帮我推荐"]


@pytest.mark.parametrize(("text", "fact"), RECOMMENDED)
def test_a_recommendation_of_the_assistant_is_kept(text: str, fact: str) -> None:
    extraction = extract([Message(role="assistant", content=text)])
    assert [(found.text, found.reason) for found in extraction.facts] == [(fact, RECOMMENDATION)]
    assert extraction.left_out == ()


@pytest.mark.parametrize(("text", "fact"), PROMISED)
def test_what_the_assistant_did_or_promised_is_kept(text: str, fact: str) -> None:
    extraction = extract([Message(role="assistant", content=text)])
    assert [(found.text, found.reason) for found in extraction.facts] == [(fact, PROMISE)]


@pytest.mark.parametrize(("text", "reason"), NOT_RECOMMENDED)
def test_any_other_reply_of_the_assistant_is_left_out(text: str, reason: str) -> None:
    extraction = extract([Message(role="assistant", content=text)])
    assert extraction.facts == ()
    assert [(part.text, part.reason) for part in extraction.left_out] == [(text, reason)]


def test_a_recommendation_is_kept_without_the_memory_and_the_question_around_it() -> None:
    reply = Message(role="assistant", content="根据我的记忆，您喜欢咖啡，我推荐您试试美式，您觉得呢？")
    extraction = extract([reply])
    assert texts(extraction) == ["助手推荐用户试试美式"]
    assert [part.reason for part in extraction.left_out] == [RECALLED, NO_RECOMMENDATION]


def test_a_recalled_memory_that_the_assistant_quotes_adds_nothing_to_the_same_chat() -> None:
    """B011: recalled memories that are fed back into extraction multiply."""
    asked = Message(role="user", content="我叫什么？")
    quoting = Message(role="assistant", content="我记得您叫张伟，喜欢喝咖啡。您之前说过对花生过敏。")
    assert extract([asked, quoting] * 20).facts == ()


def test_one_statement_is_one_fact_and_not_also_its_raw_text() -> None:
    """B008, B003: a fresh user's first message."""
    assert texts(extract([Message(role="user", content="我叫Johnny")])) == ["用户叫Johnny"]
    assert texts(extract([Message(role="user", content="我叫Johnny，喜欢披萨")])) == ["用户叫Johnny", "用户喜欢披萨"]


def test_a_message_after_an_empty_one_is_handled() -> None:
    """B069: an assistant's tool call has no content."""
    extraction = extract([Message(role="assistant", content=""), Message(role="user", content="我搬到杭州了")])
    assert texts(extraction) == ["用户搬到杭州了"]
    assert extraction.facts[0].position == 1
    assert extraction.left_out == ()


@pytest.mark.parametrize("role", ["system", "developer", "tool", "function"])
def test_what_no_person_said_is_left_out_even_under_a_name(role: Role) -> None:
    extraction = extract([Message(role=role, content="I like tea.\nYou are kind.", name="weather")])
    assert extraction.facts == ()
    assert [(part.text, part.reason) for part in extraction.left_out] == [("I like tea.\nYou are kind.", NOT_A_PERSON)]


def test_a_named_assistant_is_a_person() -> None:
    dialogue = [
        Message(role="user", content="I went hiking yesterday.", name="Anna"),
        Message(role="assistant", content="我昨天去爬山了", name="小明"),
    ]
    extraction = extract(dialogue)
    assert texts(extraction) == ["Anna went hiking yesterday", "小明昨天去爬山了"]
    assert [fact.speaker for fact in extraction.facts] == ["Anna", "小明"]


def test_a_speaker_does_not_answer_their_own_question() -> None:
    messages = [Message(role="user", content="Where do you live?"), Message(role="user", content="Berlin.")]
    assert texts(extract(messages)) == ["User: Berlin."]


def test_one_of_two_people_answers_under_their_name() -> None:
    dialogue = [
        Message(role="user", content="Did you grow up in Spain?", name="Anna"),
        Message(role="assistant", content="Yes!", name="Tom"),
    ]
    assert texts(extract(dialogue)) == ['Tom: (asked "Did you grow up in Spain?") Yes!']


def test_facts_of_a_long_message_stay_short_enough_to_be_found() -> None:
    facts = extract([Message(role="user", content="It rained on the hills. " * 200)]).facts
    assert len(facts) > 5
    assert max(len(fact.text) for fact in facts) < 700


@pytest.mark.parametrize(
    "unit",
    [
        *["字", "!", "“", "不是", "，", "I ", "a, ", "- a\n", "好", "[", "https://", "I went. It was. "],
        *[
            "please a, ",
            "can you I ",
            "I, do I ",
            "Mom, if he ",
            "book ",
            "忘我说",
            "帮我订",
            "如果，",
            "Mia is. ",
            "42. ",
        ],
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_sixty_thousand_characters_of_one_kind_are_no_trouble(unit: str, role: Role) -> None:
    """B084. A rule that backtracks over such a text would run into the time limit of the test."""
    text = (unit * 60_000)[:60_000] + "x"
    assert_nothing_vanishes(text, extract([Message(role=role, content=text)]))


SELF = re.compile(r"我|\b(?:i|me|my|mine|myself)\b|\bi['’]", re.IGNORECASE)
ROLES = st.sampled_from(["user", "assistant", "system"])
PIECES = st.sampled_from([*'\n，。？“”{"|(-字😀 ', "好的", "谢谢", "帮我", "推荐", "什么", "吗", "```", "1. ", "\n- "])
ENGLISH = st.sampled_from(["We ", "like ", "tea", "thanks", "what ", "you ", "please ", "Dr.", ", ", ". ", "? ", "..."])
TEXTS = st.text(max_size=80) | st.lists(PIECES | ENGLISH, max_size=30).map("".join)


def assert_nothing_vanishes(text: str, extraction: Extraction) -> None:
    """Every letter and digit of `text` is in a fact or left out. Only the words for the speaker may have changed."""
    if SELF.search(text):
        assert extraction.facts or extraction.left_out or extraction.forget
        return
    forget = (request.text for request in extraction.forget)
    kept = Counter("".join([*texts(extraction), *(part.text for part in extraction.left_out), *forget]))
    said = Counter(character for character in text if character.isalnum())
    assert said <= kept


@given(text=TEXTS, name=st.none() | st.just("Anna"))
def test_every_letter_that_a_person_says_is_kept_or_left_out_with_a_reason(text: str, name: str | None) -> None:
    assume(not SELF.search(text))
    assert_nothing_vanishes(text, extract([Message(role="user", content=text, name=name)]))


@given(text=TEXTS, role=ROLES)
def test_any_text_of_anybody_gives_facts_with_words_and_the_same_ones_each_time(text: str, role: Role) -> None:
    message = Message(role=role, content=text)
    extraction = extract([message])
    assert extract([message]) == extraction
    assert all(any(character.isalnum() for character in fact.text) and fact.reason for fact in extraction.facts)
    assert all(part.text.strip() and part.reason for part in extraction.left_out)


STATEMENTS = ["I like tea{}.", "We went to Rome{}.", "It was fun{}!", "我喜欢茶{}。", "昨天去了杭州{}！", "它很好{}；"]
ASKED = ["Can you find{}?", "Thanks, what is room{}?", "帮我查一下{}。", "你知道{}吗？", "谢谢，我住在{}号。"]
REPLIES = ["I recommend number{}.", "建议您选{}。", "I remember you like{}.", "\n- item{}\n- more\n"]


@given(
    patterns=st.lists(st.sampled_from([*STATEMENTS, *ASKED, *REPLIES]), min_size=1, max_size=12),
    role=ROLES,
    name=st.none() | st.just("Anna"),
)
def test_each_sentence_is_in_exactly_one_fact_or_left_out(patterns: list[str], role: Role, name: str | None) -> None:
    content = " ".join(pattern.format(1000 + index) for index, pattern in enumerate(patterns))
    extraction = extract([Message(role=role, content=content, name=name)])
    told = [*texts(extraction), *(part.text for part in extraction.left_out)]
    for index in range(len(patterns)):
        assert sum(text.count(str(1000 + index)) for text in told) == 1
