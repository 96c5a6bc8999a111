"""The shape of errors as tool results, and their codes.

A tool error is a result with `isError` and the envelope as text: agents read it and can mend the call. It has no
`structuredContent`, because clients check that against the output schema, which describes successes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model import errors
from yiku.model.errors import NotFound, Unavailable, YikuError
from yiku.wire.jsonrpc import compact_json

RUNTIME_DISABLED = "knowledge_runtime_disabled"
INVALID_REQUEST = "knowledge_invalid_request"
QUERY_REQUIRED = "knowledge_query_required"
ITEM_REQUIRED = "knowledge_item_required"
RESOURCE_UNAVAILABLE = "knowledge_resource_unavailable"
INTERNAL_ERROR = "internal_error"
TEMPORARILY_UNAVAILABLE = "temporarily_unavailable"
RATE_LIMITED = "rate_limited"

CODES: Mapping[type[YikuError], str] = {
    errors.YikuError: INTERNAL_ERROR,
    errors.InvalidInput: INVALID_REQUEST,
    errors.TooLarge: INVALID_REQUEST,
    errors.Unauthenticated: "authentication_required",
    errors.PermissionDenied: "permission_denied",
    errors.NotFound: RESOURCE_UNAVAILABLE,
    errors.DocumentUnreadable: RESOURCE_UNAVAILABLE,
    errors.LlmAnswerInvalid: INTERNAL_ERROR,
    errors.LlmRefused: INTERNAL_ERROR,
    errors.Conflict: TEMPORARILY_UNAVAILABLE,
    errors.KeyTaken: TEMPORARILY_UNAVAILABLE,
    errors.LeaseLost: TEMPORARILY_UNAVAILABLE,
    errors.KnowledgeOff: RUNTIME_DISABLED,
    errors.Unavailable: TEMPORARILY_UNAVAILABLE,
    errors.QueueFull: RATE_LIMITED,
    errors.RateLimited: RATE_LIMITED,
    errors.StorageUnavailable: TEMPORARILY_UNAVAILABLE,
    errors.EmbedderUnavailable: TEMPORARILY_UNAVAILABLE,
    errors.LlmUnavailable: TEMPORARILY_UNAVAILABLE,
    errors.SourceUnavailable: TEMPORARILY_UNAVAILABLE,
    errors.RerankerUnavailable: TEMPORARILY_UNAVAILABLE,
}
_ARGUMENTS = {"kb_id": "knowledge_base_id"}
"""What the tool calls a field of the verbs."""
_NOT_THERE = (
    "This knowledge base, item or revision does not exist, is not published or not active, or may not be read with "
    "this key: search for what there is"
)


class CallRefused(Exception):
    """A call that lacks something, for which the dialect has a code of its own."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def failure(error: YikuError) -> dict[str, Any]:
    """A tool result that says what was wrong. What is not there and what may not be seen are told in one sentence."""
    code = CODES[type(error)]
    body: dict[str, Any] = {
        "type": "knowledge_unavailable" if code == RUNTIME_DISABLED else "error",
        "code": code,
        "message": _NOT_THERE if isinstance(error, NotFound) else error.message,
    }
    if isinstance(error, Unavailable):
        body["details"] = {"retry_after_s": error.retry_after_s}
    elif error.field is not None and code == INVALID_REQUEST:
        body["details"] = {"field": _ARGUMENTS.get(error.field, error.field)}
    return _as_result(body)


def lacking(refused: CallRefused) -> dict[str, Any]:
    return _as_result({"type": "error", "code": refused.code, "message": refused.message})


def unexpected_failure(request_id: str) -> dict[str, Any]:
    """A tool result for what nobody foresaw: the log has the rest, under the request id."""
    message = f"Something went wrong in the server. Try again; if it happens again, report the request id {request_id}"
    return _as_result({"type": "error", "code": INTERNAL_ERROR, "message": message})


def _as_result(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": compact_json(body)}], "isError": True}
