"""The labelled dialogues of `evals/extraction`, read strictly: a label with a slip in it must not pass for a miss.

The format is told in `evals/extraction/README.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from yiku.model.facts import FactKind, Precision, When
from yiku.model.messages import Message

FOLDER = Path(__file__).parents[1] / "evals" / "extraction"

Words = tuple[tuple[str, ...], ...]
"""Every entry must occur, by one of its alternatives; all of them casefolded."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledFact:
    """One thing that a careful person would want remembered; an optional one is true but a matter of taste."""

    text: str
    kinds: tuple[FactKind, ...]
    words: Words
    not_words: Words = ()
    messages: frozenset[int]
    when: When | None = None
    optional: bool = False

    def says(self, text: str) -> bool:
        """Whether a text holds the words of this fact and none that would turn it into another."""
        folded = text.casefold()
        return all(_any_in(entry, folded) for entry in self.words) and not any(
            _any_in(entry, folded) for entry in self.not_words
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    id: str
    language: str
    anchor: datetime
    messages: tuple[Message, ...]
    facts: tuple[LabelledFact, ...]
    nothing: bool = False
    """Said on purpose: there is nothing to remember here."""


def set_names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.jsonl"))


def dialogues(name: str) -> list[Dialogue]:
    """All of one set; what the format does not know is refused."""
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [dialogue(json.loads(line)) for line in lines]


def dialogue(row: Mapping[str, Any]) -> Dialogue:
    """One line of a set."""
    _refuse_unknown(row, {"id", "language", "anchor", "messages", "facts", "nothing"})
    anchor = _instant(row["anchor"])
    messages = tuple(Message(**message) for message in row["messages"])
    return Dialogue(
        id=row["id"],
        language=row["language"],
        anchor=anchor,
        messages=messages,
        facts=tuple(_fact(fact) for fact in row["facts"]),
        nothing=row.get("nothing", False),
    )


def _fact(row: Mapping[str, Any]) -> LabelledFact:
    _refuse_unknown(row, {"text", "kind", "words", "not_words", "messages", "when", "optional"})
    return LabelledFact(
        text=row["text"],
        kinds=tuple(FactKind(kind) for kind in row["kind"].split("|")),
        words=_alternatives(row["words"]),
        not_words=_alternatives(row.get("not_words", ())),
        messages=frozenset(row["messages"]),
        when=_when(row["when"]) if "when" in row else None,
        optional=row.get("optional", False),
    )


def _when(row: Mapping[str, Any]) -> When:
    _refuse_unknown(row, {"start", "end", "precision"})
    return When(_instant(row["start"]), _instant(row["end"]), Precision(row["precision"]))


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text}: a time without an offset is another one on every machine")
    return instant


def _alternatives(entries: Iterable[str]) -> Words:
    return tuple(tuple(word.casefold() for word in entry.split("|")) for entry in entries)


def _any_in(entry: tuple[str, ...], folded: str) -> bool:
    return any(word in folded for word in entry)


def _refuse_unknown(row: Mapping[str, Any], known: set[str]) -> None:
    if unknown := row.keys() - known:
        raise ValueError(f"not part of the format: {', '.join(sorted(unknown))}")
