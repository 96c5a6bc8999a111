"""Which machine the numbers are from."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path


def machine() -> str:
    """One line: processor, cores, memory, Python, and how busy it is right now."""
    processor = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    memory = next((int(line.split()[1]) // 2**20 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    load = os.getloadavg()[0]
    cores, python = os.cpu_count(), platform.python_version()
    return f"{processor}, {cores} cores, {memory} GiB, Python {python}, load {load:.1f}, pace {pace_s():.2f} s"


def pace_s() -> float:
    """Seconds for five million additions: a shared machine can be twice as slow an hour later."""
    start, total = time.perf_counter(), 0
    for number in range(5_000_000):
        total += number
    return time.perf_counter() - start


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines() if Path(file).exists() else []
