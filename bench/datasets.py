"""The retrieval sets of `../shared/data/memory`, read where they are: nothing of them is copied into the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "memory"


@dataclass(frozen=True, slots=True)
class Item:
    """One record of a user, in the order in which it was said."""

    user: str
    id: str
    time: str | None
    speaker: str
    text: str

    @property
    def run(self) -> str:
        """The session an item belongs to, as its id tells: `D1:3` is of session D1."""
        return self.id.partition(":")[0] if ":" in self.id else "all"


@dataclass(frozen=True, slots=True)
class Question:
    user: str
    id: str
    text: str
    kind: str
    evidence: frozenset[str]


def available() -> bool:
    return FOLDER.is_dir()


def corpus(name: str) -> list[Item]:
    rows = _rows(FOLDER / name / "corpus.jsonl")
    return [Item(row["user"], row["id"], row.get("time"), row["speaker"], row["text"]) for row in rows]


def questions(name: str) -> list[Question]:
    """Those with labelled evidence."""
    return [one for one in _asked(name) if one.evidence]


def unanswerable(name: str) -> list[Question]:
    """Those that ask for what is not there."""
    return [one for one in _asked(name) if not one.evidence]


def _asked(name: str) -> list[Question]:
    rows = _rows(FOLDER / name / "queries.jsonl")
    return [Question(row["user"], row["id"], row["text"], row["kind"], frozenset(row["evidence"])) for row in rows]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
