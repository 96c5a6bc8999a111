"""How this door shows errors: `{code, message, request_id}`, and `field` where one is to blame."""

from __future__ import annotations

from yiku.model.errors import YikuError
from yiku.wire.http import Refused
from yiku.wire.jsonrpc import compact_json
from yiku.wire.refusals import refusal


class FieldRefused(Refused):
    """A refusal that knows which field it is about."""

    def __init__(self, refused: Refused, field: str) -> None:
        super().__init__(refused.status, refused.code, refused.message, headers=refused.headers)
        self.field = field


def refused(error: YikuError) -> Refused:
    shown = refusal(error)
    return shown if error.field is None else FieldRefused(shown, error.field)


def render(refused: Refused, request_id: str) -> bytes:
    body = {"code": refused.code, "message": refused.message, "request_id": request_id}
    if isinstance(refused, FieldRefused):
        body["field"] = refused.field
    return compact_json(body).encode()
