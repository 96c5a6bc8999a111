"""Can an English sentence be told about its speaker in the third person, and how?

Every verb that follows an "I" must be known; otherwise the answer is None and the sentence keeps its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from yiku.core.memory.extraction.quotations import quotes_a_person
from yiku.core.memory.extraction.verbs_en import ADVERBS, AUXILIARIES, WOULD, is_base_form, third_person_of

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[\W\d_]+")
_SELF = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:you|yours?|yoursel\w+|you['’]\w+|ya|(?-i:u)|ur|we|(?-i:us)|our|ours|ourselves|lets|y'all|let['’]s|oh my)\b",
    re.IGNORECASE,
)
_THIRD_PERSONS = re.compile(r"\b(?:he|him|his|she|her|hers|they|them|their|theirs)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:btw|by the way|oh|well|so|and|also|anyways?|plus|but|hey|yeah|haha|hmm|um|fyi),? )+(?=i\b|my\b)",
    re.IGNORECASE,
)
"""Words that tie a sentence to the talk, and mean nothing beside it."""
_TELLING_START = re.compile(r"\W*(?:my|it|that|this|these|those|they|he|she|there)\b", re.IGNORECASE)
_JOINED = re.compile(r"(?:\b(?:and|or|but|then)|,)\s+(?:(?:also|just|still|[a-z]+ly)\s)?([a-z']+)", re.IGNORECASE)
_CONTRACTIONS = {"i'm": "is", "i've": "has", "i'll": "will"}


def in_third_person(sentence: str, subject: str) -> str | None:
    """'I like my coffee' is 'The user likes their coffee'. None when a verb or a pronoun is not sure."""
    if not mentions_speaker(sentence) or _OTHERS.search(sentence) or quotes_a_person(sentence):
        return None
    words = _WORD.findall(_LEAD.sub("", sentence.replace("’", "'")))
    subjects = [index for index, word in enumerate(words) if word.lower() == "i" or word.lower().startswith("i'")]
    if not subjects and not _TELLING_START.match(sentence):
        return None
    retold = _with_predicates(words, subjects, subject)
    if retold is None:
        return None
    text = "".join(_with_pronouns(retold, subject, short=bool(subjects) and not _THIRD_PERSONS.search(sentence)))
    return text[0].upper() + text[1:]


def mentions_speaker(sentence: str) -> bool:
    return _SELF.search(sentence) is not None


def _with_predicates(words: Sequence[str], subjects: Sequence[int], subject: str) -> list[str] | None:
    """`words` with every "I" and its verb changed, or None when one of the verbs is not sure."""
    retold = list(words)
    sentence = "".join(words)
    conjugated = False
    for index in subjects:
        predicate = _predicate(words, index, sentence)
        if predicate is None:
            return None
        verb, form = predicate
        conjugated = conjugated or form != words[verb].lower()
        if verb == index:
            retold[index] = f"{subject} {form}"
        else:
            retold[index], retold[verb] = subject, form
    # "I cook and bake": the second verb would have to change too, and might be a noun.
    if conjugated and any(is_base_form(word.lower()) for word in _JOINED.findall(sentence)):
        return None
    return retold


def _predicate(words: Sequence[str], index: int, sentence: str) -> tuple[int, str] | None:
    """Where the verb of the "I" at `index` stands, and its form in the third person. "I'm" is its own verb."""
    word = words[index].lower()
    if word in _CONTRACTIONS:
        return index, _CONTRACTIONS[word]
    verb = _next_word(words, index)
    if word == "i'd":
        return (index, "would") if verb and words[verb].lower() in WOULD else None
    while verb and words[verb].lower() in ADVERBS:
        verb = _next_word(words, verb)
    form = third_person_of(words[verb].lower(), sentence) if verb and word == "i" else None
    if verb is None or form is None or not _may_be_subject(words, index, unchanged=form == words[verb].lower()):
        return None
    return verb, form


def _next_word(words: Sequence[str], index: int) -> int | None:
    return index + 2 if index + 2 < len(words) and words[index + 1] == " " else None


def _may_be_subject(words: Sequence[str], index: int, *, unchanged: bool) -> bool:
    """Whether "I" is a subject of its own: not "should I", not "my wife and I", not "World War I"."""
    if index < 2 or words[index - 1] != " ":
        return True
    before = words[index - 2]
    if before.lower() in AUXILIARIES or (before.lower() in ("and", "or", "nor") and not unchanged):
        return False
    return index == 2 or before.islower() or before.endswith("day")


def _with_pronouns(words: Sequence[str], subject: str, *, short: bool) -> list[str]:
    """`short` says that "their" can mean nobody but the speaker; before the first "I" it would point at nothing."""
    owner = f"{subject}'s"
    pronouns = {"me": subject, "myself": "themselves", "mine": owner, "my": owner}
    retold = []
    for word in words:
        retold.append(pronouns.get(word.lower(), word))
        if short and word.startswith(subject):
            pronouns["my"] = "their"
    return retold
