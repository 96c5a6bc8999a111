"""Which English verb forms can follow "I", and what are they in the third person?

A closed list: a word that is not here may be a noun, another language or a verb whose tense cannot be seen ("I read",
"I put"), and then nothing is changed.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AUXILIARIES = _words(
    "am are is was were do does did don't didn't have has had can could should would will shall may might must"
)
ADVERBS = _words(
    "really always never just also still usually often finally recently currently already actually once only now "
    "sometimes even definitely probably totally simply mostly rarely generally normally typically occasionally "
    "truly absolutely particularly especially then both first originally previously lately honestly mainly "
    "regularly"
)
WOULD = _words("love like rather prefer be say appreciate hate probably")
"""What follows "I'd" when it stands for "I would"; before anything else it may stand for "I had"."""

_CHANGED = {
    "am": "is",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "go": "goes",
}
_MODALS = _words(
    "can can't cannot could couldn't will won't would wouldn't should shouldn't may might must mustn't shall was "
    "wasn't had hadn't did didn't used"
)
_IRREGULAR_PASTS = _words(
    "ate became began bought broke brought built caught chose came drank drew drove fell felt forgot fought found "
    "flew gave got grew had heard held kept knew led left lost made meant met paid ran rode rose said sang sat "
    "saw sent slept sold spent spoke stood stole swam taught thought threw told took understood woke won wore "
    "went wrote bit bled blew dealt dreamt dug fed froze hid hung laid learnt lent lit overcame shook shot showed "
    "spun stuck struck swore tore underwent withdrew"
)
_PRESENTS = _words(
    "accept add admire adore agree aim appreciate argue attend avoid bake believe belong bike bring build buy "
    "call care carry celebrate change clean climb coach collect come commute consider cook crave create cycle "
    "dance deal design develop dislike dream drink drive earn eat enjoy exercise expect face fear feel find fish "
    "fly follow forget garden get give grow guess handle hate hear help hike hold hope imagine intend invest jog "
    "join keep know lack lead learn lift like listen live look love make manage mean meditate mentor miss need "
    "offer own paint pay plan play practice practise prefer pray produce program raise realize recommend regret "
    "remember rent require ride run say see seem sell send share shop sing skate ski sleep smoke speak spend "
    "start stay struggle study suffer suggest support surf swim take talk teach tend thank think train translate "
    "travel treat trust try understand use value visit volunteer wake walk want watch wear weigh wish wonder work "
    "worry write"
)
_NOT_PAST = _words("need feed bleed speed seed proceed succeed exceed breed embed shed wed heed weed indeed")


def third_person_of(verb: str) -> str | None:
    """The form of `verb`, as it follows "I", for a third person; None when the word is not surely such a verb."""
    if verb in _CHANGED:
        return _CHANGED[verb]
    if verb in _MODALS or verb in _IRREGULAR_PASTS:
        return verb
    if verb in _PRESENTS:
        return _with_s(verb)
    return verb if len(verb) > 3 and verb.endswith("ed") and verb not in _NOT_PAST else None


def is_base_form(word: str) -> bool:
    """Whether `word` would have to change together with a verb it is joined to: "I cook and bake"."""
    return word in _PRESENTS or word in _CHANGED


def _with_s(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
