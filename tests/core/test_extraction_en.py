"""What is kept of English messages, in which words, and what is left out for which reason."""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.facts import (
    CONFIRMATION,
    FRAGMENT,
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
    ("I read two books last month.", "The user read two books last month"),
    ("I usually read on the train.", "The user usually reads on the train"),
    ("I put money aside every week", "The user puts money aside every week"),
    ("I quit smoking in 2019", "The user quit smoking in 2019"),
    ("I participate in a book club", "The user participates in a book club"),
    ("My dog is called Rex.", "The user's dog is called Rex"),
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
    "What should I do when I feel dizzy?",
    "What can I take for a headache?",
    "As a vegan, what can I eat in Texas?",
    "What should my son eat?",
    "Why do I get migraines every month?",
    "How can I stop biting nails?",
    "Should we name her Olga?",
    "Any recommendations for a gluten-free bakery?",
    "Would you say Maya's too young for school?",
    "Is there a pediatrician near Kreuzberg?",
    "Can you recommend a hotel in Rome?",
    "help me plan a trip to japan with two toddlers",
    "Is it ok that I take 20mg of Prozac daily?",
    "Should I take the job at Google or stay at the bank?",
    "What do you think about me moving to Oslo in May with my husband Erik?",
    "Do I have to worry if my father, who is 70, has diabetes?",
    "My son Leo, who is 7, has asthma, what should he eat?",
    "I was wondering, if my dad, who is 70, could eat fish?",
    "Julia loves Thai food, where should we go?",
    "Do you remember my dog Rex?",
    "Anna is pregnant?",
    "Could you help my son Leo, who is 7 and has asthma?",
    "Could you help me find a dentist in Munich?",
    "Can you book a table for my wife Julia's birthday on June 5 at 7pm, she loves Thai food?",
    "Can you recommend a hotel, Julia smokes?",
    "Please recommend a restaurant, no nuts.",
    "Please book a flight to Tokyo on Friday.",
    "Can you remind me to call mom on Friday?",
    "Could you always reply in Spanish?",
    "Don't forget to call me Sam.",
    "Never forget that I love you.",
    "Forget my old address, the new one is 5 Main Street.",
    "You can delete the file",
    "Je m'appelle Anne et j'habite à Lyon.",
    "私はコーヒーが好きです。",
    "My allergies:\n- peanuts\n- milk",
    '{"name": "Anna", "likes": ["tea"]}',
    "| a | b |\n|---|---|\n| 1 | 2 |",
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
    ("What should I eat?", QUESTION),
    ("Where can I buy it?", QUESTION),
    ("Should I bring an umbrella?", QUESTION),
    ("Is there anything I can do about it?", QUESTION),
    ("Do you think I should call her?", QUESTION),
    ("Do you remember my dog's name?", QUESTION),
    ("Do you know when I was born?", QUESTION),
    ("In Paris. What is there to see?", QUESTION),
    ("Sam, what do you think?", QUESTION),
    ("Do you know where I live?", QUESTION),
    ("What should I cook for dinner, pasta or rice?", QUESTION),
    ("Any tips?", QUESTION),
    ("Can you recommend a restaurant?", REQUEST),
    ("Can you help me?", REQUEST),
    ("Can you help me with this?", REQUEST),
    ("Can you tell me about the Eiffel Tower?", REQUEST),
    ("Can you book a table?", REQUEST),
    ("Can you remind me what my wife's birthday is?", REQUEST),
    ("do that.", REQUEST),
    ("please do it again", REQUEST),
    ("42", FRAGMENT),
    ("X=5", FRAGMENT),
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
    ("I live in Berlin, Germany, any tips?", "The user lives in Berlin, Germany", ("any tips?", QUESTION)),
    ("Hi, can you help my son Leo?", "User: can you help my son Leo?", ("Hi", SMALL_TALK)),
]

