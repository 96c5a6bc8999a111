"""Does an English question or request tell something about the speaker, or about the speaker's people?

"What should I eat?" tells nothing; "Is it ok that I take Prozac?" does. Asking for what is known already
("What's my name?") is no statement. When it is not sure that nothing is told, something is.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.verbs_en import PREDICATE

_LEAD = r"(?:(?:so|and|but|or|then|also|well|now|hey|please) )*+"
_INVERTED = "am|are|do|does|did|can|could|should|would|will|shall|may|might|must|have|has|had|was|were"
_WH = "what|where|who|whom|whose|when|how|which"

# Lower-case words only: a name or a number in such a question is told with it (Do you remember my dog Rex?).
_THEIRS = r"(?:my|our)(?-i:(?: [a-z]+(?:'s)?){1,3})"
_ASKED_BACK = (
    r"(?:(?:do|can|could|would|will) you (?:still |even |please )?)?"
    r"(?:know|remember|recall|say|guess|tell me|remind me)(?: of| about)?"
)
_KNOWN = re.compile(
    rf"{_LEAD}(?:(?:{_ASKED_BACK} (?:(?:{_WH})(?: old)? )?|(?:{_WH})(?: \w+)?(?:'s|'re| is| are| was| were) ){_THEIRS}"
    rf"|{_ASKED_BACK} (?:{_WH}|if|whether)(?: \w+)? (?:i|we)(?:'m|'ve)?(?-i:(?: [a-z]+){{0,3}}))",
    re.IGNORECASE,
)

_NAME = r"(?-i:[A-Z]\w+)"
_PEOPLE = rf"(?:he|she|they|{_NAME})"
_TOLD = re.compile(
    r"\b(?:my|our|mine|ours|mom|mum|mommy|dad|daddy|grandma|grandpa)\b"
    r"|\b(?:about|of|on|with|for|mind|if|like) (?:me|us) (?:\w+ing|and|as)\b|\b(?:like|as) (?:me|us)\b"
    r"|\b(?:did you (?:know|hear)|(?:can|would) you (?:believe|imagine)|did i (?:tell you|mention))(?: that)? \w+ \w"
    rf"|, (?:and |but |who |because |since )?{_PEOPLE}(?:'\w+ \w| (?:{PREDICATE})\b)"
    r"|, (?:and |but )?(?:he|she|they|who) \w"
    rf"| {_NAME}'s \w|\bnear (?:the )?{_NAME}"
    r"|\bwhy (?!should\b)(?:\w+) (?:i|we)\b|\b(?:i|we) (?:stop|quit|avoid|get rid of)\b"
    r"|\b(?:without \w+|\w+-free|vegan|vegetarian|kosher|halal"
    r"|with (?:an? |two |three |small |young )*(?:kids?|child|children|toddlers?|baby|dogs?|cats?|wheelchair))\b"
    rf"|\b(?:if|because|since|although|while) {_PEOPLE}(?:'\w+)? \w",
    re.IGNORECASE,
)
_SELF = re.compile(r"(?:\b(?P<before>[\w']+) )?\b(?:i|we)\b(?P<after>'\w+| [\w']+)?", re.IGNORECASE)
_BEFORE_SUBJECT = re.compile(rf"(?:{_INVERTED})(?:n't)?", re.IGNORECASE)
_POSSIBLE = re.compile(r" (?:can|could|should|may|might|must|would|shall)", re.IGNORECASE)

_WHETHER = re.compile(
    rf"{_LEAD}(?:{_INVERTED})(?:n't)? (?:i|we)(?:(?: \S+){{4}}|(?: \S+){{0,3}} {_NAME})", re.IGNORECASE
)
_FOR_SELF = re.compile(
    r"\b(?:i|we)\b|\b(?:help|find|get|book|for|near|around) (?:me|us)\b|\b(?:recommend|suggest)\b", re.IGNORECASE
)
_PARTICULAR = re.compile(rf"\d|\b(?:in|at|from|to|near|around) (?:the )?{_NAME}", re.IGNORECASE)
_CIRCUMSTANCE = re.compile(
    r"\b(?:i|we)\b.{0,200}?\b(?:(?:with|against|despite)(?! (?:this|that|it|them|you)\b)"
    r"|for (?!(?:breakfast|lunch|dinner|dessert|tonight|today|tomorrow|this|that|it|you|me|us)\b)|as an?) ?\w",
    re.IGNORECASE,
)


def tells(words: str) -> bool:
    """Whether `words`, which ask for something, hold a statement too."""
    if _KNOWN.fullmatch(words):
        return False
    if _TOLD.search(words) or _states(words) or _WHETHER.match(words):
        return True
    return _FOR_SELF.search(words) is not None and any(p.search(words) for p in (_PARTICULAR, _CIRCUMSTANCE))


def _states(words: str) -> bool:
    """Whether an "I" has a verb that asserts: not "should I", not "the best that I can do"."""
    for found in _SELF.finditer(words):
        asked = found["before"] and _BEFORE_SUBJECT.fullmatch(found["before"])
        possible = found["after"] and _POSSIBLE.fullmatch(found["after"])
        if found["after"] and not asked and not possible:
            return True
    return False
