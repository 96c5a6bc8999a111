"""What a commit comes to: which rows go, which come, and with which numbers. Pure: the database is asked before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from yiku.engine.records import PreparedPut
from yiku.engine.times import expiry
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.records import Expectation, Ref


@dataclass(frozen=True, slots=True)
class Held:
    """A row that is stored; `fields` is its JSON."""

    sequence: int
    version: int
    expires: int
    unique_key: str | None
    fields: str


@dataclass(frozen=True, slots=True)
class Insert:
    sequence: int
    version: int
    put: PreparedPut


@dataclass(frozen=True, slots=True)
class Tombstone:
    """`id` is None when another row replaced the old one."""

    sequence: int
    kind: str
    id: str | None
    old_sequence: int


@dataclass(slots=True)
class Draft:
    """The partition as the commits leave it. `held` are the stored rows that they may touch; `last` is the last
    sequence number that was given out."""

    number: int
    last: int
    now: int
    made: bool = False
    """Whether the open transaction has made the partition."""
    held: dict[Ref, Held] = field(default_factory=dict)
    inserts: dict[Ref, Insert] = field(default_factory=dict)
    erased: list[tuple[str, Held]] = field(default_factory=list)
    tombstones: list[Tombstone] = field(default_factory=list)
    key_holders: dict[Ref, Ref] = field(default_factory=dict)
    """Of each unique key, with its kind, the record that had it last; it may be gone by now."""

    def __copy__(self) -> Draft:
        return Draft(
            self.number,
            self.last,
            self.now,
            self.made,
            dict(self.held),
            dict(self.inserts),
            list(self.erased),
            list(self.tombstones),
            dict(self.key_holders),
        )

    def hold(self, ref: Ref, held: Held) -> None:
        """A row that is stored: what was found of those that were asked for."""
        self.held[ref] = held
        if held.unique_key is not None:
            self.key_holders[Ref(ref.kind, held.unique_key)] = ref

    def check(self, expectations: Iterable[Expectation]) -> None:
        for expectation in expectations:
            version = self._version(expectation.ref)
            if version == 0 or version != expectation.version:
                raise Conflict

    def delete(self, refs: Iterable[Ref]) -> None:
        for ref in refs:
            self._erase(ref, deleted=True)

    def put(self, puts: Sequence[PreparedPut]) -> None:
        for put in puts:
            ref = Ref(put.record.kind, put.record.id)
            version = self._version(ref) + 1
            self._erase(ref, deleted=False)
            if put.record.unique_key is not None:
                self._take_key(put.record.unique_key, ref)
            self.inserts[ref] = Insert(self._next(), version, put)

    def _version(self, ref: Ref) -> int:
        insert = self.inserts.get(ref)
        if insert is not None:
            return insert.version if self._lives(insert) else 0
        held = self.held.get(ref)
        return held.version if held is not None and held.expires > self.now else 0

    def _erase(self, ref: Ref, *, deleted: bool) -> None:
        insert = self.inserts.pop(ref, None)
        held = self.held.pop(ref, None)
        if held is not None:
            self.erased.append((ref.kind, held))
            self.tombstones.append(Tombstone(self._next(), ref.kind, ref.id if deleted else None, held.sequence))
        elif insert is not None and deleted:
            # Put by an earlier commit of the group: whoever follows the partition must not wait for it.
            self.tombstones.append(Tombstone(self._next(), ref.kind, ref.id, insert.sequence))

    def _take_key(self, unique_key: str, ref: Ref) -> None:
        """Refuse a key that another record holds; one that has expired is as good as gone, and goes."""
        key = Ref(ref.kind, unique_key)
        holder = self.key_holders.get(key)
        if holder is not None and self._key_of(holder) == unique_key:
            if self._version(holder) > 0:
                raise KeyTaken(kind=ref.kind, unique_key=unique_key, holder_id=holder.id)
            self._erase(holder, deleted=True)
        self.key_holders[key] = ref

    def _key_of(self, ref: Ref) -> str | None:
        """Of the row as it is by now; None when there is none."""
        insert, held = self.inserts.get(ref), self.held.get(ref)
        return insert.put.record.unique_key if insert is not None else held.unique_key if held is not None else None

    def _lives(self, insert: Insert) -> bool:
        return expiry(insert.put.record.expires) > self.now

    def _next(self) -> int:
        self.last += 1
        return self.last
