"""Request bodies that are one JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import InvalidInput
from yiku.wire.jsonrpc import MalformedJson, parse_json

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode_body(data: bytes, *, depth_max: int) -> Mapping[str, Any]:
    """The object, or an `InvalidInput` that says what is wrong with the text."""
    try:
        value = parse_json(data.removeprefix(BYTE_ORDER_MARK), depth_max=depth_max)
    except MalformedJson as error:
        raise InvalidInput(f"The request body is not JSON that can be read: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput("The request body must be a JSON object")
    return value
