"""Which question does a message answer? "Berlin." means something only beside "Where do you live?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from yiku.core.memory.extraction.facts import CONFIRMATION
from yiku.core.memory.extraction.fragments import is_short
from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.sentences import clauses, sentences
from yiku.core.memory.extraction.small_talk import small_talk_reason
from yiku.core.memory.extraction.statements import is_complete_statement
from yiku.model.messages import Message

_QUESTION_CHARACTERS = 300
_ASKED = re.compile(r"[?？]\W*$")
_ABOUT_THE_OTHER = re.compile(r"[你您]|\byou(?:r|'re|'ve)?\b", re.IGNORECASE)
_POINTING = re.compile(r"\b(?:it|that|this|there|them|one|so)\b|[它他她这那]", re.IGNORECASE)
# "Yes" to an offer is about this moment, not about the speaker.
_OFFER = re.compile(
    r"\b(?:(?:would|do) you (?:like|want) me to"
    r"|(?:should|shall|can|may|could) i(?! call you)|want me to|anything else)\b"
    r"|(?:需要|要不要|要|想让|希望|想要)我|还(?:需要|有)(?:什么|其他)",
    re.IGNORECASE,
)


def question_before(messages: Sequence[Message], position: int) -> str | None:
    """The question that ends the message before, when somebody else asked it."""
    before = messages[position - 1] if position else None
    if before is None or before.role not in ("user", "assistant") or before.speaker == messages[position].speaker:
        return None
    last = sentences(before.content)[-1:]
    if not last or len(last[0].text) > _QUESTION_CHARACTERS or not _ASKED.search(last[0].text):
        return None
    return None if _OFFER.search(last[0].text) else last[0].text


def answers(sentence: str, question: str) -> bool:
    """A yes or no to a question about the speaker, or a few words that need the question to be understood."""
    if small_talk_reason(sentence) not in (None, CONFIRMATION) or _ASKED.search(sentence):
        return False
    if any(small_talk_reason(clause) == CONFIRMATION for clause in clauses(sentence)):
        return _ABOUT_THE_OTHER.search(question) is not None
    return is_short(sentence) and (_POINTING.search(sentence) is not None or not is_complete_statement(sentence))


def with_question(answer: str, question: str) -> str:
    return f"（被问“{question}”）{answer}" if language_of(question) == "zh" else f'(asked "{question}") {answer}'
