"""Which number do these words or digits say?"""

from __future__ import annotations

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
ENGLISH = {word: number for number, word in enumerate(_ENGLISH.split())} | {"a": 1, "an": 1}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_UNITS = {"十": 10, "百": 100, "千": 1000}
CHINESE = "零〇一二两三四五六七八九十百千"


def english_number(words: str) -> int:
    """ "two", "a" or "12"; anything else is a `ValueError`."""
    if words.isdecimal():
        return int(words)
    if words.lower() not in ENGLISH:
        raise ValueError(words)
    return ENGLISH[words.lower()]


def chinese_number(words: str) -> int:
    """二十三, 两百, 二〇二三 or 12; anything else is a `ValueError`."""
    if words.isdecimal():
        return int(words)
    if not words or any(character not in CHINESE for character in words):
        raise ValueError(words)
    if not any(character in _UNITS for character in words):
        return int("".join(str(_DIGITS[character]) for character in words))
    total, pending = 0, None
    for character in words:
        if character in _UNITS:
            total += (1 if pending is None else pending) * _UNITS[character]
            pending = None
        else:
            pending = _DIGITS[character]
    return total + (pending or 0)