FACTS = [
    (
        "I'm Lena Fischer. I live in Munich. I work at Siemens and I have two cats.",
        ["The user is Lena Fischer", "The user lives in Munich", "The user works at Siemens", "The user has two cats"],
    ),
    (
        "We have a cat. Her name is Luna. She is black. Our flat is tiny.",
        ["User: We have a cat. Her name is Luna. She is black.", "User: Our flat is tiny."],
    ),
    (
        "We adopted a puppy. Named him Biscuit. Julia loves dogs. Two walks a day.",
        ["User: We adopted a puppy. Named him Biscuit.", "User: Julia loves dogs. Two walks a day."],
    ),
    (
        "Our kitchen is new. We painted it blue. Can you find a plumber in Rome for my wife?",
        ["User: Our kitchen is new. We painted it blue.", "User: Can you find a plumber in Rome for my wife?"],
    ),
    (
        "Pets live here: two cats! One is black. Mine is Rex.",
        ["User: Pets live here: two cats! One is black. Mine is Rex."],
    ),
    ("My lucky number is this. 42.", ["The user's lucky number is this", "User: 42."]),
]

ANSWERS = [
    ("Where do you live?", "Berlin.", 'User: (asked "Where do you live?") Berlin.'),
    ("Which city?", "From Hamburg", 'User: (asked "Which city?") From Hamburg'),
    ("Nice! How old are you?", "42", 'User: (asked "How old are you?") 42'),
    ("Are you vegetarian?", "Yes", 'User: (asked "Are you vegetarian?") Yes'),
    ("Are you vegetarian?", "No, I just like salad.", 'User: (asked "Are you vegetarian?") No, I just like salad.'),
    ("Should I call you Sam?", "Yes", 'User: (asked "Should I call you Sam?") Yes'),
    ("Do you like it there?", "I love it", 'User: (asked "Do you like it there?") I love it'),
    ("Do you drink coffee?", "Oh wow! Yes! Two cups.", 'User: (asked "Do you drink coffee?") Yes! Two cups.'),
    ("What do you do?", "I'm a nurse.", "The user is a nurse"),
    ("I like that.", "Berlin", "User: Berlin"),
]

NO_ANSWERS = [
    ("Would you like me to book it?", "Yes", CONFIRMATION),
    ("Is it raining?", "Yes", CONFIRMATION),
    ("Do you have kids?", "Why do you ask?", QUESTION),
    ("Paris is nice.", "42", FRAGMENT),
    ("Which one do you like?", "Continue.", REQUEST),
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


@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_each_sentence_that_can_be_understood_alone_is_a_fact_of_its_own(text: str, facts: list[str]) -> None:
    assert [found.text for found in extract(said(text)).facts] == facts


@pytest.mark.parametrize(("question", "answer", "fact"), ANSWERS)
def test_an_answer_that_means_nothing_alone_is_kept_with_its_question(question: str, answer: str, fact: str) -> None:
    extraction = extract([Message(role="assistant", content=question), *said(answer)])
    assert [(found.text, found.position) for found in extraction.facts] == [(fact, 1)]


@pytest.mark.parametrize(("question", "reply", "reason"), NO_ANSWERS)
def test_a_reply_that_answers_nothing_about_the_speaker_is_left_out(question: str, reply: str, reason: str) -> None:
    extraction = extract([Message(role="assistant", content=question), *said(reply)])
    assert extraction.facts == ()
    assert extraction.left_out[-1].reason == reason


def test_sentences_that_are_not_sure_stay_together_so_that_each_explains_the_other() -> None:
    facts = extract(said("We went to the beach. Thanks! It was so fun. I like shells.")).facts
    assert [fact.text for fact in facts] == ["User: We went to the beach. It was so fun.", "The user likes shells"]


def test_a_name_takes_the_place_of_the_user_and_labels_own_words() -> None:
    messages = [Message(role="user", content="I went home. We were tired. My dog slept.", name="Caroline")]
    expected = ["Caroline went home", "Caroline: We were tired.", "Caroline's dog slept"]
    assert [fact.text for fact in extract(messages).facts] == expected
