"""Made-up records and questions in two languages, with the word frequencies of real text, for measuring speed."""

from __future__ import annotations

import numpy as np

VOCABULARY = 20_000
_LETTERS = "etaoinshrdlucmfwypvbgk"


QUESTIONS = (
    "When did Anna move to Berlin?",
    "What kind of coffee does he like best?",
    "Which restaurants near the office did I enjoy?",
    "What is the name of my sister's dog?",
    "How often does Peter go running in the morning?",
    "Where did we spend the summer holidays last year?",
    "What should I avoid cooking because of her allergy?",
    "Which programming languages do I use at work?",
    "我喜欢喝什么咖啡？",
    "上个月我们去哪里旅游了？",
    "小明的生日是哪一天？",
    "他为什么决定换工作？",
    "我对什么食物过敏？",
    "妈妈最近在学什么乐器？",
    "公司年会安排在什么时候？",
    "我平时周末一般做什么运动？",
)
"""Questions as people ask them, for what the local model costs: made-up words would fall into many more tokens."""


class Texts:
    """A seeded source: the same numbers on every machine."""

    def __init__(self, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        # Zipf: the n-th most frequent word has a share of 1/n, which is what makes common words expensive to search.
        shares = 1 / np.arange(1, VOCABULARY + 1)
        self._cumulative = np.cumsum(shares / shares.sum())

    def record(self) -> str:
        """About 15 words or 30 characters: a sentence somebody said."""
        return self._words(15) if self._random.random() < 0.5 else self._characters(30)

    def passage(self) -> str:
        """A paragraph of a Chinese document."""
        return self._characters(200)

    def chinese_question(self) -> str:
        return self._characters(12)

    def question(self) -> str:
        return self._words(8) if self._random.random() < 0.5 else self._characters(12)

    def vector(self, dimensions: int) -> np.ndarray:
        vector = self._random.standard_normal(dimensions).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def _words(self, count: int) -> str:
        return " ".join(_word(number) for number in self._numbers(count))

    def _characters(self, count: int) -> str:
        return "".join(chr(0x4E00 + number % 3000) for number in self._numbers(count))

    def _numbers(self, count: int) -> list[int]:
        return np.searchsorted(self._cumulative[:-1], self._random.random(count)).tolist()


def _word(number: int) -> str:
    letters = ""
    number += len(_LETTERS)
    while number:
        number, place = divmod(number, len(_LETTERS))
        letters += _LETTERS[place]
    return letters
