"""What time does the database server have?"""

from __future__ import annotations

import asyncio
from datetime import datetime

from yiku.adapters.postgres.connections import connect
from yiku.adapters.postgres.failures import translated_errors


async def server_time(url: str, *, deadline_s: float) -> datetime:
    """Asked on a connection of its own, so that no store need be open."""
    return await asyncio.to_thread(_asked, url, deadline_s)


def _asked(url: str, deadline_s: float) -> datetime:
    with translated_errors(), connect(url, deadline_s=deadline_s) as connection:
        row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None
    now: datetime = row[0]
    return now
