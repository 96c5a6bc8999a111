"""Which revisions no search sees: those whose nodes are being stored, and those whose nodes are being deleted.

A revision of a thousand nodes is stored in many small commits, and yet it replaces the one before in a single moment:
its nodes lie under the veil until the commit that makes it current, which also draws the veil over the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from yiku.core.knowledge.records import REVISION_FIELD
from yiku.model.conditions import EVERYTHING, And, Condition, In, Not
from yiku.model.records import Expectation, Record, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

VEIL = "veil"
_KEY = "the veil"


@dataclass(frozen=True, slots=True)
class Veil:
    """`record` is None while nothing was ever hidden in this base."""

    hidden: frozenset[str]
    record: Record | None

    @property
    def condition(self) -> Condition:
        """What holds for nodes that may be seen."""
        return Not(In(REVISION_FIELD, tuple(sorted(self.hidden)))) if self.hidden else EVERYTHING

    def with_condition(self, condition: Condition) -> Condition:
        if not self.hidden:
            return condition
        return self.condition if condition == EVERYTHING else And((condition, self.condition))


@dataclass(frozen=True, slots=True)
class VeilChange:
    """What a commit takes to change the veil; `Conflict` when somebody else changed it meanwhile."""

    expects: tuple[Expectation, ...] = ()
    puts: tuple[Record, ...] = ()


async def read_veil(ports: Ports, partition: Partition) -> Veil:
    for record in await ports.storage.find(partition, VEIL, [_KEY]):
        return Veil(frozenset(record.body["hidden"]), record)
    return Veil(frozenset(), None)


def changed(ports: Ports, veil: Veil, *, hide: Iterable[str] = (), show: Iterable[str] = ()) -> VeilChange:
    hidden = (veil.hidden | frozenset(hide)) - frozenset(show)
    if hidden == veil.hidden:
        return VeilChange()
    now, known = ports.clock.now(), veil.record
    record = Record(
        kind=VEIL,
        id=known.id if known else ports.clock.new_id("veil-"),
        # Of two who are the first to hide something, one finds the key taken.
        unique_key=_KEY,
        created=known.created if known else now,
        updated=now,
        body={"hidden": sorted(hidden)},
    )
    expects = (Expectation(Ref(VEIL, known.id), known.version),) if known else ()
    return VeilChange(expects, (record,))
