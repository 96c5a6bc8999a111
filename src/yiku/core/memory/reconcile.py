"""Decide what becomes of each new fact, given what is known. Pure; DESIGN §5 says what the decisions mean.

What was said before in the same words is a NOOP. Of a slot (a question with one answer at a time) the same value is a
NOOP, or an UPDATE where it is told more fully; a correction is an UPDATE; another value over time is a SUPERSEDE. Facts
without a slot are only ever the same in the same words: texts that differ in any word, number, date or name are
different facts, however close their vectors are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from yiku.core.memory.doubts import Settlement
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.forgetting import Request, surely_meant
from yiku.core.memory.holdings import Holdings
from yiku.core.memory.known import Known
from yiku.core.memory.merging import corrected, said_again
from yiku.core.memory.prompts.doubts import Verdict
from yiku.core.memory.putting_right import put_right
from yiku.core.memory.retraction import is_bare, takes_back
from yiku.core.memory.slots import adds_nothing, is_fuller, refines, same_value
from yiku.core.memory.timeline import Place, ended, in_time, inserted, place_of
from yiku.model.facts import FactKind
from yiku.model.memories import Decision, DecisionKind, Memory

JUDGED = "as the language model judged"
DELETED = "(deleted)"
_JUST_BEFORE = timedelta(hours=1)
"""Later, words like "I meant Friday" are about something that was not remembered."""


class Ledger:
    """The decisions of one digest. Later facts of the digest see what was decided about earlier ones."""

    def __init__(self, known: Known, settlement: Settlement | None = None) -> None:
        self._settlement = settlement or {}
        self._held = Holdings(known.memories)
        self._stored = {memory.id: memory for memory in known.memories}
        self._changed: dict[str, Memory] = {}
        self._deleted: list[str] = []
        self._latest = [memory.id for memory in known.latest]
        self._latest_message: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[Memory, ...]:
        """The memories to be written: new ones, and known ones that something became of."""
        return tuple(self._changed.values())

    @property
    def deleted(self) -> tuple[str, ...]:
        return tuple(self._deleted)

    @property
    def relied_on(self) -> tuple[Memory, ...]:
        """Stored memories that decisions rest on: they must not have changed when the digest commits."""
        return tuple(self._stored.values())

    def decide(self, memory: Memory, reason: str, *, corrects: bool = False, puts_right: str | None = None) -> Decision:
        """What becomes of one new fact; remembers what has to be written."""
        if memory.fingerprint is None:
            return self._added(memory, reason)
        if puts_right and (decision := self._put_right(memory, puts_right)):
            return decision
        same_words = self._held.of_words(memory.fingerprint)
        if same_words is not None:
            return self._repeated(same_words, memory, "said before, in the same words")
        if takes_back(memory.text) and (taken := self._taken_back(memory)):
            return taken
        if memory.slot is None or memory.kind is FactKind.PLAN:
            # What is planned does not hold yet, so it takes the place of nothing.
            return self._settled(memory, reason) or self._added(memory, reason)
        return self._of_a_slot(memory, reason, corrects=corrects)

    def forget(self, request: Request) -> list[Decision]:
        """Delete what the request surely means. Nothing on doubt: then the one decision says why."""
        meant, doubt = surely_meant(request, self._held)
        if doubt is not None:
            return [Decision(kind=DecisionKind.SKIP, text=request.text, reason=doubt, message_ids=request.message_ids)]
        for memory in meant:
            self._held.remove(memory.id)
            self._changed.pop(memory.id, None)
            if memory.id in self._stored:
                self._deleted.append(memory.id)
        return [
            Decision(
                kind=DecisionKind.DELETE,
                text=DELETED,
                reason="the user asked to forget it",
                memory_id=memory.id,
                message_ids=request.message_ids,
            )
            for memory in meant
        ]

    def _of_a_slot(self, new: Memory, reason: str, *, corrects: bool) -> Decision:
        assert new.slot is not None
        values = self._held.values_of(new.slot)
        place = place_of(new.valid_from, values)
        for known in (*reversed(place.before), *place.after[:1]):
            if same_value(known.slot, new.slot) or refines(known.slot, new.slot):
                return self._same(known, new, place)
        holding = sorted((known for known in values if known.valid_until is None), key=in_time)
        if corrects and holding:
            return self._updated(holding[-1], new, "corrected in so many words", holding[:-1])
        for known in reversed(place.before):
            if refines(new.slot, known.slot) and is_fuller(new, known):
                return self._updated(known, new, "the same, said more exactly")
        return self._placed(new, place, reason)

    def _settled(self, new: Memory, reason: str) -> Decision | None:
        """As the language model has settled a doubt. None where there was none, or the memory has changed since."""
        settled = self._settlement.get(new.fingerprint or "")
        known = self._held.get(settled.known_id) if settled else None
        if settled is None or known is None or known.valid_until is not None or known.text != settled.known_text:
            return None
        match settled.verdict:
            case Verdict.SAME:
                return self._repeated(known, new, f"said before, in other words ({JUDGED})")
            case Verdict.CORRECTED:
                return self._updated(known, new, f"corrected, or told more exactly ({JUDGED})")
            case Verdict.REPLACED if known.valid_from <= new.valid_from:
                return self._placed(new, Place(before=(known,), after=()), reason)
        return None

    def _same(self, known: Memory, new: Memory, place: Place) -> Decision:
        if same_value(known.slot, new.slot) and is_fuller(new, known):
            return self._updated(known, new, "the same, told more fully")
        if adds_nothing(new, known):
            return self._repeated(known, new, "said before, in other words")
        beside = replace(
            new,
            valid_until=known.valid_until,
            superseded_by=known.superseded_by,
            fingerprint=None if known.valid_until else new.fingerprint,
        )
        for memory in place.before:
            if not same_value(memory.slot, new.slot) and memory.id != known.id:
                self._write(ended(memory, new.valid_from, by=new.id, now=new.created))
        return self._added(beside, f"the same as {known.id}, and something beside it")

    def _placed(self, new: Memory, place: Place, reason: str) -> Decision:
        """Among the other values of its slot: the present one, or one of the past."""
        placed, changed = inserted(new, place, now=new.created)
        for memory in (placed, *changed):
            self._write(memory)
        if placed.valid_until is not None:
            why = f"it held until {placed.valid_until.date()}, when {placed.superseded_by} began"
            return _decision(DecisionKind.ADD, placed, new, why)
        if not place.before:
            return _decision(DecisionKind.ADD, placed, new, reason)
        old = place.before[-1]
        why = f"the value changed: {old.id} held until {new.valid_from.date()}"
        return _decision(DecisionKind.SUPERSEDE, placed, new, why, old=old)

    def _updated(self, known: Memory, new: Memory, why: str, others: Iterable[Memory] = ()) -> Decision:
        updated = corrected(known, new)
        self._write(updated)
        self._note_latest(updated, new)
        for memory in others:
            self._write(ended(memory, new.valid_from, by=updated.id, now=new.created))
        for memory_id in known.supersedes if updated.valid_from != known.valid_from else ():
            # What it took the place of held until this began, which is another time now.
            before = self._held.get(memory_id)
            if before is not None:
                until = max(updated.valid_from, before.valid_from)
                self._write(replace(before, valid_until=until, updated=max(new.created, before.updated)))
        return _decision(DecisionKind.UPDATE, updated, new, f"{why}: {known.id}", old=known)

    def _put_right(self, new: Memory, meant: str) -> Decision | None:
        """A day or a number of what was remembered just before, where there is one like it."""
        latest = [known for memory_id in self._latest if (known := self._held.get(memory_id)) is not None]
        told = [known for known in latest if known.valid_until is None and known.speaker == new.speaker]
        readings = [
            (known, whole)
            for known in told
            if new.created - known.updated <= _JUST_BEFORE and (whole := put_right(known, meant, new)) is not None
        ]
        if len(readings) != 1 or self._held.of_words(readings[0][1].fingerprint or "") is not None:
            return None
        return self._updated(*readings[0], "put right in the next message")

    def _taken_back(self, new: Memory) -> Decision | None:
        """What the last remembered message said holds no more. None when nothing is there to be taken back."""
        told = (self._held.get(memory_id) for memory_id in self._latest)
        last = [memory for memory in told if memory is not None and memory.valid_until is None]
        if not last:
            return None
        bare = is_bare(new.text)
        for memory in last:
            # It never held; what it took the place of does again.
            self._write(ended(memory, memory.valid_from, by=None if bare else new.id, now=new.created))
            self._restore(memory, now=new.created)
        why = f"the user took {', '.join(memory.id for memory in last)} back"
        if bare:
            return replace(_decision(DecisionKind.SUPERSEDE, new, new, why, old=last[0]), memory_id=None)
        said = replace(new, supersedes=tuple(memory.id for memory in last))
        self._write(said)
        return _decision(DecisionKind.SUPERSEDE, said, new, why, old=last[0])

    def _restore(self, gone: Memory, *, now: datetime) -> None:
        for memory_id in gone.supersedes:
            before = self._held.get(memory_id)
            if before is None or before.superseded_by != gone.id:
                continue
            words = fingerprint(before.text, before.when)
            free = self._held.of_words(words) is None
            self._write(
                replace(
                    before,
                    valid_until=gone.valid_until,
                    superseded_by=gone.superseded_by,
                    fingerprint=words if free and gone.valid_until is None else None,
                    updated=max(now, before.updated),
                )
            )

    def _repeated(self, known: Memory, new: Memory, why: str) -> Decision:
        repeated = said_again(known, new)
        if repeated != known:
            self._write(repeated)
        self._note_latest(repeated, new)
        return _decision(DecisionKind.NOOP, known, new, f"{why}: {known.id}")

    def _added(self, new: Memory, reason: str) -> Decision:
        self._write(new)
        return _decision(DecisionKind.ADD, new, new, reason)

    def _write(self, memory: Memory) -> None:
        if self._held.get(memory.id) is None:
            self._note_latest(memory, memory)
        self._held.put(memory)
        self._changed[memory.id] = memory

    def _note_latest(self, memory: Memory, told: Memory) -> None:
        """What rests on the message that spoke last is what "that was not me" is about."""
        if told.evidence[:1] != self._latest_message:
            self._latest, self._latest_message = [], told.evidence[:1]
        self._latest.append(memory.id)


def _decision(kind: DecisionKind, kept: Memory, heard: Memory, reason: str, *, old: Memory | None = None) -> Decision:
    return Decision(
        kind=kind,
        text=kept.text,
        reason=reason,
        memory_id=kept.id,
        message_ids=heard.evidence,
        old_id=old.id if old else None,
        old_text=old.text if old else None,
    )
