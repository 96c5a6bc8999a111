"""Which memories a request to forget surely means. Pure; on doubt none: a person can name an id, nobody can undo it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from yiku.core.memory.extraction.questions_named import ANY_TOPIC
from yiku.core.memory.holdings import SlotKey
from yiku.core.memory.wording import content_terms, denies, holds_in_order, may_name_another, numbers, weight
from yiku.model.memories import Memory
from yiku.model.tokens import index_terms

MEANT_SHARE = 1 / 3
"""A memory is meant when the request names at least this much of what it says: "coffee" is not all of a coffee machine
that somebody's sister bought."""
FORGOTTEN_AT_ONCE = 20
"""More than a person can mean by one sentence about one thing."""

_ASKING = frozenset(
    index_terms("please forget delete erase remove clear wipe memory memories told tell said mentioned everything that")
)
"""What the request says of itself."""

NAMES_NOTHING = "a request to forget that does not say what"
NOTHING_FITS = "a request to forget, but no memory is surely what is meant: delete it by its id"
TOO_MANY = "a request to forget that fits {count} memories: delete them by their ids or by a filter"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """To forget what `words` say, or whatever answers the question `key`, or one of those `also` named."""

    text: str
    words: str
    message_ids: tuple[str, ...]
    key: SlotKey | None = None
    also: tuple[SlotKey, ...] = ()

    def asks_for(self, key: SlotKey) -> bool:
        keys = (*((self.key,) if self.key else ()), *self.also)
        return any(key == named or (named[2] == ANY_TOPIC and key[:2] == named[:2]) for named in keys)


def surely_meant(request: Request, memories: Iterable[Memory]) -> tuple[list[Memory], str | None]:
    """The memories, or why there are none."""
    if request.key is None and not _named(request):
        return [], NAMES_NOTHING
    known = list(memories)
    meant = [memory for memory in known if memory.slot and request.asks_for(memory.slot.key)]
    if not meant or request.key is None or _values_named(request, meant):
        meant = [memory for memory in known if _is_meant(request, memory)]
    meant = _narrowed(request, meant)
    if not meant:
        return [], NOTHING_FITS
    if len(meant) > FORGOTTEN_AT_ONCE:
        return [], TOO_MANY.format(count=len(meant))
    return meant, None


def _named(request: Request) -> frozenset[str]:
    return content_terms(request.words) - _ASKING


def _narrowed(request: Request, meant: list[Memory]) -> list[Memory]:
    """What is said exactly, or is the very value that is named, is meant rather than what else would fit."""
    named = _named(request)
    exact = [memory for memory in meant if content_terms(memory.text) == named]
    return exact or _values_named(request, meant) or meant


def _values_named(request: Request, meant: list[Memory]) -> list[Memory]:
    named = _named(request)
    return [memory for memory in meant if memory.slot and content_terms(memory.slot.value) & named]


def _is_meant(request: Request, memory: Memory) -> bool:
    if memory.slot is not None and request.key is not None:
        if request.asks_for(memory.slot.key):
            return True
        if memory.slot.key[:2] != request.key[:2]:
            return False  # Her sister's telephone number is not hers, nor is a job that she likes her job.
    named, said = _named(request), content_terms(memory.text)
    return (
        bool(named)
        and named <= said
        and weight(named) >= MEANT_SHARE * weight(said)
        and denies(request.words) == denies(memory.text)
        and holds_in_order(numbers(memory.text), numbers(request.words))
        and not may_name_another(request.words, memory.text)
    )
