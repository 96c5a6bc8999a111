"""Are several things said of one subject at once, each of which can be withdrawn by itself?

我喜欢苹果、香蕉和梨 is three likings: 不喜欢香蕉了 takes the place of one of them. A list is taken apart only where
every item, said alone, fills the same slot about another topic; "rock and roll" and "my sister and her dog" stay whole.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.slots import NO, normalised
from yiku.core.memory.extraction.structure import slot_in
from yiku.model.facts import Slot

_LISTED = frozenset({"likes", "allergy", "diet", "languages", "health", "tools"})
_ITEMS_MAX = 12
_SUFFIX_CHARACTERS = 4
_JOINT_ZH = re.compile(
    r"、|[，,]?(?:以及|还有)|(?<![温柔饱随缓暖平谦祥共总调亲])和(?![平服谐声弦尚风煦睦解]|牛(?![奶肉羊]))"
)
_JOINT_EN = re.compile(r",? (?:and|or|nor) |, ", re.IGNORECASE)
_ONE_OF = re.compile(r" n?or |或")
_ONE_THING_EN = re.compile(
    r"\b(?:rock and roll|mac and cheese|fish and chips|salt and (?:vinegar|pepper)|peanut butter and jelly"
    r"|gin and tonic|arts and crafts|bed and breakfast|cookies and cream|ham and (?:cheese|eggs)|drum and bass"
    r"|country and western|black and white|hide and seek|bread and butter|dungeons and dragons|bacon and eggs"
    r"|rhythm and blues|sweet and sour|peace and quiet|rice and beans|wine and cheese|meat and potatoes)\b",
    re.IGNORECASE,
)
_ENJOYED = re.compile(
    r"(?:喝|吃|看|听|玩|打|踢|弹|逛)$|\b(?:(?:to )?(?:drink|eat|watch|play|read|listen to|do|go)"
    r"|drinking|eating|watching|playing|reading|listening to|doing|going) $",
    re.IGNORECASE,
)
"""Belongs to the first item alone: 看电影、旅游 are two things to like, and nobody watches travelling."""
_NO_ITEM_EN = re.compile(
    r"(?:no|not|without|with|plus|its?|his|her|hers|their|our|your|my|all|every|most|sometimes|often|usually|always|never|also|so|then|am|is|are"
    r"|was|were|be|have|has|had|do|does|did|can|can't|will|would|don't|doesn't|want|need|think|eat|eats|drink|drinks"
    r"|live|lives|work|works|hate|hates|love|loves|like|likes|enjoy|enjoys|play|plays|go|goes|use|uses|speak|speaks"
    r"|prefer|prefers|take|takes|get|gets|make|makes|try|avoid|stay|feel|know|wish|hope|plan|just|only|more|even"
    r"|other|others|such|things?|stuff|similar|related|anything|everything|etc)\b"
)
_WORDS_OF_AN_ITEM = 3


def items_in(statement: str, speaker: str | None) -> list[str]:
    """`statement` once for each item of its list; itself where it has none."""
    chinese = language_of(statement) == "zh"
    joint = _JOINT_ZH if chinese else _JOINT_EN
    parts = joint.split(statement.rstrip(" .。!！"))
    if not 1 < len(parts) <= _ITEMS_MAX or (not chinese and _ONE_THING_EN.search(statement)):
        return [statement]
    longest = min(_SUFFIX_CHARACTERS, len(parts[-1]) - 1) if chinese else 0
    for cut in range(longest + 1):
        suffix = parts[-1][len(parts[-1]) - cut :]
        if told := _each(parts, suffix, speaker, chinese=chinese):
            slot = slot_in(told[0], speaker)
            return told if _all_of_them(statement, slot) else [statement]
    return [statement]


def _all_of_them(statement: str, slot: Slot | None) -> bool:
    """ "No pork or beef" is none of both; "tea or coffee" is either, which nobody can tell apart."""
    return slot is not None and (slot.value in (NO, "dislike") or not _ONE_OF.search(statement))


def _each(parts: list[str], suffix: str, speaker: str | None, *, chinese: bool) -> list[str]:
    """One statement an item, all about one question and different topics. Empty where that is not so."""
    first = parts[0] + suffix
    slot = slot_in(first, speaker)
    if slot is None or slot.topic is None or slot.attribute not in _LISTED:
        return []
    start = parts[0].lower().rfind(slot.topic)
    if start < 0:
        return []
    before = parts[0][:start] if slot.attribute != "likes" else _ENJOYED.sub("", parts[0][:start])
    items = [*(part for part in parts[1:-1]), parts[-1][: len(parts[-1]) - len(suffix)]]
    told = [first, *(before + item + suffix for item in items)]
    slots = [slot_in(words, speaker) for words in told]
    alike = all(s is not None and (s.subject, s.attribute, s.value) == _sort(slot) for s in slots)
    topics = {s.topic for s in slots if s is not None}
    named = all(_is_item(item, chinese=chinese) for item in items)
    return told if alike and named and len(topics) == len(told) else []


def _sort(slot: Slot) -> tuple[str, str, str]:
    return slot.subject, slot.attribute, slot.value


def _is_item(words: str, *, chinese: bool) -> bool:
    if chinese:
        return bool(normalised(words))
    return not _NO_ITEM_EN.match(words.strip()) and len(words.split()) <= _WORDS_OF_AN_ITEM
