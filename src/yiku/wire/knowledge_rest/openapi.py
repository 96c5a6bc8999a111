"""The door described for machines."""

from __future__ import annotations

from functools import cache

from yiku.wire.knowledge_rest.operations import OPERATIONS, PATH
from yiku.wire.rest_openapi import document_of


@cache
def document_bytes() -> bytes:
    """As it is served. Made when somebody first asks: making it would slow down every start."""
    return document_of("Yiku knowledge", PATH, OPERATIONS)
