"""The shape of errors as tool results; their codes are those of `refusals`.

A tool error is a result with `isError`: agents read it and can mend the call. It has no `structuredContent`, because
clients check that against the output schema, which describes successes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import Unavailable, YikuError
from yiku.wire.jsonrpc import compact_json
from yiku.wire.refusals import ERRORS


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
