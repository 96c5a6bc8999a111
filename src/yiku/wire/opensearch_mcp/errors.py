"""How this dialect shows errors: a total table, and their shape as a tool result.

A tool error is a result with `isError`: agents read it and can mend the call. It has no `structuredContent`, because
clients check that against the output schema, which describes successes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from yiku.model import errors
from yiku.model.errors import Unavailable, YikuError
from yiku.wire.jsonrpc import compact_json


@dataclass(frozen=True, slots=True)
class Shown:
    """The code that clients rely on, and the HTTP status where the error ends the request itself."""

    code: str
    status: int


ERRORS: Mapping[type[YikuError], Shown] = {
    errors.YikuError: Shown("InternalError", 500),
    errors.InvalidInput: Shown("InvalidParameter", 400),
    errors.TooLarge: Shown("PayloadTooLarge", 413),
    errors.Unauthenticated: Shown("Unauthenticated", 401),
    errors.PermissionDenied: Shown("PermissionDenied", 403),
    errors.NotFound: Shown("NotFound", 404),
    errors.Conflict: Shown("Conflict", 409),
    errors.KeyTaken: Shown("Conflict", 409),
    errors.LeaseLost: Shown("Conflict", 409),
    errors.Unavailable: Shown("Unavailable", 503),
    errors.QueueFull: Shown("QueueFull", 429),
    errors.StorageUnavailable: Shown("StorageUnavailable", 503),
    errors.EmbedderUnavailable: Shown("EmbedderUnavailable", 503),
}


def failure(error: YikuError) -> dict[str, Any]:
    """A tool result that says what was wrong."""
    body: dict[str, Any] = {"code": ERRORS[type(error)].code, "message": error.message}
    if error.field is not None:
        body["details"] = {"field": error.field}
    elif isinstance(error, Unavailable):
        body["details"] = {"retry_after_s": error.retry_after_s}
    return _as_result(body)


def unexpected_failure(request_id: str) -> dict[str, Any]:
    """A tool result for what nobody foresaw: the log has the rest, under the request id."""
    message = f"Something went wrong in the server. Try again; if it happens again, report the request id {request_id}"
    return _as_result({"code": "InternalError", "message": message})


def _as_result(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": compact_json(body)}], "isError": True}
