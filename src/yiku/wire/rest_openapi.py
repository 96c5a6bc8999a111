"""One of our own REST doors described for machines: OpenAPI 3.1, made from its operations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from yiku import __version__
from yiku.wire.fields import Fields, schema_of
from yiku.wire.jsonrpc import compact_json
from yiku.wire.rest_errors import ErrorResult
from yiku.wire.rest_operations import Operation

Json = dict[str, Any]

_ALWAYS = {
    400: "A value is missing or not valid",
    401: "No key, or none that is known here",
    403: "A key that may not do this, or a web page that is not allowed",
    405: "The path does not take this method",
    421: "The server does not answer under this name",
    429: "Too many requests of this key, or too much work that waits",
    500: "Something went wrong in the server; its log has more under the request id",
    503: "The store cannot be reached at the moment, or this part of the server is turned off",
}
_WITH_BODY = {
    408: "The body did not arrive in time",
    413: "The body is too large",
    415: "The body is not said to be JSON",
}
_SOMETIMES = {404: "There is no such thing", 409: "It exists already, or is in another state", 413: "Too large"}


def document_of(title: str, path: str, operations: Iterable[Operation[Any]]) -> bytes:
    """As it is served."""
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(path + operation.path, {})[operation.method.lower()] = _described(operation)
    document = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _schema(ErrorResult)},
        },
    }
    return compact_json(document).encode()


def _described(operation: Operation[Any]) -> Json:
    described: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"Needs the permission {operation.permission}.",
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": {
            str(operation.status): {"description": "Done", "content": _json_content(_schema(operation.gives))},
            **{str(code): _failure(code, why) for code, why in sorted(_statuses(operation).items())},
        },
    }
    if operation.body is not None:
        content = _json_content(_body(operation.body))
        described["requestBody"] = {"required": operation.body_required, "content": content}
    return described


def _statuses(operation: Operation[Any]) -> Mapping[int, str]:
    return _ALWAYS | {code: _SOMETIMES[code] for code in operation.faults} | (_WITH_BODY if operation.body else {})


def _body(model: type[Fields]) -> Json:
    """A field that may be left out may be null as well."""
    schema = schema_of(model)
    required = schema.get("required", ())
    properties = schema["properties"].items()
    return schema | {"properties": {name: f if name in required else _or_null(f) for name, f in properties}}


def _or_null(field: Json) -> Json:
    about = {key: field[key] for key in ("description", "default", "examples") if key in field}
    return about | {"anyOf": [{key: value for key, value in field.items() if key not in about}, {"type": "null"}]}


def _path_parameters(operation: Operation[Any]) -> list[Json]:
    names = re.findall(r"{(\w+)}", operation.path)
    schema = {"type": "string", "minLength": 1}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in names]


def _query_parameters(operation: Operation[Any]) -> list[Json]:
    properties = schema_of(operation.query).get("properties", {})
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]


def _failure(code: int, why: str) -> Json:
    failure: Json = {"description": why, "content": _json_content({"$ref": "#/components/schemas/Error"})}
    header = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After"}.get(code)
    return failure | ({"headers": {header: {"schema": {"type": "string"}}}} if header else {})


def _json_content(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def _schema(shape: type) -> Json:
    """With its parts in place: readers of one operation need not look elsewhere."""
    schema = TypeAdapter(shape).json_schema(mode="serialization")
    parts = schema.pop("$defs", {})

    def placed(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return placed(parts[value["$ref"].rsplit("/", 1)[-1]])
            # The name of a property may be "title", too: only a title that is text is one.
            return {key: placed(item) for key, item in value.items() if key != "title" or not isinstance(item, str)}
        return [placed(item) for item in value] if isinstance(value, list) else value

    result: Json = placed(schema)
    return result
