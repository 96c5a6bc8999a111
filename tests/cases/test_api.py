"""Is every answer an answer: a body on success, a refusal of what cannot be?"""

from __future__ import annotations

from urllib.parse import quote

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B101")
@pytest.mark.parametrize("odd", ["m-not-a-uuid", "not-a-uuid", "m-", "1", "m-%00", "../m", "m-" + "9" * 400, "用户"])
async def test_a_malformed_id_is_not_there(doors: Doors, odd: str) -> None:
    path = f"/memories/{quote(odd, safe='%')}"
    for method, body in (("GET", None), ("PUT", {"text": "tea"}), ("DELETE", None)):
        response = await doors.rest.ask(method, path, body)
        assert response.status_code in (400, 404, 413), response.text
        assert response.json()["message"]


@proves("B103")
async def test_every_success_has_a_body_that_says_what_became_of_it(doors: Doors) -> None:
    added = await doors.rest.call("POST", "/memories/add", {"messages": "I like tea", "user_id": "u"})
    assert added["event_id"].startswith("me-") and added["status"] == "PENDING"
    tool = await doors.tool("memory_add", messages="I like cocoa", user_id="u")
    assert tool["event_id"].startswith("me-") and tool["status"] == "PENDING"
    await doors.rest.work()
    for row in await doors.listed():
        assert (await doors.rest.call("PUT", f"/memories/{row['id']}", {"text": "tea!"}))["id"] == row["id"]
        assert row["id"] in (await doors.rest.call("DELETE", f"/memories/{row['id']}"))["message"]
