"""Short ways to say what a test of reconciliation has heard and what is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from tests.core.memories import scope
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.known import Known
from yiku.core.memory.reconcile import Ledger
from yiku.model.facts import FactKind, Precision, Slot, When
from yiku.model.memories import Decision, Memory

START = datetime(2026, 1, 1, tzinfo=UTC)
_numbers = count()


def year(number: int) -> When:
    return When(datetime(number, 1, 1, tzinfo=UTC), datetime(number + 1, 1, 1, tzinfo=UTC), Precision.YEAR)


def home(value: str, subject: str = "user") -> Slot:
    return Slot(subject=subject, attribute="home", value=value)


def heard(text: str, slot: Slot | None = None, when: When | None = None, **more: Any) -> Memory:
    """A fact that was told some seconds after the one before it."""
    number = next(_numbers)
    told = START + timedelta(seconds=number)
    memory = Memory(
        id=f"m-{number:04}",
        scope=scope(),
        text=text,
        created=told,
        updated=told,
        evidence=(f"msg-{number}",),
        agent_ids=(None,),
        run_ids=(None,),
        kind=FactKind.STATEMENT,
        slot=slot,
        when=when,
        fingerprint=fingerprint(text, when),
    )
    return replace(memory, **more)


class Mind:
    """A ledger that goes on: what it decided is known to the next add."""

    def __init__(self, *known: Memory) -> None:
        self.memories = {memory.id: memory for memory in known}
        self.latest: tuple[Memory, ...] = ()

    def hear(self, memory: Memory, *, corrects: bool = False) -> Decision:
        ledger = Ledger(Known(tuple(self.memories.values()), self.latest))
        decision = ledger.decide(memory, "told", corrects=corrects)
        self.memories |= {changed.id: changed for changed in ledger.changed}
        touched = self.memories.get(decision.memory_id or "")
        self.latest = (touched,) if touched else ()
        return decision

    @property
    def current(self) -> list[str]:
        return [memory.text for memory in self.memories.values() if memory.valid_until is None]

    def at(self, moment: datetime) -> list[str]:
        return [memory.text for memory in self.memories.values() if memory.holds_at(moment)]
