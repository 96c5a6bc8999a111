"""Do these words take back what was remembered just before: "that was not me", 那不是我?"""

from __future__ import annotations

import re

_LEAD = (
    r"(?:[^：:]{1,40}[：:]\s*)?+(?:(?:no|wait|sorry|oh|hey|but|hm+)[,.!—-]*+\s+"
    r"|(?:不对|不是|不|等等|等一下|抱歉|哎)[，。,！\s]++)*+"
)
_END = r"(?=\s*(?:$|[,.;!，。；！]))"
_RETRACTION = re.compile(
    rf"{_LEAD}(?:(?:that|this|it)(?: was|['’]s| is)(?:n['’]t| not) (?:me|the user|about me)"
    r"|(?:i|the user) (?:never|didn['’]t|did not) (?:say|said|tell you) (?:that|this|it|so)"
    r"|(?:[那这](?:个|句话?|些话?)?|刚才|刚刚)(?:那个|那句话?|的话)?(?:说的|讲的)?不是(?:我|用户|在?说我)(?:本人|自己|说的|做的|干的)?"
    rf"|(?:我|用户)(?:从来|根本|可)?没(?:有)?(?:这么|这样|那么)?(?:说过|讲过)(?:这话|这个|这句话|那句话|这种话)?(?:的话)?){_END}"
    r"[\s,.;!，。；！]*",
    re.IGNORECASE,
)


def takes_back(text: str) -> bool:
    return _RETRACTION.match(text) is not None


def is_bare(text: str) -> bool:
    """Whether the words say nothing besides: not who it was instead."""
    return _RETRACTION.fullmatch(text) is not None
