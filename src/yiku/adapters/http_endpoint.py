"""One address of a service elsewhere that takes JSON and gives JSON: what every model behind HTTP has in common.

No message of ours holds the key, a text, or words of the service (some repeat the key in their errors).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

import httpx

from yiku.adapters.retries import PassingFailure, Retries, seconds_asked
from yiku.model.errors import InvalidInput, Unavailable

_PASSING_STATUSES = frozenset({408, 409, 429})

_WHAT_TO_CHECK = {
    401: "refused the API key: check the key in the settings",
    403: "refused the API key: check that the key may use this model",
    404: "does not know this address or model: check the base URL and the name of the model",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """How people are told about a service. `what_to_check` says what a refusal with a status may mean, `refused` what
    any other refusal may mean."""

    name: str
    unavailable: type[Unavailable]
    refused: str
    what_to_check: Mapping[int, str]

    def check(self, status: int) -> str:
        return {**_WHAT_TO_CHECK, **self.what_to_check}.get(status, self.refused)


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """How a model behind HTTP is reached. `url` is what the settings give: the base, or the whole address.

    `timeout_s` bounds one attempt. A client that is given stays open; it needs room for eight connections.
    """

    url: str
    api_key: str | None
    model: str
    timeout_s: float
    attempts: int = 3
    client: httpx.AsyncClient | None = None
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = random.random


class RefusedRequest(Exception):
    """The service refused what was asked, and whoever asked wanted to hear of this status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message
        super().__init__(message)


class HttpEndpoint:
    """A service at the address of `access`, with `path` behind it."""

    def __init__(self, service: Service, access: Access, *, path: str = "") -> None:
        self._service = service
        self._url = _checked_url(access.url.rstrip("/") + path if path else access.url, service)
        self._headers = _headers(access.api_key, service)
        self._model = access.model
        self._timeout_s = access.timeout_s
        self._retries = Retries(
            attempts=access.attempts, unavailable=service.unavailable, sleep=access.sleep, chance=access.chance
        )
        self._client = access.client or httpx.AsyncClient()
        self._owns_client = access.client is None
        self._closed = False

    @property
    def name(self) -> str:
        return f"The {self._service.name} at {self._url.host}"

    @property
    def too_slow(self) -> str:
        return f"{self.name} did not answer in time: try again in a few seconds."

    async def post(
        self, question: Mapping[str, object], *, answer_bytes_max: int, told: frozenset[int] = frozenset()
    ) -> bytes:
        """The body of a good answer to `{"model": …} | question`, after as many attempts as it takes.

        Raises `unavailable` of the service, or `RefusedRequest` for a refusal with one of the statuses `told`.
        """
        return await self._retries.run(
            partial(self._attempt, {"model": self._model, **question}, answer_bytes_max, told)
        )

    async def close(self) -> None:
        self._closed = True
        if self._owns_client:
            await self._client.aclose()

    async def _attempt(self, question: Mapping[str, object], bytes_max: int, told: frozenset[int]) -> bytes:
        if self._closed:
            raise self._unavailable(f"The connection to the {self._service.name} was closed: the server is stopping.")
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                self._client.stream("POST", self._url, json=question, headers=self._headers, timeout=None) as response,
            ):
                self._check_status(response, told)
                return await self._read(response, bytes_max=bytes_max)
        except TimeoutError as error:
            raise PassingFailure(f"{self.name} did not answer within {self._timeout_s:g} seconds.") from error
        except httpx.TransportError as error:
            raise PassingFailure(
                f"{self.name} cannot be reached ({type(error).__name__}): check the base URL and that it runs."
            ) from error
        except httpx.DecodingError as error:
            raise self._unavailable(f"{self.name} sent a damaged answer: its compression is broken.") from error

    def _check_status(self, response: httpx.Response, told: frozenset[int]) -> None:
        status = response.status_code
        if status in _PASSING_STATUSES or status >= 500:
            raise PassingFailure(
                f"{self.name} is overloaded or broken (HTTP {status}): try again later.",
                pause_s=seconds_asked(response.headers.get("retry-after")),
            )
        if status != httpx.codes.OK:
            message = f"{self.name} {self._service.check(status)} (HTTP {status}, model '{self._model}')."
            raise RefusedRequest(status, message) if status in told else self._unavailable(message)

    async def _read(self, response: httpx.Response, *, bytes_max: int) -> bytes:
        """The body, unless it is larger than any honest answer: it must not fill our memory."""
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > bytes_max:
                raise self._unavailable(
                    f"The {self._service.name} sent more than {bytes_max} bytes: check that the base URL is the right"
                    " one."
                )
        return bytes(body)

    def _unavailable(self, message: str) -> Unavailable:
        return self._service.unavailable(message)


def _checked_url(url: str, service: Service) -> httpx.URL:
    """The address, or an `InvalidInput` that says whose it is."""
    try:
        checked = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InvalidInput(f"The URL of the {service.name} is not a URL.", field="url") from error
    if checked.scheme not in ("http", "https") or not checked.host:
        raise InvalidInput(f"The URL of the {service.name} must start with http:// or https://", field="url")
    return checked


def _headers(api_key: str | None, service: Service) -> dict[str, str]:
    if api_key is None:
        return {}
    # Refused here, because the HTTP library would repeat the key in its error.
    if not (api_key.isascii() and api_key.isprintable()) or api_key != api_key.strip():
        raise InvalidInput(
            f"The API key of the {service.name} must be plain ASCII without blanks at its ends or line breaks.",
            field="api_key",
        )
    return {"Authorization": f"Bearer {api_key}"}
