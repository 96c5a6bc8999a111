"""JSON-RPC 2.0 as MCP uses it: strict decoding from bytes, and the bodies of errors.

The MCP SDK answers some broken messages with silence and others with the wrong code, so every message passes here
first, over HTTP and over stdio. What comes out is safe to hand on: UTF-8, finite numbers, bounded depth, a usable id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeGuard

from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
SERVER_ERROR = -32000
"""The first code that JSON-RPC leaves to servers."""

Id = str | int
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: the one that `json.dumps` makes for each call costs more than what it writes."""
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class MalformedJson(Exception):
    """The text is not JSON that we accept; the message says why."""


class JsonRpcError(Exception):
    """An error answer: to the request with this id, or with id null when there is no telling."""

    def __init__(self, code: int, message: str, *, id: Id | None = None) -> None:
        self.code = code
        self.message = message
        self.id = id
        super().__init__(message)

    @property
    def body(self) -> bytes:
        return error_body(self.id, self.code, self.message)


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message. `id` is None for a notification; a response to us has no method of ours and is of no use here."""

    kind: Literal["request", "notification", "response"]
    method: str
    params: Mapping[str, Any]
    id: Id | None = None


def decode_envelope(data: bytes, *, depth_max: int) -> Envelope:
    """The message in `data`, or a `JsonRpcError`."""
    try:
        message = parse_json(data.removeprefix(b"\xef\xbb\xbf"), depth_max=depth_max)
    except MalformedJson as error:
        raise JsonRpcError(PARSE_ERROR, f"Parse error: {error}") from error
    if isinstance(message, list):
        raise JsonRpcError(INVALID_REQUEST, "Batches are not supported: send one JSON-RPC message at a time")
    if not isinstance(message, dict):
        raise JsonRpcError(INVALID_REQUEST, "A JSON-RPC message must be an object")
    return _envelope(message)


def parse_json(data: bytes | str, *, depth_max: int) -> Any:
    """The value in `data`. Of keys that occur twice the last counts, as everywhere in Python."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = _DECODER.decode(text)
        if _SURROGATE_ESCAPE.search(text):
            # Escapes may come as proper pairs; writing the value again tells whether one was left alone.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedJson("the text is not valid UTF-8") from error
    except UnicodeEncodeError as error:
        raise MalformedJson("the text has a lone surrogate, which is no character") from error
    except json.JSONDecodeError as error:
        raise MalformedJson(f"{error.msg} at line {error.lineno}, column {error.colno}") from error
    except ValueError as error:  # Python reads integers up to a few thousand digits
        raise MalformedJson("a number has too many digits") from error
    except RecursionError as error:
        raise MalformedJson(f"the text is nested more than {depth_max} levels deep") from error
    if text.count("[") + text.count("{") > depth_max and _is_deeper(value, depth_max):
        raise MalformedJson(f"the text is nested more than {depth_max} levels deep")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedJson(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
"""Made once: the one that `json.loads` makes for each call costs as much as a small body."""


def _is_deeper(value: Any, depth_max: int) -> bool:
    level = [value]
    for _ in range(depth_max):
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [child for item in containers for child in (item.values() if isinstance(item, dict) else item)]
    return any(isinstance(item, dict | list) for item in level)


def _envelope(message: dict[str, Any]) -> Envelope:
    known_id = message["id"] if _is_id(message.get("id")) else None
    if message.get("jsonrpc") != "2.0":
        raise JsonRpcError(INVALID_REQUEST, "'jsonrpc' must be \"2.0\"", id=known_id)
    if "method" not in message and ("result" in message or "error" in message):
        return Envelope("response", "", {}, known_id)
    method = message.get("method")
    if not isinstance(method, str) or not method:
        raise JsonRpcError(INVALID_REQUEST, "'method' must be text", id=known_id)
    if "id" in message and known_id is None:
        raise JsonRpcError(INVALID_REQUEST, "'id' must be text or an integer of at most 64 bits")
    if "id" not in message and not method.startswith("notifications/"):
        raise JsonRpcError(INVALID_REQUEST, f"{method[:64]} is answered, so it needs an 'id'")
    params = message.get("params")
    if params is not None and not isinstance(params, dict):
        raise JsonRpcError(INVALID_PARAMS, "'params' must be an object", id=known_id)
    return Envelope("request" if "id" in message else "notification", method, params or {}, known_id)


def _is_id(value: object) -> TypeGuard[Id]:
    if isinstance(value, int) and not isinstance(value, bool):
        return INTEGER_MIN <= value <= INTEGER_MAX
    return isinstance(value, str)


def result_body(id: Id, result: Mapping[str, Any]) -> bytes:
    return compact_json({"jsonrpc": "2.0", "id": id, "result": result}).encode()


def error_body(id: Id | None, code: int, message: str, *, data: Mapping[str, Any] | None = None) -> bytes:
    error = {"code": code, "message": message} | ({"data": data} if data else {})
    return compact_json({"jsonrpc": "2.0", "id": id, "error": error}).encode()


def compact_json(value: Any) -> str:
    """Without blanks and with characters as they are: the spelling of the documented examples."""
    return _COMPACT.encode(value)
