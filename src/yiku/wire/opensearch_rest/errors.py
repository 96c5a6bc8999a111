"""The shape of errors: the seed's five keys, whatever went wrong and however early. Codes are `refusals`."""

from __future__ import annotations

from yiku.wire.http import Refused
from yiku.wire.jsonrpc import compact_json
from yiku.wire.opensearch_rest.results import ErrorResult


def error_result(refused: Refused, request_id: str) -> ErrorResult:
    return {
        "request_id": request_id,
        "latency": 0,
        "code": refused.code,
        "http_code": refused.status,
        "message": refused.message,
    }


def render(refused: Refused, request_id: str) -> bytes:
    return compact_json(error_result(refused, request_id)).encode()
