"""What becomes of a fact that shares much with one that is known, where only a language model can tell?"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.core.conversations import answer, fact, reasons, tell, texts, with_llm
from tests.core.memories import listed
from yiku.core.memory.prompts.extraction import PROMPT_CHARACTERS_MAX
from yiku.model.errors import LlmUnavailable
from yiku.model.memories import DecisionKind
from yiku.model.prompts import Prompt
from yiku.ports import Ports

KNOWN = "The user keeps the spare key under the flower pot"
SAID = "I keep the spare key under the flower pot"
PUT_OTHERWISE = "The user keeps a spare key under the flower pot outside"
SAID_OTHERWISE = "As you know, I keep a spare key under the flower pot outside"


def verdict(word: str, pair: int = 0) -> str:
    return json.dumps({"verdicts": [{"pair": pair, "verdict": word}]})


def script(told: str, judged: str | None) -> Callable[[Prompt, str], str | None]:
    """A model that finds one fact in a conversation, and says this of every doubt."""
    return lambda prompt, added: answer(fact(told)) if prompt.name == "facts" else judged


async def told_twice(ports: Ports, first: tuple[str, str], second: tuple[str, str], judged: str | None) -> list[Prompt]:
    """Remember one fact after the other, each as (said, found); the prompts of the second add."""
    before, _ = with_llm(ports, answer(fact(first[1])))
    await tell(before, first[0])
    after, llm = with_llm(ports, script(second[1], judged))
    await tell(after, second[0])
    return llm.prompts


async def test_the_same_in_other_words_is_known_already(ports: Ports) -> None:
    prompts = await told_twice(ports, (SAID, KNOWN), (SAID_OTHERWISE, PUT_OTHERWISE), verdict("same"))
    assert [memory.text for memory in await listed(ports)] == [KNOWN]
    assert [prompt.name for prompt in prompts] == ["facts", "verdicts"]
    assert KNOWN in prompts[1].content
    assert PUT_OTHERWISE in prompts[1].content


async def test_a_correction_keeps_the_id_and_the_old_words(ports: Ports) -> None:
    under_the_mat = "The user keeps the spare key under the door mat"
    before, _ = with_llm(ports, answer(fact(KNOWN)))
    [known] = texts(await tell(before, SAID))
    [memory] = await listed(ports)
    after, _ = with_llm(ports, script(under_the_mat, verdict("corrected")))
    event = await tell(after, "No, I keep the spare key under the door mat")
    [updated] = await listed(ports)
    assert (updated.id, updated.text, updated.revisions[0].text) == (memory.id, under_the_mat, known)
    assert [decision.kind for decision in event.decisions] == [DecisionKind.UPDATE]


async def test_what_takes_the_place_of_something_ends_it(ports: Ports) -> None:
    in_the_shed = "The user keeps the spare key in the shed"
    before, _ = with_llm(ports, answer(fact(KNOWN)))
    await tell(before, SAID)
    after, _ = with_llm(ports, script(in_the_shed, verdict("replaced")))
    event = await tell(after, "I keep the spare key in the shed now")
    assert texts(event, DecisionKind.SUPERSEDE) == [in_the_shed]
    assert event.decisions[0].old_text == KNOWN
    assert [memory.text for memory in await listed(ports)] == [in_the_shed]


NO_VERDICTS = [
    verdict("different"),
    verdict("same", pair=7),
    verdict("probably"),
    '{"verdicts": []}',
    "null",
    None,
]


@pytest.mark.parametrize("judged", NO_VERDICTS)
async def test_without_a_verdict_both_are_kept(ports: Ports, judged: str | None) -> None:
    prompts = await told_twice(ports, (SAID, KNOWN), (SAID_OTHERWISE, PUT_OTHERWISE), judged)
    assert {memory.text for memory in await listed(ports)} == {KNOWN, PUT_OTHERWISE}
    assert len(prompts) == 2


async def test_a_model_that_is_down_for_doubts_costs_nothing_but_the_doubt(ports: Ports) -> None:
    before, _ = with_llm(ports, answer(fact(KNOWN)))
    await tell(before, SAID)
    after, _ = with_llm(ports, answer(fact(PUT_OTHERWISE)), LlmUnavailable(), when_unavailable="retry")
    event = await tell(after, SAID_OTHERWISE)
    assert texts(event) == [PUT_OTHERWISE]


TRAPS = [
    ("我每天早上喝两杯咖啡", "我每天早上不喝两杯咖啡"),
    ("I see my dentist in room 12", "I see my dentist in room 13"),
    ("I walk to work with Ann", "I walk to work with Bob"),
]


@pytest.mark.parametrize(("before", "now"), TRAPS)
async def test_a_model_cannot_make_one_of_what_differs_in_a_denial_a_number_or_a_name(
    ports: Ports, before: str, now: str
) -> None:
    known, new = (text.replace("我", "用户").replace("I ", "The user: ") for text in (before, now))
    prompts = await told_twice(ports, (before, known), (now, new), verdict("same"))
    assert len(prompts) == 2
    assert {memory.text for memory in await listed(ports)} == {known, new}


async def test_facts_that_share_little_are_no_doubt(ports: Ports) -> None:
    prompts = await told_twice(
        ports, (SAID, KNOWN), ("I bake bread on Sundays", "The user bakes bread on Sundays"), verdict("same")
    )
    assert [prompt.name for prompt in prompts] == ["facts"]


async def test_an_add_that_needed_a_second_answer_gets_no_call_for_doubts(ports: Ports) -> None:
    before, _ = with_llm(ports, answer(fact(KNOWN)))
    await tell(before, SAID)
    after, llm = with_llm(ports, "null", answer(fact(PUT_OTHERWISE)), verdict("same"))
    await tell(after, SAID_OTHERWISE)
    assert [prompt.name for prompt in llm.prompts] == ["facts", "facts"]
    assert len(await listed(ports)) == 2


async def test_verbatim_memories_are_never_in_doubt(ports: Ports) -> None:
    before, _ = with_llm(ports)
    await tell(before, KNOWN, infer=False)
    after, llm = with_llm(ports, script(PUT_OTHERWISE, verdict("same")))
    await tell(after, SAID_OTHERWISE)
    assert [prompt.name for prompt in llm.prompts] == ["facts"]
    assert len(await listed(ports)) == 2


async def test_many_doubts_are_one_short_call(ports: Ports) -> None:
    numbers = range(30)
    said = [f"My box {number} holds red paper and blue ink" for number in numbers]
    found = [fact(f"The user's box {number} holds red paper and blue ink", number) for number in numbers]
    before, _ = with_llm(ports, answer(*found))
    await tell(before, *said)
    after, llm = with_llm(
        ports,
        lambda prompt, added: (
            answer(*(fact(f"{old['text']} too", *old["messages"]) for old in found)) if prompt.name == "facts" else None
        ),
    )
    event = await tell(after, *(f"{words} too" for words in said))
    assert [prompt.name for prompt in llm.prompts] == ["facts", "verdicts"]
    doubts = llm.prompts[1]
    pairs = sum(len(line) for line in doubts.content.splitlines() if "box" in line)
    asked = len(doubts.instructions) + len(doubts.content) + len(json.dumps(doubts.schema))
    assert asked - pairs <= PROMPT_CHARACTERS_MAX
    assert len(texts(event)) == len(numbers), reasons(event)
