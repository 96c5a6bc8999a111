"""The door described for machines."""

from __future__ import annotations

from functools import cache

from yiku.wire.admin.office import PATH
from yiku.wire.admin.operations import OPERATIONS
from yiku.wire.rest_openapi import Failure, document_of

_FAILURES = {
    403: Failure("Not an admin key, or a web page that is not allowed"),
    429: Failure("Too many requests of this key", "Retry-After"),
    503: Failure("The store cannot be reached at the moment", "Retry-After"),
}


@cache
def document_bytes() -> bytes:
    """As it is served. Made when somebody first asks: making it would slow down every start."""
    return document_of("Yiku admin", PATH, OPERATIONS, failures=_FAILURES, part={"type": "string"})
