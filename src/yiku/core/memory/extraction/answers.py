"""Which question does a message answer? "Berlin." means something only beside "Where do you live?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from yiku.core.memory.extraction.facts import CONFIRMATION
from yiku.core.memory.extraction.fragments import is_short
from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.reactions import is_reaction
from yiku.core.memory.extraction.sentences import clauses, sentences
from yiku.core.memory.extraction.slots import normalised
from yiku.core.memory.extraction.small_talk import small_talk_reason
from yiku.core.memory.extraction.statements import is_complete_statement
from yiku.model.facts import Slot
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
# Questions whose answer, said in a few words, is the value of a slot.
_VALUES = tuple(
    (attribute, re.compile(asked, re.IGNORECASE))
    for attribute, asked in (
        ("home", r"where (?:do you|are you) (?:live|living|based)|[你您](?:现在|目前)?住(?:在)?(?:哪|什么地方)"),
        ("name", r"what(?:'s| is) your (?:full |first )?name|[你您](?:叫什么|贵姓|的名字)|怎么称呼"),
        ("age", r"how old are you|[你您](?:今年)?(?:多大|几岁|的年龄)"),
        ("job", r"what do you do\b(?! (?:for fun|in|on|at|when))|what(?:'s| is) your (?:job|profession)"),
        ("job", r"[你您](?:是)?做什么(?:工作|的)"),
        ("employer", r"where do you work|[你您](?:现在)?在哪(?:里|儿|家公司)?(?:上班|工作)"),
        ("hometown", r"where are you from|[你您](?:是哪里人|老家在哪)"),
        ("birthday", r"when(?:'s| is) your birthday|[你您](?:的)?生日(?:是)?(?:哪|几|什么)"),
    )
)
_VALUE_CHARACTERS = 40
_MORE = re.compile(r"[,，、]|\b(?:and|or|not|no)\b|[不没和]", re.IGNORECASE)
_FILLER = re.compile(
    r"^(?:(?:well|oh|i'm|i am|it's|it is|in|at|from|as|currently|just|an?|my name is|是|在|叫|我|今年"
    r"|就)[,， ]*)*+|(?:岁|了|的|years old)$",
    re.IGNORECASE,
)


def slot_of_answer(answer: str, question: str, speaker: str | None) -> Slot | None:
    """What a bare answer fills: "Berlin." after "Where do you live?"."""
    value = _FILLER.sub("", answer.replace("’", "'").strip(" .。!！"))
    bare = 0 < len(value) <= _VALUE_CHARACTERS and len(value.split()) <= 4 and not _MORE.search(value)
    attribute = next((name for name, asked in _VALUES if asked.search(question.replace("’", "'"))), None)
    if not bare or attribute is None or (attribute == "age" and not any(map(str.isdigit, value))):
        return None
    return Slot(subject=speaker or "user", attribute=attribute, value=normalised(value))


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
    if _ABOUT_THE_OTHER.search(question) is None and all(_says_nothing(clause) for clause in clauses(sentence)):
        return False
    return is_short(sentence) and (_POINTING.search(sentence) is not None or not is_complete_statement(sentence))


def _says_nothing(clause: str) -> bool:
    return small_talk_reason(clause) is not None or is_reaction(clause)


def with_question(answer: str, question: str) -> str:
    return f"（被问“{question}”）{answer}" if language_of(question) == "zh" else f'(asked "{question}") {answer}'
