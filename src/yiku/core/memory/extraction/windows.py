"""Which parts of a conversation does a language model read at once?

One window, and so one call, for every ordinary add. Longer conversations are split where a message ends, and messages
that are longer than a window by themselves where a line ends, or else anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yiku.model.messages import Message

WINDOW_CHARACTERS = 24_000
"""About 6,000 tokens of English and 14,000 of Chinese: room in every current model, and still read with attention."""
WINDOW_MESSAGES = 200
"""Short messages hold facts too, and one answer has room for so many only."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said in the message at `position`, or a part of it."""

    position: int
    message: Message
    text: str


Window = tuple[Utterance, ...]


def windows(utterances: Sequence[Utterance]) -> Iterator[Window]:
    """All of it in order, in as few windows as the bounds allow."""
    window: list[Utterance] = []
    characters = 0
    for utterance in (part for whole in utterances for part in _parts(whole)):
        full = characters + len(utterance.text) > WINDOW_CHARACTERS or len(window) == WINDOW_MESSAGES
        if window and full:
            yield tuple(window)
            window, characters = [], 0
        window.append(utterance)
        characters += len(utterance.text)
    if window:
        yield tuple(window)


def _parts(utterance: Utterance) -> Iterator[Utterance]:
    text = utterance.text
    while len(text) > WINDOW_CHARACTERS:
        line_end = text.rfind("\n", WINDOW_CHARACTERS // 2, WINDOW_CHARACTERS)
        cut = line_end + 1 if line_end > 0 else WINDOW_CHARACTERS
        yield Utterance(utterance.position, utterance.message, text[:cut])
        text = text[cut:]
    yield Utterance(utterance.position, utterance.message, text)
