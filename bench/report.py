"""What is fast enough on which engine, and how is a row of numbers printed?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.engines import POSTGRES, SQLITE

FIRST_SEARCH = "search, 10,000 memories, the first (loads the index)"
BARE_SEARCH = "search, 10,000 memories, without the embedding"
LOCAL_SEARCH = "search, 10,000 memories, local model"
DIGESTING_SEARCH = "search, 10,000 memories, local model, digest running"
VERB_ADD = "add through the verb, 300 a second, digests running"
HTTP_ADD = "add through MCP over HTTP, 300 a second"
ALONE_SEARCH = "search over MCP, 10,000 memories, nothing else runs"
ALONE_ADD = "add over MCP, nothing else runs"
READING_IN_SEARCH = "search over MCP, 10,000 memories, a base is read in"
READING_IN_ADD = "add over MCP, a base is read in"
READING_IN_GROWTH = "resident growth of the server while it reads in"
START = "start to first answer"
RESIDENT = "resident with the model loaded"
DOOR = "MCP tools/call over the verb, processor time"

BUDGETS: Mapping[str, Mapping[str, float]] = {
    FIRST_SEARCH: {SQLITE: 500},
    BARE_SEARCH: {SQLITE: 10, POSTGRES: 15},
    LOCAL_SEARCH: {SQLITE: 40},
    DIGESTING_SEARCH: {SQLITE: 80},
    VERB_ADD: {SQLITE: 15, POSTGRES: 25},
    HTTP_ADD: {SQLITE: 15, POSTGRES: 25},
    ALONE_SEARCH: {},
    ALONE_ADD: {},
    READING_IN_SEARCH: {SQLITE: 80, POSTGRES: 80},
    READING_IN_ADD: {},
    READING_IN_GROWTH: {SQLITE: 300, POSTGRES: 300},
    START: {SQLITE: 3, POSTGRES: 3},
    RESIDENT: {SQLITE: 450, POSTGRES: 450},
    DOOR: {SQLITE: 0.7, POSTGRES: 0.7},
}
"""Milliseconds at p95, or the unit of the row; those of the issues that asked for them. An engine may have none."""

SHOWN = (50, 95, 99)


def report(row: str, engine: str, values_ms: Sequence[float]) -> None:
    """Percentiles of many measurements."""
    values = sorted(values_ms)
    cells = "  ".join(f"p{p} {_percentile(values, p):7.2f}" for p in SHOWN)
    judged = _judged(row, engine, _percentile(values, 95))
    print(f"{row:52}  {engine:8}  n={len(values):5}  {cells} ms  {judged}", flush=True)


def report_one(row: str, engine: str, value: float, unit: str) -> None:
    """One measurement."""
    print(f"{row:52}  {engine:8}  {value:8.2f} {unit}  {_judged(row, engine, value)}", flush=True)


def _percentile(ascending: Sequence[float], percent: int) -> float:
    return ascending[min(len(ascending) - 1, len(ascending) * percent // 100)]


def _judged(row: str, engine: str, value: float) -> str:
    budget = BUDGETS[row].get(engine)
    if budget is None:
        return ""
    return f"budget {budget:g} {'ok' if value <= budget else 'OVER'}"
