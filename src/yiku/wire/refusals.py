"""How errors are named over HTTP unless a dialect says otherwise: one total table, and errors as refused requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from yiku.model import errors
from yiku.model.errors import Unauthenticated, Unavailable, YikuError
from yiku.wire.http import Refused

CHALLENGE = ("WWW-Authenticate", 'Bearer realm="yiku"')
"""Without it clients go looking for an OAuth server."""


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
    errors.RateLimited: Shown("RateLimited", 429),
    errors.QueueFull: Shown("QueueFull", 429),
    errors.StorageUnavailable: Shown("StorageUnavailable", 503),
    errors.EmbedderUnavailable: Shown("EmbedderUnavailable", 503),
    errors.LlmUnavailable: Shown("Unavailable", 503),
    errors.LlmAnswerInvalid: Shown("InternalError", 500),
    errors.DocumentUnreadable: Shown("DocumentUnreadable", 422),
    errors.KnowledgeOff: Shown("KnowledgeOff", 503),
    errors.SourceUnavailable: Shown("Unavailable", 503),
    errors.LlmRefused: Shown("InternalError", 500),
    errors.RerankerUnavailable: Shown("Unavailable", 503),
}


def refusal(error: YikuError) -> Refused:
    """The error as the end of a request: with a challenge where a key is missing, and a time to come back."""
    shown = ERRORS[type(error)]
    headers = [CHALLENGE] if isinstance(error, Unauthenticated) else []
    if isinstance(error, Unavailable):
        headers.append(("Retry-After", str(error.retry_after_s)))
    return Refused(shown.status, shown.code, error.message, headers=headers)
