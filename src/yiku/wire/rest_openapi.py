"""One of our own REST doors described for machines: OpenAPI 3.1, made from its operations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from yiku import __version__
from yiku.wire.fields import Fields, schema_of
from yiku.wire.forms import FILE_PART, FILES_MAX
from yiku.wire.jsonrpc import compact_json
from yiku.wire.rest_errors import ErrorResult
from yiku.wire.rest_operations import Operation

Json = dict[str, Any]


class Failure(NamedTuple):
    """Why an answer has a status, and the header that comes with it."""

    why: str
    header: str | None = None


_ALWAYS = {
    400: Failure("A value is missing or not valid"),
    401: Failure("No key, or none that is known here", "WWW-Authenticate"),
    403: Failure("A key that may not do this, or a web page that is not allowed"),
    405: Failure("The path does not take this method", "Allow"),
    421: Failure("The server does not answer under this name"),
    429: Failure("Too many requests of this key, or too much work that waits", "Retry-After"),
    500: Failure("Something went wrong in the server; its log has more under the request id"),
    503: Failure("The store cannot be reached at the moment, or this part of the server is turned off"),
}
_WITH_BODY = {
    408: Failure("The body did not arrive in time"),
    413: Failure("The body is too large"),
    415: Failure("The body is not said to be JSON"),
}
_WITH_FILES = {
    408: Failure("The files did not arrive in time"),
    413: Failure("The files are too large, or too many"),
    415: Failure("The body is not said to be multipart/form-data"),
}
_SOMETIMES = {
    404: Failure("There is no such thing"),
    409: Failure("It exists already, or is in another state"),
    413: Failure("Too large"),
}
_PART: Json = {"type": "string", "minLength": 1}


def document_of(
    title: str,
    path: str,
    operations: Sequence[Operation[Any]],
    *,
    failures: Mapping[int, Failure] | None = None,
    part: Json = _PART,
) -> bytes:
    """As it is served. `failures` are those that mean something else at this door; `part` is the schema of a part of a
    path."""
    one_permission = len({operation.permission for operation in operations}) == 1
    paths: dict[str, Json] = {}
    for operation in operations:
        # Where all need the same permission, what is said of 403 can name it.
        needs = {} if one_permission else {"description": f"Needs the permission {operation.permission}."}
        described = _described(operation, needs, _ALWAYS | dict(failures or {}), part)
        paths.setdefault(path + _plain(operation.path), {})[operation.method.lower()] = described
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


def _described(operation: Operation[Any], needs: Json, always: Mapping[int, Failure], part: Json) -> Json:
    failures = {
        **always,
        **{code: _SOMETIMES[code] for code in operation.faults},
        **(_WITH_BODY if operation.body else {}),
        **(_WITH_FILES if operation.takes_files else {}),
    }
    described: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        **needs,
        "parameters": [*_path_parameters(operation, part), *_query_parameters(operation)],
        "responses": {
            str(operation.status): {"description": "Done", "content": _json_content(_schema(operation.gives))},
            **{str(code): _failure(failure) for code, failure in sorted(failures.items())},
        },
    }
    if operation.body is not None:
        content = _form_content(operation.body) if operation.takes_files else _json_content(_body(operation.body))
        described["requestBody"] = {"required": operation.body_required, "content": content}
    return described


def _body(model: type[Fields]) -> Json:
    """A field that may be left out may be null as well."""
    schema = schema_of(model)
    required = schema.get("required", ())
    properties = schema["properties"].items()
    return schema | {"properties": {name: f if name in required else _or_null(f) for name, f in properties}}


def _form_content(model: type[Fields]) -> Json:
    file: Json = {"type": "string", "contentMediaType": "application/octet-stream"}
    files: Json = {"type": "array", "items": file, "minItems": 1, "maxItems": FILES_MAX}
    schema = schema_of(model)
    properties = {FILE_PART: files, **schema["properties"]}
    return {"multipart/form-data": {"schema": schema | {"properties": properties, "required": [FILE_PART]}}}


def _or_null(field: Json) -> Json:
    about = {key: field[key] for key in ("description", "default", "examples") if key in field}
    return about | {"anyOf": [{key: value for key, value in field.items() if key not in about}, {"type": "null"}]}


def _path_parameters(operation: Operation[Any], part: Json) -> list[Json]:
    names = re.findall(r"{(\w+)", operation.path)
    return [{"name": name, "in": "path", "required": True, "schema": part} for name in names]


def _query_parameters(operation: Operation[Any]) -> list[Json]:
    properties = schema_of(operation.query).get("properties", {})
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]


def _failure(failure: Failure) -> Json:
    shown: Json = {"description": failure.why, "content": _json_content({"$ref": "#/components/schemas/Error"})}
    return shown | ({"headers": {failure.header: {"schema": {"type": "string"}}}} if failure.header else {})


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


def _plain(path: str) -> str:
    """OpenAPI knows no convertors in paths."""
    return path.replace(":path}", "}")
