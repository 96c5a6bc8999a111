"""What kind of fact is this English sentence, where no slot says so?"""

from __future__ import annotations

import re

from yiku.core.memory.extraction import roles
from yiku.model.facts import FactKind

_INSTRUCTION = re.compile(
    r"(?:(?:and|also|so|ok|okay|hey|btw|oh),? )*+(?:please,? )?(?:(?:can|could|would"
    r"|will) you (?:please )?|i(?:'d| would) (?:like|prefer) (?:it )?(?:if )?you (?:to )?"
    r"|i (?:want|need) you to )?(?:please )?"
    r"(?:always|never|from now on|going forward|in (?:the )?future|from here on|don't|do not|stop"
    r"|(?:you can |just )*call me"
    r"|whenever|every time|keep (?:it|your|answers|replies|responses)"
    r"|be (?:brief|concise|more|less)|(?:answer|reply|respond|speak|write|talk)(?: to me)? (?:in|only"
    r"|briefly|with)|use (?:metric|celsius|bullet|simple|short|formal|informal|british|american|24))\b",
    re.IGNORECASE,
)
_NO_INSTRUCTION = re.compile(
    r"(?:don't|do not) (?:know|think|worry|forget|get me wrong|mind|remember)\b|never (?:mind|been|had|did)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|won't|going to|gonna|plan(?:s|ning)? (?:to|on|a|for|my|our)|hop(?:e|ing) to|intend to"
    r"|want to|wants to|need to|have to|would like to|'d (?:like|love) to|would love to|thinking (?:of"
    r"|about)"
    r"|considering|looking forward to|can't wait to|(?:am|'m|are|'re"
    r"|is) (?:\w+ ){0,2}\w+ing\b.{0,60}\b(?:tomorrow|tonight|next|soon|later|on \w+day|this (?:week|month"
    r"|year|summer|fall|winter|spring|\w+day)|in (?:\w+ )?(?:days|weeks|months|january|february|march"
    r"|april|may|june|july|august|september|october|november|december))"
    r"|remind me|tomorrow|next (?:week|month|year|\w+day)|(?:book|reserve|schedule|order)(?:ed"
    r"|d)?\b.{0,40}\bfor)\b|'ll\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:deployed|runs on|stack is|doesn't speak|don't speak|can't speak|work(?:s)? from home"
    r"|is (?:still )?(?:a )?(?:vegan|vegetarian))\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:lik(?:e|es)|loves?|enjoys?|prefers?|hates?|dislikes?|adores?|favou?rite|can't stand|fan of"
    r"|(?:am|'m|are|'re|is|'s) into|always (?:book|order|choose|pick|take|get|buy|sit)|fond of|rather"
    r"|(?:i|we) eat|eats|drinks|don't (?:eat|drink)|never (?:eat|drink)|allergic|keen on)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?:yesterday|ago|last (?:night|week|month|year|weekend|\w+day)|this morning|earlier today|just"
    r"|recently|once|finally"
    r"|was|were|went|(?<!'ve )(?<!have )(?<!has )got|had|did|came|saw|met|took|made|bought|ate|ran|won"
    r"|lost|left|told|said|found|gave|felt|began|drove|flew|broke|caught|wrote|spent|sold|taught|fell"
    r"|sent|started|finished|(?!married|tired|interested|bored|excited|scared|worried|retired|divorced"
    r"|engaged|stressed)\w{2,}[^e\W]ed|moved|used to|ha(?:ve|s) (?:been|gone|done|had|\w+ed))\b|'ve been\b",
    re.IGNORECASE,
)
_RELATION = re.compile(
    rf"\b(?:my|our) (?:\w+ )?(?:{roles.ENGLISH}|kids?|children|friend|best friend|cousin|aunt|uncle|niece"
    r"|nephew|roommate|flatmate|neighbou?r|colleague|coworker|co-worker|parents|family|cat|dog|cats|dogs"
    r"|puppy|pet)\b"
    rf"|\b(?:have|has|'ve got) (?:\w+ ){{1,2}}(?:{roles.ENGLISH}|kids|children|sons|daughters|brothers"
    r"|sisters|siblings|cats|dogs|cousins|cat|dog|puppy|kitten)\b|\bis my\b",
    re.IGNORECASE,
)
_PROFILE = re.compile(
    r"\b(?:i|we)(?:'m| am| are|'re|'ve)? (?:\w+ )?(?:an?|from|in|have|has|had|work|live|use|speak|study"
    r"|run|own|drive|play|teach|go|usually|always|never|often|weigh|wear|take|wake|get|born|single|married"
    r"|vegetarian|vegan)\b"
    r"|\bmy \w+|\bi'm\b|\bi am\b|\bevery (?:day|morning|night|week|month|evening|weekend|\w+day)\b",
    re.IGNORECASE,
)


def is_instruction(words: str) -> bool:
    """Whether the assistant is told how to behave from now on."""
    plain = words.replace("’", "'")
    match = _INSTRUCTION.match(plain)
    return match is not None and not _NO_INSTRUCTION.search(plain)


def kind_of(words: str) -> FactKind:
    plain = words.replace("’", "'")
    if is_instruction(plain):
        return FactKind.INSTRUCTION
    for pattern, kind in (
        (_STATE, FactKind.PROFILE),
        (_PLAN, FactKind.PLAN),
        (_PREFERENCE, FactKind.PREFERENCE),
        (_EVENT, FactKind.EVENT),
        (_RELATION, FactKind.RELATION),
        (_PROFILE, FactKind.PROFILE),
    ):
        if pattern.search(plain):
            return kind
    return FactKind.STATEMENT
