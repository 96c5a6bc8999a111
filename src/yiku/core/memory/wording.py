"""What do the words of a text say, apart from how they are put: its content words, its numbers, and whether it denies?

Small on purpose: what these functions cannot tell apart is told apart by the exact words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from yiku.model.tokens import CHARACTER_MARK, fold, index_terms

_PLAIN_EN = frozenset(
    index_terms(
        "a an the i me my mine we us our you your he him his she her it its they them their user this that these those"
        " is are was were be been being am do does did doing have has had will would shall should can could may might"
        " must of to in on at by for with from as about into and or but so if then than too also just now today here"
        " there very really quite actually still already please s t m re ve ll d"
    )
)
"""What an English sentence has besides what it says, stemmed."""
_PLAIN_ZH = frozenset(
    "我你您他她它们的了是在有也就都很还又和跟与及吧呢啊吗哦嗯呀嘛这那个些件事用户现今目前已经着过把被让给"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|stopped|quit|hates?|dislikes?|any ?more)\b|n['’]t\b"
    r"|[不没戒]|(?<![特分区个性告级类差])别(?!的|人|墅|名)|未(?!来|婚)|非(?!常|洲)|无(?!锡|线)|讨厌|停止|放弃",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_LATIN = re.compile(r"[A-Za-z][\w+#-]*")
_NAME = re.compile(r"[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)*|[A-Za-z][+#]+")
_HAN_RUN = re.compile(f"[^\\W\\d_a-z{''.join(_PLAIN_ZH)}]{{2,}}")
_AFTER_A_NAME = "是叫得患会能要想去来喜爱住做工当养买说觉很好不没从到以因过常每正将曾用吃喝玩看学开写教帮等需应该生"
_HAN_WEIGHT = 0.5
"""A Chinese word is about two characters."""


def content_terms(text: str) -> frozenset[str]:
    """Stemmed words, and each Chinese character, without those that say nothing by themselves."""
    terms = index_terms(text)
    characters = {term.removeprefix(CHARACTER_MARK) for term in terms if term.startswith(CHARACTER_MARK)}
    words = {term for term in terms if not term.startswith(CHARACTER_MARK) and not characters.issuperset(term)}
    return frozenset((words - _PLAIN_EN) | (characters - _PLAIN_ZH))


def weight(terms: AbstractSet[str]) -> float:
    """About how many words these are."""
    return sum(_HAN_WEIGHT if len(term) == 1 and not term.isascii() else 1.0 for term in terms)


def denies(text: str) -> bool:
    """Whether there is a word that may turn what is said into its opposite."""
    return _DENIAL.search(fold(text)) is not None


def numbers(text: str) -> tuple[str, ...]:
    """In their order: the second of January is not the first of February."""
    return tuple(_NUMBER.findall(fold(text)))


def holds_in_order(all_of: Sequence[str], some: Sequence[str]) -> bool:
    """Whether `some` stand in `all_of`, in that order."""
    rest = iter(all_of)
    return all(wanted in rest for wanted in some)


def may_name_another(named: str, said: str) -> bool:
    """Whether a name in `said` is longer than what `named` calls it: York and New York, 张伟 and 张伟明, C and C++."""
    words = {word.lower() for word in _LATIN.findall(named)}
    for name in _NAME.findall(said):
        parts = {part.lower() for part in name.split()} - _PLAIN_EN
        if _bare(parts) & _bare(words) and not parts <= words:
            return True
    text = fold(said)
    return any(run in text and not _stands_apart(run, text) for run in _HAN_RUN.findall(fold(named)))


def _bare(words: AbstractSet[str]) -> set[str]:
    return {word.rstrip("+#") for word in words}


def _stands_apart(run: str, text: str) -> bool:
    """Whether the run is followed, somewhere in the text, by what does not go on with a name."""
    return re.search(rf"{run}(?:[^\u4e00-\u9fff]|[{''.join(_PLAIN_ZH)}{_AFTER_A_NAME}]|$)", text) is not None
