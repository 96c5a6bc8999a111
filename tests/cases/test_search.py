"""Does a search find what it should, in the order and with the scores that it promises?"""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Doors
from .ledger import proves


async def rows(doors: Doors, query: str, **more: Any) -> list[dict[str, Any]]:
    """With scores; `found` of the doors compares both doors."""
    body = {"query": query, "filters": {"AND": [{"user_id": "u"}]}, **more}
    found: list[dict[str, Any]] = (await doors.rest.call("POST", "/memories/search", body))["results"]
    return found


@proves("B053", "B054")
@pytest.mark.parametrize(
    ("stored", "unrelated"),
    [
        ("我每周六早上都去奥林匹克公园跑十公里", "窗台上的绿植昨天开花了"),
        ("Caroline adopted a grey kitten from the shelter", "The quarterly budget spreadsheet is overdue"),
    ],
)
async def test_the_exact_text_scores_near_one_and_the_unrelated_is_dropped(
    doors: Doors, stored: str, unrelated: str
) -> None:
    for run, text in enumerate((stored, unrelated)):
        await doors.add(text, infer=False, run_id=f"r{run}")
    found = await rows(doors, stored)
    assert found[0]["memory"] == stored
    assert found[0]["score"] > 0.9
    assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
    assert all(0 <= row["score"] <= 1 for row in found)
    assert await doors.found(stored, threshold=0.5) == [stored]


@proves("B056")
async def test_a_high_threshold_and_an_unrelated_question_find_nothing(doors: Doors) -> None:
    await doors.add("I like green tea")
    assert await doors.found("quantum chromodynamics lecture", threshold=0.99) == []


@proves("B058")
async def test_top_k_is_honoured_above_and_below_the_usual_ten(doors: Doors) -> None:
    for number in range(60):
        await doors.add(f"tea number {number}", infer=False)
    assert [len(await doors.found("tea", top_k=top_k)) for top_k in (1, 50, 1000)] == [1, 50, 60]


@proves("B059")
@pytest.mark.parametrize(("stored", "query"), [("bought a new car", "automobile purchase"), ("买了新车", "汽车购置")])
async def test_asking_for_a_second_stage_drops_nothing(doors: Doors, stored: str, query: str) -> None:
    await doors.add(stored, infer=False)
    assert await doors.found(query, rerank=True) == await doors.found(query) == [stored]


@proves("B061")
async def test_a_score_of_nothing_is_a_score(doors: Doors) -> None:
    await doors.add("I like green tea")
    [row] = await rows(doors, "zzzz qqqq xxxx", threshold=0.0)
    assert row["score"] < 0.1
    assert await doors.found("zzzz qqqq xxxx", threshold=0.1) == []


@proves("B063")
@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
async def test_an_empty_question_is_refused(doors: Doors, query: str) -> None:
    body = {"query": query, "filters": {"AND": [{"user_id": "u"}]}}
    assert (await doors.rest.ask("POST", "/memories/search", body)).status_code == 400
    assert "query" in await doors.refused_tool("memory_search", **body)


@proves("B064")
@pytest.mark.parametrize("query", ["汇率换算", "汇率", "換算腳本", "docker"])
async def test_words_inside_a_chinese_sentence_are_found(doors: Doors, query: str) -> None:
    for run, text in enumerate(("我喜欢喝咖啡", "外币汇率换算脚本在docker里")):
        await doors.add(text, infer=False, run_id=f"r{run}")
    shared = {row["memory"]: row["explain"]["words"] for row in await rows(doors, query, explain=True)}
    assert shared["外币汇率换算脚本在docker里"] > 0 == shared["我喜欢喝咖啡"]


@proves("B066")
async def test_a_huge_question_is_refused_or_cut_and_the_next_one_is_answered(doors: Doors) -> None:
    await doors.add("I like green tea")
    huge = " ".join(f"term{number}" for number in range(50_000))
    body = {"query": huge, "filters": {"AND": [{"user_id": "u"}]}}
    assert (await doors.rest.ask("POST", "/memories/search", body)).status_code in (200, 400, 413)
    assert len(await doors.found("green tea")) == 1
