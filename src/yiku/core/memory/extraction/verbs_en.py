"""Which English verb forms can follow "I", and what are they in the third person?

A closed list: a word that is not here may be a noun or another language, and then nothing is changed. Where a verb
does not show its tense ("I read"), the rest of the sentence must.
"""

from __future__ import annotations

import re


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
    "arose ate awoke became began bent bit bled blew bore bought bound bred broke brought built came caught chose "
    "clung crept dealt drank dreamt drew drove dug fed fell felt fled flew flung foresaw forgave forgot fought found "
    "froze gave got grew ground had heard held hid hung kept knew laid lay leapt learnt led left lent lit lost made "
    "meant met mistook misunderstood outgrew overate overcame oversaw paid ran rang redid rewrote rode rose said sang "
    "sank sat saw sent shone shook shot showed shrank slept slid sold sought spent spilt spoke sprang spun stank "
    "stole stood strode strove struck stuck stung swam swept swore swung taught thought threw told took tore "
    "understood undertook underwent undid upheld went withdrew woke won wore wove wrote"
)
_PRESENTS = _words(
    "accept add admire adore agree aim apply appreciate argue arrive ask assume attend avoid bake bathe become begin "
    "believe belong bike borrow breathe bring browse build buy call cancel care carry celebrate change cheer choose "
    "clean climb coach code collaborate collect combine come communicate commute compete complain complete compose "
    "concentrate confirm consider contribute convert cook cough counsel crave create crochet cry cycle dance deal "
    "dedicate deliver depend deserve design develop disagree discover discuss dislike divide donate download draw "
    "dream drink drive earn eat educate embrace encourage engage enjoy ensure envy examine exercise expect experiment "
    "explain explore face fast fear feel find finish fish fix fly follow forget foster gain garden gather get give "
    "grill grind grow guess handle happen hate hear help hike hold hope host hunt identify ignore imagine import "
    "improve include inspire install intend interpret invest jog join juggle jump kayak keep knit know lack lead "
    "learn lecture lend lie lift like listen live look lose love maintain make manage master mean measure meditate "
    "meet mend mentor miss move mow need negotiate occupy offer operate organise organize oversee owe own paint park "
    "participate pay perform photograph pick plan play pour practice practise pray prefer prepare preside produce "
    "program protect provide publish pull push quilt raise realize receive recommend recover recycle reduce refuse "
    "regret rehearse relate relax rely remember renovate rent repair replace represent require research resent resist "
    "respect ride run sail save say sculpt see seem sell send serve settle sew share shave shop shower sing sit skate "
    "ski skip sleep smoke snore snowboard speak specialise specialize spend stand start stay stick stream stretch "
    "strive struggle study subscribe suffer suggest support surf suspect swear sweat swim switch tackle take talk "
    "teach tend thank think thrive trail train translate travel treasure treat trek trust try tutor type understand "
    "update use value vape visit volunteer wake walk want wash watch wear weigh welcome win wish wonder work worry "
    "worship wrestle write yearn"
)
_TENSELESS = _words(
    "bet broadcast burst cast cost cut hit hurt let put quit read reset set shed shut split spread upset"
)
_PAST = re.compile(
    r"\b(?:yesterday|ago|last (?:\w+day|night|week|weekend|month|year|spring|summer|autumn|fall|winter)|once(?! a\b)"
    r"|finally|recently|in (?:19|20)\d\d|was|were|did|had|just)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:always|usually|often|sometimes|rarely|never|regularly|daily|(?:every|each) \w+|(?:once|twice) a \w+)\b",
    re.IGNORECASE,
)
_NOT_PAST = _words("need feed bleed speed seed proceed succeed exceed breed embed shed wed heed weed indeed")


def _with_s(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


_OF_ANYBODY = ["is", "are", "was", "were", "has", "have", "had", "will", "can", "[a-z]+n't", "[a-z]+ed"]
PREDICATE = "|".join([*_OF_ANYBODY, *map(_with_s, sorted(_PRESENTS | _TENSELESS))])
"""What surely is a verb after the name of somebody else, as an alternation."""


def third_person_of(verb: str, sentence: str = "") -> str | None:
    """The form of `verb`, as it follows "I" in `sentence`, for a third person; None when that is not sure."""
    if verb in _TENSELESS:
        past, present = _PAST.search(sentence) is not None, _PRESENT.search(sentence) is not None
        return (verb if past else _with_s(verb)) if past != present else None
    if verb in _CHANGED:
        return _CHANGED[verb]
    if verb in _MODALS or verb in _IRREGULAR_PASTS:
        return verb
    if verb in _PRESENTS:
        return _with_s(verb)
    return verb if len(verb) > 3 and verb.endswith("ed") and verb not in _NOT_PAST else None


def is_base_form(word: str) -> bool:
    """Whether `word` would have to change together with a verb it is joined to: "I cook and bake"."""
    return word in _PRESENTS or word in _CHANGED or word in _TENSELESS
