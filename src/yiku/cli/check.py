"""`yiku check`: is the store sound?"""

from __future__ import annotations

from yiku.backends import open_ports
from yiku.cli.store import require_store
from yiku.settings import Settings


async def check(settings: Settings) -> int:
    await require_store(settings)
    async with open_ports(settings) as ports:
        health = await ports.storage.check()
    for name, value in health.details.items():
        print(f"{name}: {value}")
    for problem in health.problems:
        print(f"PROBLEM: {problem}")
    print("The store is sound." if not health.problems else f"{len(health.problems)} problems.")
    return 1 if health.problems else 0
