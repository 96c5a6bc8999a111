"""Does a question in one language find what is written in another, and still what is written in its own?"""

from __future__ import annotations

import numpy as np
import pytest

from yiku.adapters.embedders import HashedEmbedder, LocalEmbedder, ParticularQuestions
from yiku.adapters.embedders.particular_questions import COMMON_SHARE
from yiku.model.errors import EmbedderUnavailable

PASSAGES = [
    "The library opens at nine in the morning and closes at eight in the evening.",
    "Books can be borrowed for four weeks; a reminder is sent three days before the end.",
    "图书馆的会员卡遗失后，需要带身份证到服务台补办。",
    "读者可以在二楼打印和复印资料，每页五角。",
]


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("图书馆几点关门？", 0),
        ("书可以借多久？", 1),
        ("How do I replace a lost membership card?", 2),
        ("打印一页多少钱？", 3),
    ],
)
async def test_with_the_bundled_model_a_question_finds_its_passage_in_either_language(
    question: str, passage: int
) -> None:
    embedder = LocalEmbedder(text_characters=1_000)
    passages = np.array([one.values for one in await embedder.embed_passages(PASSAGES)])
    asked = await ParticularQuestions(embedder).embed_question(question)
    await embedder.close()
    assert int(np.argmax(passages @ asked.values)) == passage


async def test_the_vector_has_length_one_and_the_name_of_the_model() -> None:
    embedder = HashedEmbedder()
    for text in ("什么是忆库", "What is Yiku", "q"):
        made = await ParticularQuestions(embedder).embed_question(text)
        assert made.model == embedder.model
        assert np.linalg.norm(made.values) == pytest.approx(1, abs=1e-5)


async def test_what_all_questions_have_in_common_is_taken_off() -> None:
    embedder = HashedEmbedder()
    plain, made = (
        await embedder.embed_query("Where is it?"),
        await ParticularQuestions(embedder).embed_question("Where is it?"),
    )
    assert 0 < COMMON_SHARE < 1
    assert 0.2 < float(plain.values @ made.values) < 0.9999


async def test_a_model_that_is_down_is_said_to_be_down() -> None:
    class Down(HashedEmbedder):
        async def embed_query(self, text: str) -> object:  # type: ignore[override]
            raise EmbedderUnavailable

    with pytest.raises(EmbedderUnavailable):
        await ParticularQuestions(Down()).embed_question("Where?")
