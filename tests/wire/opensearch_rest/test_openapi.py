"""What the OpenAPI document says: every call, every status, every shape, and what is ours."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from yiku.model.limits import Limits
from yiku.wire.opensearch_rest.openapi import document
from yiku.wire.opensearch_rest.operation import Operation
from yiku.wire.opensearch_rest.operations import OPERATIONS
from yiku.wire.opensearch_rest.paths import full_path

from .requirements import proves

DOCUMENT = document(Limits())
SEED = {
    "addMemories", "getEvent", "searchMemories", "getMemory", "updateMemory", "deleteMemory", "health",
    "uploadDocument", "listDocuments", "getDocument", "deleteDocument",
}  # fmt: skip
ALWAYS = {"200", "400", "401", "403", "404", "405", "413", "421", "429", "500", "503"}
NAMES = [operation.name for operation in OPERATIONS]


def described(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][full_path(operation)][operation.method.lower()]
    return found


def check(value: Any, name: str) -> None:
    """`value` fits the component of this name."""
    jsonschema.validate(value, DOCUMENT | {"$ref": f"#/components/schemas/{name}"}, jsonschema.Draft202012Validator)


@proves("openapi")
@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_every_call_has_its_statuses_its_examples_and_its_mark(operation: Operation) -> None:
    call = described(operation)
    with_a_body = {"408", "415"} if operation.takes else set()
    assert call["responses"].keys() >= ALWAYS | with_a_body
    assert operation.ours == call.get("x-yiku-extension", False) == (operation.name not in SEED)
    assert {parameter["name"] for parameter in call["parameters"]} >= {"workspace_name", "service_id"}
    answer = call["responses"]["200"]["content"]["application/json"]
    check(answer["example"], answer["schema"]["$ref"].rsplit("/", 1)[-1])
    if operation.takes:
        body = call["requestBody"]["content"]["application/json"]
        check(body["example"], body["schema"]["$ref"].rsplit("/", 1)[-1])


@proves("openapi", "docs:list-pages")
def test_the_parameters_of_a_page_say_their_bounds_and_what_they_are_when_left_out() -> None:
    [listing] = [operation for operation in OPERATIONS if operation.name == "listDocuments"]
    asked = {item["name"]: item for item in described(listing)["parameters"] if item["in"] == "query"}
    assert {name: item["schema"] for name, item in asked.items()} == {
        "page_number": {"type": "integer", "minimum": 1, "default": 1},
        "page_size": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    }
    assert not any(item["required"] for item in asked.values())


@proves("openapi")
def test_every_link_leads_to_a_call_with_parameters_that_it_has() -> None:
    calls = {operation.name: described(operation) for operation in OPERATIONS}
    for call in calls.values():
        for link in call["responses"]["200"].get("links", {}).values():
            names = {parameter["name"] for parameter in calls[link["operationId"]]["parameters"]}
            assert link["parameters"].keys() <= names


@proves("openapi")
def test_every_schema_is_valid_and_every_reference_leads_somewhere() -> None:
    components = DOCUMENT["components"]
    for schema in components["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    for reference in _references(DOCUMENT):
        _, kind, name = reference.removeprefix("#/").split("/")
        assert name in components[kind], reference


@proves("openapi")
def test_every_error_has_the_five_keys_and_the_headers_that_go_with_it() -> None:
    responses = DOCUMENT["components"]["responses"]
    schemas = {response["content"]["application/json"]["schema"]["$ref"] for response in responses.values()}
    assert schemas == {"#/components/schemas/ErrorResult"}
    headers = {status: set(response["headers"]) - {"X-Request-Id"} for status, response in responses.items()}
    assert {status: names for status, names in headers.items() if names} == {
        "401": {"WWW-Authenticate"}, "405": {"Allow"}, "429": {"Retry-After"}, "503": {"Retry-After"}
    }  # fmt: skip
    check(responses["400"]["content"]["application/json"]["example"], "ErrorResult")


@proves("openapi")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AddBody", {"messages": [], "user_id": "u"}),
        ("AddBody", {"messages": " ", "user_id": "u"}),
        ("AddBody", {"messages": "tea", "user_id": "*"}),
        ("AddBody", {"messages": "tea", "user_id": "u", "metadata": {"user_id": "v"}}),
        ("SearchBody", {"query": "tea", "filters": {"user_id": "u"}}),
        ("SearchBody", {"query": "tea", "filters": {"AND": [{"source": "chat"}]}}),
        ("SearchBody", {"query": "tea", "filters": {"AND": [{"user_id": "u"}, {"user_id": "v"}]}}),
        ("SearchBody", {"query": "tea", "filters": {"AND": [{"user_id": "u", "stars": {"$gte": 4}}]}}),
        ("SearchBody", {"query": "tea", "filters": {"AND": [{"user_id": "u"}]}, "top_k": 1001}),
        ("UpdateBody", {"text": None}),
        ("UploadBody", {"type": "HTTP", "doc": {"file_url": "https://example.com/a.pdf"}}),
        ("UploadBody", {"type": "OSS", "doc": {"title": "手册"}}),
        ("UploadBody", {"type": "LOCAL", "doc": {"file_url": "manual.pdf"}}),
        ("BaseBody", {"name": "a\nb"}),
    ],
)
def test_what_is_refused_does_not_fit_the_schema(name: str, value: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        check(value, name)


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in _references(item)]
    return [found for item in value for found in _references(item)] if isinstance(value, list) else []


@proves("openapi")
def test_the_bounds_are_those_in_force() -> None:
    bounded = document(Limits(user_id_bytes=99, metadata_keys=7, messages_per_add=3, page_window=500))
    schemas = bounded["components"]["schemas"]
    assert schemas["Metadata"]["maxProperties"] == 7
    assert schemas["Metadata"]["propertyNames"]["maxLength"] == 99
    assert schemas["Messages"]["anyOf"][0]["maxItems"] == 3
    texts = str(bounded)
    assert "below both count and 500" in texts
    assert "<limits." not in texts
