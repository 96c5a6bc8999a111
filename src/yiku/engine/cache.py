"""Which partition indexes stay in memory, and how a search gets present ones that all belong to one snapshot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import Lock

import structlog

from yiku.engine.index import PartitionIndex
from yiku.engine.snapshot import News
from yiku.model.scopes import Partition

_log = structlog.get_logger()

Place = tuple[Partition, str]
"""A partition and a kind."""


@dataclass(slots=True, eq=False)
class _Slot:
    lock: Lock = field(default_factory=Lock)
    index: PartitionIndex | None = None
    bytes_counted: int = 0

    @property
    def seen(self) -> int:
        return 0 if self.index is None else self.index.seen


class IndexCache:
    """The least recently used go first when all together hold more than `bytes_max`.

    An index larger than that is loaded for each search anew and never kept, and the others stay; the log says so.
    """

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._bytes_held = 0
        self._slots: OrderedDict[Place, _Slot] = OrderedDict()
        self._lock = Lock()

    @property
    def bytes_held(self) -> int:
        return self._bytes_held

    def indexes(
        self,
        partitions: Sequence[Partition],
        kind: str,
        news: Callable[[Mapping[Partition, int], str], Mapping[Partition, News]],
    ) -> list[tuple[Partition, PartitionIndex]]:
        """The indexes of the partitions that exist, just as the snapshot sees them that `news` is about to fix."""
        places = [(partition, kind) for partition in sorted(set(partitions))]
        with ExitStack() as locks:
            slots = [self._slot(place) for place in places]
            # The locks come before the snapshot: else another search could bring an index further than we can see,
            # and a record replaced in between would be missing in both its states. Sorted, so that no two searches
            # wait for each other. States never change, so the next search may go on from them while we still read ours.
            for slot in slots:
                locks.enter_context(slot.lock)
            told = news({place[0]: slot.seen for place, slot in zip(places, slots, strict=True)}, kind)
            if behind := [slot for place, slot in zip(places, slots, strict=True) if _is_behind(told, place, slot)]:
                for slot in behind:
                    slot.index = None
                told = news({place[0]: slot.seen for place, slot in zip(places, slots, strict=True)}, kind)
            return [
                (place[0], index)
                for place, slot in zip(places, slots, strict=True)
                if (index := self._advanced(place, slot, told.get(place[0]))) is not None
            ]

    def _advanced(self, place: Place, slot: _Slot, news: News | None) -> PartitionIndex | None:
        if news is None:
            self._forget(place, slot)
            return None
        # A partition that was dropped and made anew has another number, and nothing of the old one.
        known = slot.index is not None and slot.index.number == news.number
        held = slot.index if slot.index is not None and known else PartitionIndex(news.number, place[1])
        index = held.advanced(news)
        slot.index = index
        if index.worn:
            self._forget(place, slot)
        elif index.bytes_held > self._bytes_max:
            _log.warning(
                "index.larger_than_the_cache", workspace=place[0].workspace, owner=place[0].owner, kind=place[1],
                bytes=index.bytes_held, cache_bytes=self._bytes_max,
            )  # fmt: skip
            self._forget(place, slot)
        else:
            self._count(place, slot, index.bytes_held)
        return index

    def _slot(self, place: Place) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(place, _Slot())
            self._slots.move_to_end(place)
            return slot

    def _count(self, place: Place, slot: _Slot, bytes_now: int) -> None:
        with self._lock:
            if self._slots.get(place) is not slot:
                return
            self._bytes_held += bytes_now - slot.bytes_counted
            slot.bytes_counted = bytes_now
            while self._bytes_held > self._bytes_max:
                _, oldest = self._slots.popitem(last=False)
                self._bytes_held -= oldest.bytes_counted

    def _forget(self, place: Place, slot: _Slot) -> None:
        with self._lock:
            if self._slots.get(place) is slot:
                del self._slots[place]
                self._bytes_held -= slot.bytes_counted


def _is_behind(told: Mapping[Partition, News], place: Place, slot: _Slot) -> bool:
    """Whether the database has gone back to before what we know: it was restored, or we were sent to a standby."""
    news = told.get(place[0])
    return news is not None and news.newest < slot.seen
