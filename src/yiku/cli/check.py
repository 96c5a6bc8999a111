"""`yiku check`: is the store sound?"""

from __future__ import annotations

import asyncio

from yiku.model.errors import InvalidInput
from yiku.server import DATABASE_FILE, open_ports
from yiku.settings import Settings


async def check(settings: Settings) -> int:
    file = settings.data_dir / DATABASE_FILE
    if settings.database_url is None and not await asyncio.to_thread(file.is_file):
        raise InvalidInput(f"There is no store in {settings.data_dir}: name its folder with YIKU_DATA_DIR")
    async with open_ports(settings) as ports:
        health = await ports.storage.check()
    for name, value in health.details.items():
        print(f"{name}: {value}")
    for problem in health.problems:
        print(f"PROBLEM: {problem}")
    print("The store is sound." if not health.problems else f"{len(health.problems)} problems.")
    return 1 if health.problems else 0
