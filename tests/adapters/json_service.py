"""A service elsewhere on a real socket, which answers JSON requests as a test tells it to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

KEY = "sk-very-secret"
TEXT = "我的银行卡密码"

Answer = Callable[[dict[str, Any]], Response]


class JsonService:
    """`answers` come first, in order, then what `answer` makes of the question. Those that `hangs` wait for
    `released`, and say so in `waiting`."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.answers: list[Response] = []
        self.questions: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.waiting: asyncio.Queue[None] = asyncio.Queue()
        self.hangs: Callable[[dict[str, Any]], bool] = lambda question: False
        self.released = asyncio.Event()
        self.pauses: list[float] = []
        self.url = ""

    async def respond(self, request: Request) -> Response:
        self.questions.append(await request.json())
        self.paths.append(request.url.path)
        self.keys.append(request.headers.get("authorization"))
        if self.hangs(self.questions[-1]):
            self.waiting.put_nowait(None)
            await self.released.wait()
        return self.answers.pop(0) if self.answers else self.answer(self.questions[-1])

    async def pause(self, seconds: float) -> None:
        """In the place of `asyncio.sleep`."""
        self.pauses.append(seconds)


@asynccontextmanager
async def running(answer: Answer) -> AsyncIterator[JsonService]:
    service = JsonService(answer)
    app = Starlette(routes=[Route("/{path:path}", service.respond, methods=["POST"])])
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        service.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        server = uvicorn.Server(uvicorn.Config(app, http="h11", ws="none", lifespan="off", log_level="error"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        yield service
        service.released.set()
        server.should_exit = True
        await serving


def refusal(status: int, **headers: str) -> Response:
    """As services refuse: some repeat the key and what was asked."""
    return JSONResponse({"error": {"message": f"Incorrect API key provided: {KEY}, for {TEXT}"}}, status, headers)
