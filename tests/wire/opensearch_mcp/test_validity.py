"""What do the tools show of a value that changed over time, and how is it asked for?"""

from __future__ import annotations

from .conftest import Door
from .requirements import proves

FILTERS = {"AND": [{"user_id": "u"}]}


async def moved(door: Door) -> tuple[str, str]:
    """The ids of the memories of the old home and of the new one."""
    [old] = await door.remember("我住在上海", metadata={"timestamp": "2023-05-01"})
    [new] = await door.remember("我住在北京", metadata={"timestamp": "2024-05-01"})
    return old, new


@proves("search:as-of")
async def test_what_held_then_is_found_and_listed_as_of_then(door: Door) -> None:
    old, new = await moved(door)
    for as_of, expected in (
        (None, [new]),
        ("2023-12-31", [old]),
        ("2024-06-01T00:00:00+08:00", [new]),
        ("2022-01-01", []),
    ):
        found = await door.call("memory_search", query="住在哪里", filters=FILTERS, as_of=as_of)
        listed = await door.call("memory_get_all", filters={"user_id": "u"}, as_of=as_of)
        assert [row["id"] for row in found["results"]] == [row["id"] for row in listed["results"]] == expected, as_of
        assert listed["count"] == len(expected)
    past = await door.call("memory_search", query="他以前住在哪里？", filters=FILTERS)
    assert {row["id"] for row in past["results"]} == {old, new}


@proves("result:validity")
async def test_a_memory_shows_since_when_and_until_when_it_holds(door: Door) -> None:
    old, new = await moved(door)
    past = await door.call("memory_get", memory_id=old)
    assert past["valid_from"] == "2023-05-01T00:00:00.000000Z"
    assert (past["valid_until"], past["superseded_by"]) == ("2024-05-01T00:00:00.000000Z", new)
    [present] = (await door.call("memory_search", query="住在哪里", filters=FILTERS))["results"]
    assert present["valid_from"] == "2024-05-01T00:00:00.000000Z"
    assert present["kind"] in ("profile", "statement", "event")
    assert "valid_until" not in present
    [given] = await door.remember("我住在上海", infer=False)
    assert not {"kind", "valid_from"} & (await door.call("memory_get", memory_id=given)).keys()


@proves("event:replaced")
async def test_an_event_shows_what_was_replaced_until_that_is_deleted(door: Door) -> None:
    [old] = await door.remember("我住在上海")
    event = await door.call("memory_add", messages="我住在北京", user_id="u")
    await door.work()
    [row] = (await door.call("memory_event_status_get", event_id=event["event_id"]))["decisions"]
    assert (row["decision"], row["old_memory_id"], row["old_memory"]) == ("SUPERSEDE", old, "用户住在上海")
    await door.call("memory_delete", memory_id=old)
    [row] = (await door.call("memory_event_status_get", event_id=event["event_id"]))["decisions"]
    assert (row["memory"], row["old_memory"]) == ("用户住在北京", "(deleted)")
