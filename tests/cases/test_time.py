"""Are times resolved against the right moment, kept as exactly as they were told, and shown with their offset?"""

from __future__ import annotations

from datetime import datetime

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B086")
@pytest.mark.parametrize(("said", "town"), [("我上周去了巴黎", "巴黎"), ("I went to Paris last week", "Paris")])
async def test_relative_dates_count_from_the_time_that_was_given(doors: Doors, said: str, town: str) -> None:
    await doors.add(said, metadata={"timestamp": "2023-05-24T10:00:00Z"})
    [row] = await doors.listed()
    assert town in row["memory"]
    assert "2023-05-15" in row["memory"]
    assert row["valid_from"].startswith("2023-05-15")


@proves("B088")
@pytest.mark.parametrize("asked", ["2024年7月13日发生了什么？", "What happened on 2024-07-13?"])
async def test_a_full_date_finds_its_day_first(doors: Doors, asked: str) -> None:
    for day, run in (("2024-07-20", "r1"), ("2024-07-13", "r2"), ("2024-07-06", "r3")):
        await doors.add("我去看了话剧", run_id=run, infer=False, metadata={"timestamp": f"{day}T12:00:00+08:00"})
    body = {"query": asked, "filters": {"AND": [{"user_id": "u"}]}}
    first = (await doors.rest.call("POST", "/memories/search", body))["results"][0]
    assert first["metadata"]["timestamp"].startswith("2024-07-13")


@proves("B089")
@pytest.mark.parametrize("asked", ["what did we do", "周杰伦的歌", "may I sit here", "we sat on the second bench"])
async def test_common_words_name_no_time(doors: Doors, asked: str) -> None:
    for day, run in (("2024-07-14", "r1"), ("2024-07-17", "r2")):
        await doors.add("我去看了话剧", run_id=run, infer=False, metadata={"timestamp": f"{day}T12:00:00Z"})
    body = {"query": asked, "filters": {"AND": [{"user_id": "u"}]}, "explain": True}
    found = (await doors.rest.call("POST", "/memories/search", body))["results"]
    assert [row["explain"]["then"] for row in found] == [0.0, 0.0]


@proves("B091")
async def test_every_time_that_is_shown_has_an_offset(doors: Doors) -> None:
    event = await doors.add("我喜欢喝茶", metadata={"timestamp": "2023-05-24 10:00:00"})
    [listed] = await doors.listed()
    one = await doors.rest.call("GET", f"/memories/{listed['id']}")
    shown = [row[key] for row in (listed, one) for key in ("created_at", "updated_at", "valid_from")]
    assert all(datetime.fromisoformat(time).tzinfo is not None for time in shown)
    assert event["status"] == "SUCCEEDED"
