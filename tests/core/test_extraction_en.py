"""What is kept of English messages, in which words, and what is left out for which reason."""

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
    ("I like strawberry.", "The user likes strawberry"),
    ("i like coffee", "The user likes coffee"),
    ("I always drink tea.", "The user always drinks tea"),
    ("I study French", "The user studies French"),
    ("I teach yoga", "The user teaches yoga"),
    ("I need a new laptop", "The user needs a new laptop"),
    ("I'm a software engineer at Google.", "The user is a software engineer at Google"),
    ("I’ve lived in Rome for ten years.", "The user has lived in Rome for ten years"),
    ("I'll move to Paris in May.", "The user will move to Paris in May"),
    ("I'd love to visit Japan.", "The user would love to visit Japan"),
    ("I was born in 1990.", "The user was born in 1990"),
    ("I don't eat meat.", "The user doesn't eat meat"),
    ("I didn't like it.", "The user didn't like it"),
    ("I moved here with my wife", "The user moved here with their wife"),
    ("My dog is called Rex.", "The user's dog is called Rex"),
    (
        "My name is Wang Muchen, my son is Wang Mingze",
        "The user's name is Wang Muchen, the user's son is Wang Mingze",
    ),
    ("My sister said she likes my house.", "The user's sister said she likes the user's house"),
    ("I told my kids I love dinosaurs.", "The user told their kids the user loves dinosaurs"),
    ("On Monday I went to Rome.", "On Monday the user went to Rome"),
    ("I work with young people", "The user works with young people"),
    ('I loved "Becoming Nicole" by Amy.', 'The user loved "Becoming Nicole" by Amy'),
    ("I bought 1,000 shares at 3.5 dollars.", "The user bought 1,000 shares at 3.5 dollars"),
    ("I paid Dr. Smith at https://x.com/?a=b.", "The user paid Dr. Smith at https://x.com/?a=b"),
    ("I went to the U.S. embassy, e.g. for a visa", "The user went to the U.S. embassy, e.g. for a visa"),
    ("I moved to the US in May", "The user moved to the US in May"),
    ("I was... tired", "The user was... tired"),
    ("I love 火锅", "The user loves 火锅"),
    ("remember that I'm allergic to peanuts", "The user is allergic to peanuts"),
    ("Please remember that my birthday is May 3.", "The user's birthday is May 3"),
    (
        "I went to a support group yesterday. It was so powerful. It made me happy.",
        "The user went to a support group yesterday. It was so powerful. It made the user happy",
    ),
]

OWN_WORDS = [
    "I like coffee and drink it daily.",
    "I read books.",
    "I'd been there.",
    "My wife and I love hiking.",
    "World War I was terrible.",
    "neither do I.",
    "We live in Berlin.",
    "I told you my name already.",
    "I moved to our house",
    'She said "I am tired".',
    '"I am tired. I want to sleep. Bye", she said.',
    "Mom gave me a bike.",
    "always answer in French",
    "Please always answer in English.",
    "From now on, call me Bob.",
    "Don't call me sir.",
    "Remind me to call mom on Friday.",
    "Thanks for the strawberry jam",
    "What is important to me is family.",
    "Did you know I have two dogs?",
    "Can you believe I won the lottery?",
    "What should I eat if I'm allergic to peanuts?",
    "Je m'appelle Anne et j'habite à Lyon.",
    "私はコーヒーが好きです。",
    "My allergies:\n- peanuts\n- milk",
    '{"name": "Anna", "likes": ["tea"]}',
    "| a | b |\n|---|---|\n| 1 | 2 |",
    '```python\nprint("Thanks!")\n\nexit()\n```',
]

LEFT_OUT = [
    ("Hello!", SMALL_TALK),
    ("Hey Mel!", SMALL_TALK),
    ("Thanks, Caroline!", SMALL_TALK),
    ("Thank you so much for your help.", SMALL_TALK),
    ("haha", SMALL_TALK),
    ("That's great!", SMALL_TALK),
    ("Bye. Take care!", SMALL_TALK),
    ("<3 :D 😀", SMALL_TALK),
    ("-", SMALL_TALK),
    ("yes", CONFIRMATION),
    ("Yeah, I did.", CONFIRMATION),
    ("ok", CONFIRMATION),
    ("sounds good", CONFIRMATION),
    ("What's my name?", QUESTION),
    ("what should I cook", QUESTION),
    ("Do you know where I live?", QUESTION),
    ("What should I cook for dinner, pasta or rice?", QUESTION),
    ("Any tips?", QUESTION),
    ("Can you recommend a restaurant?", REQUEST),
    ("Tell me about my dog", REQUEST),
    ("Please write a poem about cats, dogs, and birds.", REQUEST),
]

MIXED = [
    ("I just moved to Berlin, any tips?", "The user just moved to Berlin", ("any tips?", QUESTION)),
    ("I'm vegan, so what should I cook?", "The user is vegan", ("so what should I cook?", QUESTION)),
    ("can you recommend a restaurant, I'm vegan", "The user is vegan", ("can you recommend a restaurant", REQUEST)),
    ("Hi, I'm Anna", "The user is Anna", ("Hi", SMALL_TALK)),
    ("Thanks, Caroline! I live in Rome.", "The user lives in Rome", ("Thanks, Caroline!", SMALL_TALK)),
    ("No, I live in Rome.", "The user lives in Rome", ("No", CONFIRMATION)),
    ("Yes, Berlin.", "User: Berlin.", ("Yes", CONFIRMATION)),
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
    assert [(found.text, found.reason) for found in extraction.facts] == [(f"User: {text}", IN_OWN_WORDS)]
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


def test_sentences_that_are_not_sure_stay_together_so_that_each_explains_the_other() -> None:
    facts = extract(said("We went to the beach. Thanks! It was so fun. I like shells.")).facts
    assert [fact.text for fact in facts] == ["User: We went to the beach. It was so fun.", "The user likes shells"]


def test_a_name_takes_the_place_of_the_user_and_labels_own_words() -> None:
    messages = [Message(role="user", content="I went home. We were tired. My dog slept.", name="Caroline")]
    expected = ["Caroline went home", "Caroline: We were tired.", "Caroline's dog slept"]
    assert [fact.text for fact in extract(messages).facts] == expected
