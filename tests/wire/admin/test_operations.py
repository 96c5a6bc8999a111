"""Does each operation of the admin door do what it says, on both engines?"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest

from tests.core.memories import ADMIN, add, digest_all, said, scope
from tests.wire.admin.conftest import Doors, failure
from yiku.core.access import KeyRing
from yiku.core.memory.add import add_memories
from yiku.core.memory.digest import fail
from yiku.model.errors import Conflict
from yiku.model.jobs import JobFailure
from yiku.model.memories import AddMemories
from yiku.model.times import format_timestamp
from yiku.wire.admin.bodies import NewKeyBody
from yiku.wire.admin.office import Office
from yiku.wire.admin.operations import OPERATIONS
from yiku.wire.rest_operations import Asked, NoQuery


async def new_key(doors: Doors, **given: Any) -> dict[str, Any]:
    made: dict[str, Any] = await doors.done("POST", "/keys", json={"name": "bot"} | given)
    return made


async def test_a_key_is_made_used_seen_and_revoked(doors: Doors) -> None:
    made = await new_key(doors, user_id="u1", permissions=["memory:read"])
    secret = made.pop("key")
    assert secret.startswith(f"yk_{made['id']}_")
    assert (await doors.agent(secret)).status_code == 200
    await doors.keys.watch.write()
    listed = (await doors.done("GET", "/keys"))["keys"]
    used = format_timestamp(doors.clock.now())
    assert listed[0] == made | {"last_used_at": used}
    assert made["permissions"] == ["memory:read"]
    assert secret.rpartition("_")[2] not in str(listed)
    assert await doors.done("DELETE", f"/keys/{made['id']}") == {"id": made["id"], "revoked": True}
    assert (await doors.agent(secret)).status_code == 401
    assert failure(await doors.ask("DELETE", f"/keys/{made['id']}"))["code"] == "NotFound"


async def test_a_key_stops_when_it_expires(doors: Doors) -> None:
    expires = format_timestamp(doors.clock.now() + timedelta(hours=1))
    made = await new_key(doors, expires_at=expires)
    assert (made["expires_at"], made["expired"]) == (expires, False)
    assert (await doors.agent(made["key"])).status_code == 200
    doors.clock.advance(3600)
    assert (await doors.agent(made["key"])).status_code == 401
    assert [key["expired"] for key in (await doors.done("GET", "/keys"))["keys"]] == [True, False]


async def test_a_key_of_ones_own_is_accepted_and_not_shown_again(doors: Doors) -> None:
    imported = await new_key(doors, secret="OS-a-key-of-another-service")
    assert imported["key"] is None
    assert (await doors.agent("OS-a-key-of-another-service")).status_code == 200
    again = await doors.ask("POST", "/keys", json={"name": "again", "secret": "OS-a-key-of-another-service"})
    assert (again.status_code, failure(again)["code"]) == (409, "Conflict")


async def test_the_key_that_the_server_was_started_with_gets_no_narrower_twin(doors: Doors) -> None:
    configured = KeyRing(doors.ports, configured="the-key-of-the-operator")
    office = Office(doors.ports, configured, ())
    body = NewKeyBody(name="bot", secret="the-key-of-the-operator", permissions=["memory:read"])
    with pytest.raises(Conflict, match="YIKU_API_KEY"):
        await OPERATIONS[0].run(office, Asked(ADMIN, {}, NoQuery(), body))
    assert (await doors.done("GET", "/keys"))["count"] == 1


async def test_a_key_is_of_one_workspace_and_a_user(doors: Doors) -> None:
    await doors.done("POST", "/workspaces", json={"name": "team"})
    member = (await new_key(doors, workspace="team", user_id="u1"))["key"]
    assert (await doors.agent(member, workspace="team")).status_code == 200
    assert (await doors.agent(member, workspace="team", user_id="u2")).status_code == 403
    foreign = await doors.agent(member, workspace="default")
    missing = await doors.agent(member, workspace="nowhere")
    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert foreign.json()["message"].replace("default", "nowhere") == missing.json()["message"]
    assert (await doors.agent(doors.key, workspace="team")).status_code == 200


async def test_workspaces_are_made_and_listed(doors: Doors) -> None:
    made = await doors.done("POST", "/workspaces", json={"name": "team"})
    listed = await doors.done("GET", "/workspaces")
    assert listed == {"count": 2, "workspaces": [{"name": "default", "created_at": None}, made]}
    for name in ("team", "default"):
        assert failure(await doors.ask("POST", "/workspaces", json={"name": name}))["code"] == "Conflict"
    assert (await doors.ask("POST", "/keys", json={"name": "lost", "workspace": "nowhere"})).status_code == 404


async def test_users_are_listed_page_by_page_and_deleted(doors: Doors) -> None:
    users = ["a/b c", "u1", "周"]
    for user in users:
        await add(doors.ports, "我喜欢喝咖啡", where=scope(user))
    first = await doors.done("GET", "/users", params={"limit": 2})
    rest = await doors.done("GET", "/users", params={"limit": 2, "after": first["next"]})
    assert rest["next"] is None
    listed = {user.pop("user_id"): user for user in first["users"] + rest["users"]}
    assert set(listed) == set(users)
    counts = {"memories": 1, "messages": 1, "events": 1, "last_add_at": format_timestamp(doors.clock.now())}
    assert list(listed.values()) == [counts] * 3
    for user in users:
        gone = await doors.done("DELETE", f"/users/{quote(user, safe='')}")
        assert gone == {"workspace": "default", "user_id": user, "records": 3}
    assert (await doors.done("GET", "/users"))["users"] == []


async def test_users_of_another_workspace_are_asked_for_by_its_name(doors: Doors) -> None:
    await add(doors.ports, "I like tea", where=scope("u1"))
    await doors.done("POST", "/workspaces", json={"name": "team"})
    assert (await doors.done("GET", "/users?workspace=team"))["users"] == []
    assert (await doors.done("DELETE", "/users/u1?workspace=team"))["records"] == 0
    assert len((await doors.done("GET", "/users"))["users"]) == 1
    assert (await doors.ask("GET", "/users?workspace=nowhere")).status_code == 404


async def test_jobs_are_listed_and_tried_again(doors: Doors) -> None:
    command = AddMemories(scope=scope("u1"), messages=said("我喜欢喝咖啡"))
    event = await add_memories(doors.ports, ADMIN, command)
    [job] = await doors.ports.storage.claim(["digest"], lease_s=60, limit=1)
    await doors.ports.storage.release([job], delay_s=100, error="The model is away")
    doors.clock.advance(5)
    [shown] = (await doors.done("GET", "/jobs"))["jobs"]
    assert (shown["id"], shown["user_id"], shown["workspace"], shown["kind"]) == (event.id, "u1", "default", "digest")
    assert (shown["state"], shown["attempts"], shown["error"], shown["age_s"]) == (
        "BACK_OFF", 1, "The model is away", 5.0,
    )  # fmt: skip
    assert await doors.done("POST", f"/jobs/{event.id}/retry") == {"id": event.id, "retried": True}
    [again] = await doors.ports.storage.claim(["digest"], lease_s=60, limit=1)
    assert (await doors.ask("POST", f"/jobs/{event.id}/retry")).status_code == 409
    await fail(doors.ports, again, JobFailure("InternalError", "It broke"))
    await doors.done("POST", f"/jobs/{event.id}/retry")
    assert await digest_all(doors.ports) == 1
    assert (await doors.ask("POST", f"/jobs/{event.id}/retry")).status_code == 409
    assert (await doors.ask("POST", "/jobs/me-none/retry")).status_code == 404


async def test_jobs_are_listed_page_by_page(doors: Doors) -> None:
    for number in range(3):
        await add_memories(doors.ports, ADMIN, AddMemories(scope=scope(f"u{number}"), messages=said("tea")))
    first = await doors.done("GET", "/jobs?limit=2")
    rest = await doors.done("GET", f"/jobs?limit=2&after={first['next']}")
    assert [job["user_id"] for job in first["jobs"] + rest["jobs"]] == ["u0", "u1", "u2"]
    assert rest["next"] is None


async def test_the_settings_in_force_are_shown(doors: Doors) -> None:
    assert await doors.done("GET", "/settings") == {"settings": [{"name": "port", "value": 8787, "source": "default"}]}


async def test_the_audit_log_holds_what_was_done_and_what_was_refused(doors: Doors) -> None:
    bound = await new_key(doors, user_id="u1")
    await doors.agent(bound["key"], user_id="u2")
    await doors.agent("nobody-knows-this-key")
    await doors.remember("u1")
    response = await doors.ask("DELETE", "/users/u1", headers={"X-Request-Id": "req-of-mine"})
    assert response.status_code == 200
    entries = (await doors.done("GET", "/audit"))["entries"]
    shown = {(entry["action"], entry["subject"], entry["outcome"]): entry for entry in entries}
    assert shown.keys() == {
        ("key.create", shown_id(entries, "first start"), "done"),
        ("key.create", bound["id"], "done"),
        ("user.delete", "u1", "done"),
        ("another user", "", "refused"),
        ("unknown key", "", "refused"),
    }
    assert shown["user.delete", "u1", "done"]["request_id"] == "req-of-mine"
    assert shown["another user", "", "refused"]["key_id"] == bound["id"]


def shown_id(entries: list[dict[str, Any]], key_id: str) -> str:
    [subject] = [entry["subject"] for entry in entries if entry["key_id"] == key_id]
    assert isinstance(subject, str)
    return subject


async def test_the_audit_log_is_read_page_by_page(doors: Doors) -> None:
    for number in range(4):
        await doors.done("POST", "/workspaces", json={"name": f"team-{number}"})
    actions, before = [], ""
    for _ in range(3):
        page = await doors.done("GET", "/audit?limit=2" + (f"&before={before}" if before else ""))
        actions += [entry["subject"] for entry in page["entries"]]
        before = page["next"]
    assert before is None
    assert len(set(actions)) == 5


async def test_a_user_that_is_asked_for_too_often_gets_429_with_a_time_to_come_back(doors: Doors) -> None:
    bot = (await new_key(doors))["key"]
    statuses = [(await doors.agent(bot)).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    response = await doors.agent(bot)
    assert int(response.headers["retry-after"]) == 12
    assert (await doors.agent(bot, user_id="u2")).status_code == 200
    doors.clock.advance(12)
    assert (await doors.agent(bot)).status_code == 200
