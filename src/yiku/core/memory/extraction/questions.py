"""Is this clause surely a question, and nothing but a question?

A question that tells something (Did you know I have two dogs?) is not left out.
"""

from __future__ import annotations

import re

_LEAD_EN = r"(?:(?:so|and|but|or|then|also|well|now|hey) )?"
_HOLDS_EN = "do|does|did|can|could|should|would|will"
_PERSON_EN = "i|you|we|he|she|they|it|there|this|that|these|those|the|your|my|anyone|anybody|someone"
_ASKING_EN = re.compile(
    rf"{_LEAD_EN}(?:(?:what|where|when|why|who|whom|which|how) (?:{_HOLDS_EN}) (?:{_PERSON_EN})\b"
    rf"|(?:{_HOLDS_EN}|are|is|have|has)(?:n't)? (?:you|anyone|anybody|there)\b"
    r"|any (?:tips|ideas?|suggestions?|recommendations?|advice|thoughts)$)",
    re.IGNORECASE,
)
_TELLING_EN = re.compile(
    r"(?:did you know|(?:can|would) you believe|did i (?:tell you|mention))(?: that)? (?:i\b|i'|my \w+ \w+ )"
    r"|.*\b(?:because|since|given that|now that|although|even though|if|when|while) i(?:'m|'ve| am| have| was| just)\b",
    re.IGNORECASE,
)
_STATEMENT_EN = re.compile(r"(?:(?:and|but|so|because) )?(?:I(?:['’]\w+)?|[Mm]y) \w+ ")

_WHICH_ZH = "什么时候|什么|怎么样|怎么办|怎么|怎样|为什么|为啥|谁|哪里|哪儿|哪|多少|几点|如何|是否|能否"
_WHETHER_ZH = "有没有|是不是|能不能|可不可以|会不会|要不要"
_ASKING_ZH = re.compile(
    rf"(?:请问|我?想(?:请教|问)|问一?下|(?:那么?|所以|另外|又)?[你您我]?(?:该|应该|要|能)?(?:{_WHICH_ZH}|{_WHETHER_ZH}))"
    rf"|.*(?:吗|[^什怎那这要多]么|(?:{_WHICH_ZH})(?:呢|啊|呀)?)$"
)
_INDEFINITE_ZH = re.compile("都|也|不知道|无论|不管|没什么|没有什么|没怎么|不怎么|忘了|记不|随便")
_TELLING_ZH = re.compile(
    rf"(?!.*是不是).*不是.{{2,40}}吗$|[你您]知道我(?!.*(?:{_WHICH_ZH}))|.*(?:因为|由于|既然|虽然|毕竟)我|我(?!该|应该|要|能|可以).{{3,}}[怎咋]么?办"
)


def is_question(clause: str, *, marked: bool) -> bool:
    """`marked` says that a question mark ends the clause; without one, its form alone must be sure."""
    words = clause.strip(" \t，,。.？?！!~～").replace("’", "'")
    if _TELLING_EN.match(words) or _TELLING_ZH.match(words):
        return False
    if _ASKING_EN.match(words):
        return True
    if marked:
        return not _STATEMENT_EN.match(words)
    return _ASKING_ZH.match(words) is not None and not _INDEFINITE_ZH.search(words)
