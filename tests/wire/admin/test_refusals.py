"""Does everything that the admin door refuses have its shape, and does it change nothing?"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import pytest
from jsonschema import Draft202012Validator

from tests.core.memories import ADMIN
from tests.wire.admin.conftest import Doors, failure
from yiku.core.keys import create_key
from yiku.model.keys import NewKey
from yiku.model.principal import PERMISSIONS
from yiku.wire.admin import PATH
from yiku.wire.admin.openapi import document_bytes
from yiku.wire.admin.operations import OPERATIONS, Office
from yiku.wire.rest_operations import Operation

CALLS = [(operation.method, re.sub(r"{.*?}", "x", operation.path)) for operation in OPERATIONS]


@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_nothing_is_done_without_an_admin_key(doors: Doors, method: str, path: str) -> None:
    others = frozenset(PERMISSIONS) - {"admin"}
    made = await create_key(doors.ports, ADMIN, NewKey(name="all but admin", permissions=others))
    without = await doors.client.request(method, PATH + path)
    unknown = await doors.ask(method, path, key="nobody-knows-this-key")
    lesser = await doors.ask(method, path, key=made.secret)
    assert [response.status_code for response in (without, unknown, lesser)] == [401, 401, 403]
    assert without.headers["www-authenticate"] == 'Bearer realm="yiku"'
    assert [failure(response)["code"] for response in (without, unknown, lesser)] == [
        "Unauthenticated",
        "Unauthenticated",
        "PermissionDenied",
    ]


BAD_KEYS = {
    b"": "body",
    b"{": "body",
    b"[]": "body",
    b'{"name": "a", "user_id": NaN}': "body",
    b"[" * 5_000: "body",
    b'{"name": "\xff"}': "body",
    rb'{"name": "\ud800"}': "body",
    b"{}": "name",
    b'{"name": 1}': "name",
    b'{"name": " "}': "name",
    b'{"name": "a\\u0000"}': "name",
    b'{"name": "a", "permissions": "admin"}': "permissions",
    b'{"name": "a", "permissions": []}': "permissions",
    b'{"name": "a", "permissions": [1]}': "permissions",
    b'{"name": "a", "permissions": [["admin"]]}': "permissions",
    b'{"name": "a", "permissions": ["root"]}': "permissions",
    b'{"name": "a", "permissions": ["admin"], "user_id": "u1"}': "permissions",
    b'{"name": "a", "user_id": "*"}': "user_id",
    b'{"name": "a", "user_id": ""}': "user_id",
    b'{"name": "a", "expires_at": "soon"}': "expires_at",
    b'{"name": "a", "expires_at": "2020-01-01"}': "expires_at",
    b'{"name": "a", "expires_at": 7}': "expires_at",
    b'{"name": "a", "secret": "short"}': "secret",
    b'{"name": "a", "secret": "with a blank and long enough"}': "secret",
    b'{"name": "a", "workspace": 1}': "workspace",
}


@pytest.mark.parametrize("body", BAD_KEYS, ids=lambda body: body[:40].decode("latin-1"))
async def test_a_key_that_cannot_be_is_refused_by_the_field(doors: Doors, body: bytes) -> None:
    response = await doors.ask("POST", "/keys", content=body, headers={"Content-Type": "application/json"})
    refused = failure(response)
    assert (response.status_code, refused["code"]) == (400, "InvalidParameter")
    assert BAD_KEYS[body] in refused["message"]
    assert (await doors.done("GET", "/keys"))["count"] == 1


BAD_PLACES = [
    ("GET", "/users?limit=0", 400),
    ("GET", "/users?limit=x", 400),
    ("GET", "/users?limit=99999999999999999999", 400),
    ("GET", "/users?workspace=__system__", 404),
    ("GET", "/users?workspace=%00", 404),
    ("DELETE", "/users/a%0A", 400),
    ("GET", "/jobs?after=-1", 400),
    ("GET", "/jobs?after=9223372036854775808", 400),
    ("GET", "/keys?page=0", 400),
    ("GET", "/audit?before=yesterday", 400),
    ("DELETE", "/users/*", 400),
    ("DELETE", "/users/a%00b", 400),
    ("DELETE", "/users/%20", 400),
    ("DELETE", "/users/" + "x" * 257, 413),
    ("DELETE", "/keys/a%00b", 400),
    ("DELETE", "/keys/nothing", 404),
    ("POST", "/jobs/a%00b/retry", 400),
    ("GET", "", 404),
    ("GET", "/", 404),
    ("GET", "/nothing", 404),
    ("GET", "/keys/", 404),
    ("PUT", "/keys", 405),
    ("POST", "/audit", 405),
    ("GET", "/keys?api_key=x", 400),
]


@pytest.mark.parametrize(("method", "path", "status"), BAD_PLACES)
async def test_what_is_not_there_or_out_of_bounds(doors: Doors, method: str, path: str, status: int) -> None:
    response = await doors.ask(method, path)
    failure(response)
    assert response.status_code == status, response.text
    if status == 405:
        assert response.headers["allow"]


async def test_a_cursor_of_any_text_is_only_a_place_to_go_on_from(doors: Doors) -> None:
    for after in ("%00", "%ff", "%F0%9F%98%80", "x" * 2_000):
        assert (await doors.done("GET", f"/users?after={after}"))["users"] == []


async def test_only_json_that_says_so_and_is_not_too_large_is_read(doors: Doors) -> None:
    plain = await doors.ask("POST", "/keys", content=b'{"name": "a"}', headers={"Content-Type": "text/plain"})

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 2**20

    large = await doors.ask("POST", "/keys", content=endless(), headers={"Content-Type": "application/json"})
    assert [plain.status_code, large.status_code] == [415, 413]
    assert [failure(plain)["code"], failure(large)["code"]] == ["UnsupportedMediaType", "PayloadTooLarge"]
    assert (await doors.done("GET", "/keys"))["count"] == 1


async def test_other_web_pages_are_kept_out(doors: Doors) -> None:
    page = await doors.ask("GET", "/keys", headers={"Origin": "https://evil.example"})
    rebound = await doors.ask("GET", "/keys", headers={"Host": "evil.example"})
    assert [page.status_code, rebound.status_code] == [403, 421]
    assert failure(page)["code"] == "OriginNotAllowed"


async def test_a_store_that_is_away_is_said_to_be(doors: Doors) -> None:
    await doors.ports.storage.close()
    response = await doors.ask("GET", "/keys")
    assert (response.status_code, failure(response)["code"]) == (503, "StorageUnavailable")
    assert int(response.headers["retry-after"]) >= 1


async def test_unknown_fields_are_ignored_and_null_is_left_out(doors: Doors) -> None:
    body = {"name": "a", "colour": "red", "user_id": None, "permissions": None, "expires_at": None}
    made = await doors.done("POST", "/keys?colour=red", json=body)
    assert made["permissions"] == ["memory:read", "memory:write"]


def schema_of(operation: Operation[Office]) -> dict[str, object]:
    document = json.loads(document_bytes())
    place = document["paths"][PATH + re.sub(r":\w+}", "}", operation.path)][operation.method.lower()]
    schema: dict[str, object] = place["responses"][str(operation.status)]["content"]["application/json"]["schema"]
    return schema


def test_openapi_names_every_operation_once_with_valid_schemas() -> None:
    paths = json.loads(document_bytes())["paths"]
    names = [described["operationId"] for place in paths.values() for described in place.values()]
    assert len(names) == len(set(names)) == len(OPERATIONS)
    for operation in OPERATIONS:
        Draft202012Validator.check_schema(schema_of(operation))


async def test_answers_are_as_openapi_says(library: Doors) -> None:
    document = await library.client.get(f"{PATH}/openapi.json")
    assert (document.status_code, document.content) == (200, document_bytes())
    await library.done("POST", "/bases", json={"name": "base", "id": "b"})
    files = {"file": ("tea.md", b"# Tea")}
    await library.done("POST", "/bases/b/documents", files=files, data={"id": "d"})
    for operation in OPERATIONS:
        if operation.method == "GET":
            answer = await library.done("GET", operation.path.format(base_id="b", id="d"))
            Draft202012Validator(schema_of(operation)).validate(answer)
    made = await library.done("POST", "/keys", json={"name": "a"})
    Draft202012Validator(schema_of(OPERATIONS[0])).validate(made)
