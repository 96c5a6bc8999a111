"""How our own REST doors show errors: `{code, message, request_id}`, and `field` where one is to blame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired

from typing_extensions import TypedDict

from yiku.model.errors import YikuError
from yiku.wire.http import Refused
from yiku.wire.jsonrpc import compact_json
from yiku.wire.refusals import refusal


class ErrorResult(TypedDict):
    code: str
    message: str
    request_id: str
    field: NotRequired[str]


class FieldRefused(Refused):
    """A refusal that knows which field it is about."""

    def __init__(self, refused: Refused, field: str) -> None:
        super().__init__(refused.status, refused.code, refused.message, headers=refused.headers)
        self.field = field


def refused(error: YikuError, spellings: Mapping[str, str]) -> Refused:
    """`spellings` are what the door calls fields of the verbs, where it has a name of its own for them."""
    shown = refusal(error)
    return shown if error.field is None else FieldRefused(shown, spellings.get(error.field, error.field))


def render(refused: Refused, request_id: str) -> bytes:
    body = {"code": refused.code, "message": refused.message, "request_id": request_id}
    if isinstance(refused, FieldRefused):
        body["field"] = refused.field
    return compact_json(body).encode()
