"""Errors in the dialect's shape: the table is total, waiting is timed, and nothing leaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import structlog
from starlette.applications import Starlette

from yiku.core.access import KeyRing
from yiku.core.rates import Rates
from yiku.model.errors import YikuError
from yiku.model.limits import Limits
from yiku.wire.opensearch_rest import OpenSearchRest
from yiku.wire.opensearch_rest.openapi import document
from yiku.wire.refusals import ERRORS

from .conftest import URL, V3, Door, open_door, refusal
from .requirements import proves


def _classes(error: type[YikuError]) -> Iterator[type[YikuError]]:
    yield error
    for child in error.__subclasses__():
        yield from _classes(child)


@proves("error:table")
def test_every_error_of_the_model_has_a_code_and_a_documented_status() -> None:
    assert set(ERRORS) == set(_classes(YikuError))
    assert {str(shown.status) for shown in ERRORS.values()} <= document(Limits())["components"]["responses"].keys()


@proves("error:unexpected")
async def test_an_unforeseen_error_is_500_with_the_request_id_and_no_details(door: Door) -> None:
    broken = replace(door.ports, storage=None)  # type: ignore[arg-type]
    app = Starlette(routes=OpenSearchRest(broken, KeyRing(broken)).routes)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL) as client:
        door.client = client
        with structlog.testing.capture_logs() as logs:
            response = await door.send("GET", f"{V3}/health", x_request_id="req-8")
    message = refusal(response, 500, "InternalError")
    assert "req-8" in message
    assert "NoneType" not in message
    assert [entry["event"] for entry in logs] == ["request_failed"]


@proves("error:retry")
async def test_a_store_that_cannot_be_reached_is_503_with_a_time_to_come_back(door: Door) -> None:
    assert (await door.send("GET", f"{V3}/health")).status_code == 200
    await door.ports.storage.close()
    response = await door.send("GET", f"{V3}/health")
    refusal(response, 503, "StorageUnavailable")
    assert int(response.headers["retry-after"]) >= 1


@proves("error:retry")
async def test_a_full_queue_is_429_with_a_time_to_come_back(tmp_path: Path) -> None:
    async with open_door(tmp_path, limits=Limits(queue_jobs=1)) as door:
        body = {"messages": "a cup of tea", "user_id": "u"}
        await door.call("POST", "/memories/add", body)
        response = await door.ask("POST", "/memories/add", body)
    refusal(response, 429, "QueueFull")
    assert int(response.headers["retry-after"]) >= 1


@proves("error:retry")
async def test_a_key_that_asks_too_often_is_429_with_a_time_to_come_back(door: Door) -> None:
    app = Starlette(routes=OpenSearchRest(door.ports, KeyRing(door.ports, rates=Rates(per_key=1))).routes)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL) as client:
        door.client = client
        assert (await door.send("GET", f"{V3}/health")).status_code == 200
        response = await door.send("GET", f"{V3}/health")
    refusal(response, 429, "RateLimited")
    assert int(response.headers["retry-after"]) >= 1
