"""Which machine the numbers are from."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """One line: processor, cores, memory, Python, and how busy it is right now."""
    processor = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    memory = next((int(line.split()[1]) // 2**20 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    load = os.getloadavg()[0]
    return f"{processor}, {os.cpu_count()} cores, {memory} GiB, Python {platform.python_version()}, load {load:.1f}"


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines() if Path(file).exists() else []
