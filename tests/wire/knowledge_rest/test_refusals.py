"""Does everything that the door refuses have its shape, and who may do what?"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest
from starlette.applications import Starlette

from yiku.core.access import KeyRing
from yiku.core.workspaces import create_workspace
from yiku.wire.knowledge_rest import PATH, KnowledgeRest
from yiku.wire.knowledge_rest.openapi import document_bytes
from yiku.wire.knowledge_rest.operations import OPERATIONS

from .conftest import ADMIN, URL, Door, failure
from .requirements import proves

DOCUMENT = json.loads(document_bytes())


@proves("permissions", "errors")
async def test_each_operation_wants_its_permission(door: Door) -> None:
    keys = {
        "knowledge:read": await door.new_key("knowledge:write", "memory:read"),
        "knowledge:write": await door.new_key("knowledge:read", "memory:read"),
    }
    for operation in OPERATIONS:
        assert operation.permission == ("knowledge:read" if operation.method == "GET" else "knowledge:write")
        path = re.sub(r"{.*?}", "x", operation.path)
        lesser = await door.ask(operation.method, path, key=keys[operation.permission])
        unknown = await door.ask(operation.method, path, key="nobody-knows-this-key")
        without = await door.client.request(operation.method, PATH + path)
        assert [response.status_code for response in (lesser, unknown, without)] == [403, 401, 401], path
        assert operation.permission in failure(lesser)["message"]
        assert without.headers["www-authenticate"].startswith("Bearer")


@proves("workspace")
async def test_what_is_in_another_workspace_does_not_exist(door: Door) -> None:
    await create_workspace(door.ports, ADMIN, "team")
    item = await door.item(await door.base(), "secret")
    stranger = await door.new_key("knowledge:read", "knowledge:write", workspace="team")
    assert (await door.done("GET", "/bases", key=stranger))["count"] == 0
    for method, path in (("GET", item), ("DELETE", item), ("POST", f"{item}/publish"), ("DELETE", "/bases/kb")):
        foreign = await door.ask(method, path, key=stranger)
        missing = await door.ask(method, path.replace("/kb", "/no"), key=stranger)
        assert (foreign.status_code, missing.status_code) == (404, 404)
        assert failure(foreign)["message"].replace("'kb'", "'no'") == failure(missing)["message"]
    assert (await door.done("GET", item))["title"] == "Runbook"


BAD_ITEMS: list[tuple[Any, str]] = [
    ({"content": "c"}, "title"),
    ({"title": " ", "content": "c"}, "title"),
    ({"title": "t"}, "content"),
    ({"title": "t", "content": "c", "file_url": "https://example.com/a"}, "content"),
    ({"title": "t", "content": " \n"}, "content"),
    ({"title": "t", "content": "a\x00b"}, "content"),
    ({"title": "t", "content": 7}, "content"),
    ({"title": "t", "content": "c", "format": "docx"}, "format"),
    ({"title": "t\x00", "content": "c"}, "title"),
]


@proves("errors", "items")
@pytest.mark.parametrize(("body", "field"), BAD_ITEMS)
async def test_an_item_that_cannot_be_is_refused_by_the_field(door: Door, body: Any, field: str) -> None:
    base = await door.base()
    response = await door.ask("POST", f"{base}/items", json=body)
    refused = failure(response)
    assert (response.status_code, refused["code"], refused["field"]) == (400, "InvalidParameter", field)
    assert (await door.done("GET", f"{base}/items"))["count"] == 0


BAD_PLACES = [
    ("GET", "", 404),
    ("GET", "/nothing", 404),
    ("GET", "/bases/", 404),
    ("GET", "/bases/none", 404),
    ("GET", "/bases/none/items", 404),
    ("GET", "/bases/%ff", 404),
    ("GET", "/bases/a%00b", 400),
    ("GET", "/bases/" + "x" * 300, 413),
    ("PUT", "/bases", 405),
    ("POST", "/bases/kb", 405),
    ("GET", "/bases?page=0", 400),
    ("GET", "/bases?page_size=101", 400),
    ("GET", "/bases?api_key=x", 400),
    ("GET", "/bases/kb/items/none", 404),
    ("DELETE", "/bases/kb/items/none", 404),
    ("POST", "/bases/kb/items/none/publish", 404),
    ("POST", "/bases/kb/items/none/archive", 404),
    ("GET", "/bases/kb/items/none/revisions/none?limit_chars=10001", 400),
    ("GET", "/bases/kb/items/none/revisions/none?offset=-1", 400),
    ("POST", "/bases/kb/items", 415),
]


@proves("errors")
@pytest.mark.parametrize(("method", "path", "status"), BAD_PLACES)
async def test_what_is_not_there_or_out_of_bounds(door: Door, method: str, path: str, status: int) -> None:
    await door.base()
    response = await door.ask(method, path)
    failure(response)
    assert response.status_code == status, response.text
    if status == 405:
        assert response.headers["allow"]


@proves("errors", "revisions")
async def test_a_revision_of_nothing_makes_no_item(door: Door) -> None:
    base = await door.base()
    response = await door.ask("POST", f"{base}/items/none/revisions", json={"content": "c"})
    assert (response.status_code, failure(response)["field"]) == (404, "item_id")
    assert (await door.done("GET", f"{base}/items"))["count"] == 0


@proves("off")
async def test_turned_off_the_door_says_so(door: Door) -> None:
    ports = replace(door.ports, documents=None)
    app = Starlette(routes=KnowledgeRest(ports, KeyRing(ports)).routes)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL) as client:
        response = await client.get(f"{PATH}/bases", headers={"Authorization": f"Bearer {door.key}"})
    assert (response.status_code, failure(response)["code"]) == (503, "KnowledgeOff")


@proves("openapi")
def test_openapi_names_every_operation_once_with_valid_schemas() -> None:
    described = [operation for place in DOCUMENT["paths"].values() for operation in place.values()]
    names = [operation["operationId"] for operation in described]
    assert len(names) == len(set(names)) == len(OPERATIONS)
    for operation in described:
        for response in operation["responses"].values():
            jsonschema.Draft202012Validator.check_schema(response["content"]["application/json"]["schema"])
        assert operation["responses"].keys() >= {"400", "401", "403", "405", "421", "429", "500", "503"}


@proves("openapi")
async def test_answers_are_as_openapi_says(door: Door) -> None:
    served = await door.client.get(f"{PATH}/openapi.json")
    assert (served.status_code, served.content) == (200, document_bytes())
    item = await door.item(await door.base(), "text")
    revision = (await door.done("GET", item))["latest_revision_id"]
    for operation in OPERATIONS:
        if operation.method == "GET":
            path = operation.path.replace("{base_id}/items/{item_id}", item.removeprefix("/bases/"))
            answer = await door.done("GET", path.replace("{revision_id}", revision).replace("{base_id}", "kb"))
            described = DOCUMENT["paths"][PATH + operation.path]["get"]["responses"]["200"]
            schema = described["content"]["application/json"]["schema"]
            jsonschema.validate(answer, schema)
            assert answer.keys() == schema["properties"].keys()
