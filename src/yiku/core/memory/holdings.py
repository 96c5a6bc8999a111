"""The memories that a digest knows of, found by their words and by their slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from yiku.model.facts import FactKind, Slot
from yiku.model.memories import Memory

SlotKey = tuple[str, str, str | None]


class Holdings:
    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        self._by_id: dict[str, Memory] = {}
        self._by_words: dict[str, str] = {}
        self._by_slot: dict[SlotKey, dict[str, None]] = {}
        for memory in memories:
            self.put(memory)

    def __iter__(self) -> Iterator[Memory]:
        return iter(tuple(self._by_id.values()))

    def get(self, id: str) -> Memory | None:
        return self._by_id.get(id)

    def put(self, memory: Memory) -> None:
        """Add a memory, or replace it by what has become of it."""
        self.remove(memory.id)
        self._by_id[memory.id] = memory
        if memory.fingerprint:
            self._by_words[memory.fingerprint] = memory.id
        if memory.slot:
            self._by_slot.setdefault(memory.slot.key, {})[memory.id] = None

    def remove(self, id: str) -> None:
        memory = self._by_id.pop(id, None)
        if memory is None:
            return
        if memory.fingerprint and self._by_words.get(memory.fingerprint) == id:
            del self._by_words[memory.fingerprint]
        if memory.slot:
            del self._by_slot[memory.slot.key][id]

    def of_words(self, fingerprint: str) -> Memory | None:
        return self._by_id.get(self._by_words.get(fingerprint, ""))

    def values_of(self, slot: Slot) -> list[Memory]:
        """What is and was the answer to the slot's question; a plan is no answer yet."""
        held = (self._by_id[memory_id] for memory_id in self._by_slot.get(slot.key, ()))
        return [memory for memory in held if memory.kind is not FactKind.PLAN]
