"""The OpenAPI 3.1 document of this door, made from the same registry that the routes read."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from yiku import __version__
from yiku.model.limits import Limits
from yiku.wire.fields import Fields, schema_of
from yiku.wire.jsonrpc import compact_json
from yiku.wire.opensearch_rest.bodies import COMPONENT
from yiku.wire.opensearch_rest.examples import ANSWERS, BODIES, ENVELOPE, ERROR, PARAMETERS
from yiku.wire.opensearch_rest.grammar import COMPONENTS, IDENTIFIER, bound, ref
from yiku.wire.opensearch_rest.knowledge_bodies import UploadDoc
from yiku.wire.opensearch_rest.operation import Operation
from yiku.wire.opensearch_rest.operations import OPERATIONS
from yiku.wire.opensearch_rest.paths import full_path
from yiku.wire.opensearch_rest.results import ErrorResult

Json = dict[str, Any]

OURS = "Beyond the documented service"
_JSON = "application/json"
_BOUND = re.compile(re.escape(bound("?")).replace(r"\?", r"(\w+)"))

ERRORS_ALWAYS = {
    400: "Something in the request is not valid; the message names it.",
    401: "No key, or not one of ours.",
    403: "The key may not do this, or a web page may not call this server.",
    404: "No such thing, or not the caller's: the two look alike.",
    405: "This path knows other methods; Allow lists them.",
    413: "Something in the request is larger than this server accepts; the message names the bound.",
    421: "This server does not answer under the name in the Host header.",
    429: "Too much at once; Retry-After says when to come back.",
    500: "Something went wrong in the server; its log has more under the request id.",
    503: "The store or the embedding model cannot be reached; Retry-After says when to come back.",
}
ERRORS_WITH_A_BODY = {
    408: "The request body did not arrive in time.",
    415: "The body is not JSON, or does not say so in Content-Type.",
}
ERRORS_OF_NO_CALL = {422: "No text could be got from a file. Documents are read later, and say this themselves."}
"""What errors can look like here, though no operation answers so: clients may meet it in a later version."""
ERRORS_OF_A_CHANGE = {409: "Somebody else changed it at the same moment: read it again and repeat."}
_EVERY_ERROR = ERRORS_ALWAYS | ERRORS_WITH_A_BODY | ERRORS_OF_A_CHANGE | ERRORS_OF_NO_CALL
CAN_CONFLICT = ("PUT", "DELETE", "POST")
_HEADERS = {
    401: {"WWW-Authenticate": "The challenge."},
    405: {"Allow": "The methods there are."},
    429: {"Retry-After": "Seconds."},
    503: {"Retry-After": "Seconds."},
}


_OF_MADE_BASE = {"kb_id": "$response.body#/result/id"}
_OF_UPLOADED = {"kb_id": "$request.path.kb_id", "doc_id": "$response.body#/result/id"}
LINKS: Json = {
    "addMemories": {"getEvent": {"event_id": "$response.body#/event_id"}},
    "createKnowledgeBase": dict.fromkeys(("uploadDocument", "listDocuments", "deleteKnowledgeBase"), _OF_MADE_BASE),
    "uploadDocument": dict.fromkeys(("getDocument", "deleteDocument"), _OF_UPLOADED),
}
"""By the operation that answers: where to go next, and with which parameters."""


def document(limits: Limits) -> Json:
    """With the bounds that are in force."""
    bounded: Json = _with_bounds(_document(), limits)
    return bounded


def _with_bounds(value: Any, limits: Limits) -> Any:
    if isinstance(value, dict):
        return {key: _with_bounds(item, limits) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_bounds(item, limits) for item in value]
    if not isinstance(value, str):
        return value
    alone = _BOUND.fullmatch(value)
    return getattr(limits, alone[1]) if alone else _BOUND.sub(lambda found: str(getattr(limits, found[1])), value)


def _document() -> Json:
    paths: dict[str, Json] = {}
    for operation in OPERATIONS:
        paths.setdefault(full_path(operation), {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Yiku 忆库: OpenSearch Agentic Memory, REST",
            "version": __version__,
            "description": "Calls tagged as ours go beyond the documented service. Fields that are not known are "
            "ignored; an optional field that is null counts as left out.",
        },
        "servers": [{"url": "/"}],
        "security": [{"ApiKey": []}],
        "tags": [{"name": "Documented"}, {"name": OURS}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "ApiKey": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key; `Authorization: Token <key>` is understood as well.",
                }
            },
            "responses": {str(status): _error(status, why) for status, why in _EVERY_ERROR.items()},
            "schemas": _result_schemas() | _body_schemas() | COMPONENTS,
        },
    }


def _operation(operation: Operation) -> Json:
    errors = {str(status): {"$ref": f"#/components/responses/{status}"} for status in _statuses(operation)}
    described: Json = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": f"{operation.description}\n\nPermission: `{operation.permission}`.",
        "tags": [OURS if operation.ours else "Documented"],
        "parameters": [
            *(_parameter(name) for name in re.findall(r"\{(\w+)\}", full_path(operation))),
            *(_header(name, operation) for name in operation.headers),
            *(_asked(operation.asks) if operation.asks else ()),
        ],
        "responses": {"200": _answer(operation)} | errors,
    }
    if operation.ours:
        described["x-yiku-extension"] = True
    if operation.takes is not None:
        content = {"schema": ref(operation.takes.__name__), "example": BODIES[operation.name]}
        described["requestBody"] = {"required": True, "content": {_JSON: content}}
    return described


def _parameter(name: str) -> Json:
    schema: Json = {"type": "string", "minLength": 1}
    if name == "service_id":
        schema["const"] = PARAMETERS[name]
    if name == "user_id":
        schema = IDENTIFIER
    return {"name": name, "in": "path", "required": True, "schema": schema, "example": PARAMETERS[name]}


def _header(name: str, operation: Operation) -> Json:
    assert operation.takes is not None
    described = schema_of(operation.takes)["properties"][operation.headers[name]]
    shape = {"type": "string", "pattern": r"\S", "maxLength": 256}
    return {"name": name, "in": "header", "required": False, "schema": shape} | {
        "description": described["description"]
    }


def _asked(model: type[Fields]) -> list[Json]:
    """The parameters behind the address."""
    about = ("description", "examples")
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {key: value for key, value in field.items() if key not in about},
            "description": field["description"],
            "example": field["examples"][0],
        }
        for name, field in schema_of(model)["properties"].items()
    ]


def _answer(operation: Operation) -> Json:
    content = {"schema": ref(_answer_name(operation)), "example": _answer_example(operation)}
    answer: Json = {"description": "Done.", "headers": _headers({}), "content": {_JSON: content}}
    if links := LINKS.get(operation.name):
        answer["links"] = {name: {"operationId": name, "parameters": found} for name, found in links.items()}
    return answer


def _answer_name(operation: Operation) -> str:
    return f"{operation.gives.__name__}InEnvelope" if operation.version == "v3" else operation.gives.__name__


def _answer_example(operation: Operation) -> Json:
    answer: Json = ANSWERS[operation.name]
    return {**ENVELOPE, "result": answer} if operation.version == "v3" else answer


def _statuses(operation: Operation) -> list[int]:
    errors = dict(ERRORS_ALWAYS)
    if operation.takes is not None:
        errors |= ERRORS_WITH_A_BODY
    if operation.method in CAN_CONFLICT:
        errors |= ERRORS_OF_A_CHANGE
    return sorted(errors)


def _error(status: int, why: str) -> Json:
    content: Json = {"schema": ref(ErrorResult.__name__)}
    if status == ERROR["http_code"]:
        content["example"] = ERROR
    return {"description": why, "headers": _headers(_HEADERS.get(status, {})), "content": {_JSON: content}}


def _headers(described: dict[str, str]) -> Json:
    every = {"X-Request-Id": "The caller's, or ours; the log has more under it."}
    return {
        name: {"description": why, "required": True, "schema": {"type": "string"}}
        for name, why in (every | described).items()
    }


def _result_schemas() -> Json:
    shapes = [ErrorResult, *(operation.gives for operation in OPERATIONS)]
    inputs: list[tuple[str, Literal["serialization"], TypeAdapter[Any]]] = [
        (shape.__name__, "serialization", TypeAdapter(shape)) for shape in dict.fromkeys(shapes)
    ]
    _, definitions = TypeAdapter.json_schemas(inputs, ref_template=ref("{model}")["$ref"])
    schemas: Json = definitions["$defs"]
    enveloped = [operation for operation in OPERATIONS if operation.version == "v3"]
    return schemas | {_answer_name(operation): _in_envelope(operation.gives) for operation in enveloped}


def _in_envelope(gives: type) -> Json:
    properties: Json = {
        "request_id": {"type": "string"},
        "latency": {"type": "integer", "description": "Milliseconds."},
        "status": {"const": "OK"},
        "result": ref(gives.__name__),
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


def _body_schemas() -> Json:
    taken: list[type[Fields]] = [operation.takes for operation in OPERATIONS if operation.takes is not None]
    # What stands in the body of an upload has fields of its own.
    models: list[type[Fields]] = [*taken, UploadDoc]
    return {model.__name__: _body_schema(schema_of(model)) for model in models}


def _body_schema(schema: Json) -> Json:
    required = schema.get("required", ())
    properties = {name: _field(field, required=name in required) for name, field in schema["properties"].items()}
    return schema | {"properties": properties}


def _field(field: Json, *, required: bool) -> Json:
    """An optional field that is null counts as left out."""
    about = {key: value for key, value in field.items() if key in ("description", "default", "examples")}
    rules = {key: value for key, value in field.items() if key not in about}
    if COMPONENT in rules:
        rules = ref(rules[COMPONENT])
    return about | (rules if required else {"anyOf": [rules, {"type": "null"}]})


@cache
def document_bytes(limits: Limits) -> bytes:
    """As it is served. Made when somebody first asks: making it costs a server's start 0.1 s."""
    return compact_json(document(limits)).encode()
