"""What is particular about a question: its vector without its language, and without what all questions share.

A multilingual model gives a language, and being a question, a large part of each vector. Between texts of one language
that part is the same and decides nothing. Between two languages it decides too much: in a base that is half Chinese and
half English, questions of either language found the right passage first 50 to 55 times in 100, because any passage of
their own language lay nearer; without that part 81 times, and in bases of one language as often as before
(docs/measurements.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yiku.adapters.embedders.unit_vectors import unit_embedding
from yiku.model.records import Embedding
from yiku.ports.embedder import Embedder

COMMON_SHARE = 0.2
"""How much of what the questions of its language share is taken off."""
LANGUAGE_SHARE = 1.25
"""How much of the direction between the languages is taken off. More than all of it, because the direction between
questions is not quite that between passages: with 1 three questions fewer in a hundred found theirs."""

_HAN = re.compile("[\u3400-\u9fff]")
USUAL_CHINESE = (
    "这是什么？",
    "谁负责这件事？",
    "什么时候开始？",
    "在哪里可以找到？",
    "为什么会这样？",
    "怎么做才对？",
    "一共有多少？",
    "哪一个更好？",
    "需要多长时间？",
    "由谁创立的？",
    "有哪些步骤？",
    "主要原因是什么？",
)
USUAL_ENGLISH = (
    "What is this?",
    "Who is responsible for it?",
    "When does it begin?",
    "Where can it be found?",
    "Why is that so?",
    "How is it done properly?",
    "How many are there in all?",
    "Which one is better?",
    "How long does it take?",
    "Who founded it?",
    "What are the steps?",
    "What is the main reason?",
)
Vector = NDArray[np.float32]


class ParticularQuestions:
    """Asks the embedder for the usual questions once, when the first question comes."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._usual: _Usual | None = None

    async def embed_question(self, text: str) -> Embedding:
        asked = await self._embedder.embed_query(text)
        usual = self._usual = self._usual or await self._learned()
        particular = asked.values - COMMON_SHARE * (usual.chinese if _HAN.search(text) else usual.english)
        particular = particular - LANGUAGE_SHARE * float(particular @ usual.direction) * usual.direction
        if not particular.any():  # A model that cannot tell this question from any other.
            return asked
        return unit_embedding(particular, model=asked.model, dimensions=len(asked.values))

    async def _learned(self) -> _Usual:
        chinese, english = [await self._mean(questions) for questions in (USUAL_CHINESE, USUAL_ENGLISH)]
        between = chinese - english
        length = float(np.linalg.norm(between))
        return _Usual(chinese, english, between / length if length else between)

    async def _mean(self, questions: Sequence[str]) -> Vector:
        made = [await self._embedder.embed_query(question) for question in questions]
        return np.asarray(np.mean([one.values for one in made], axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Usual:
    """The means of both languages, and the direction from one to the other, of length one."""

    chinese: Vector
    english: Vector
    direction: Vector
