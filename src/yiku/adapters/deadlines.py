"""No call to a model lasts longer than its caller is willing to wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from yiku.model.errors import Unavailable


@asynccontextmanager
async def deadline(seconds: float, *, message: str, unavailable: type[Unavailable]) -> AsyncIterator[None]:
    """Cancels the body after so many seconds and raises `unavailable` with the message."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise unavailable(f"{message} (waited {seconds:g} seconds)") from error
