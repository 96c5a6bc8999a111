"""The embedder of the tests: words as vectors."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import numpy as np
import pytest

from yiku.adapters.embedders import HashedEmbedder
from yiku.model.errors import EmbedderUnavailable

SCRIPT = """
import asyncio
from yiku.adapters.embedders import HashedEmbedder
print(asyncio.run(HashedEmbedder().embed_query("喜欢喝咖啡 and jazz")).values.tobytes().hex())
"""


async def test_texts_that_share_words_are_near() -> None:
    embedder = HashedEmbedder(256)
    coffee, jazz = await embedder.embed_passages(["我喜欢喝咖啡", "she plays jazz on Sundays"])
    query = await embedder.embed_query("谁喜欢喝咖啡？")
    assert query.values @ coffee.values > 0.6
    assert abs(query.values @ jazz.values) < 0.3


async def test_any_text_gives_a_unit_vector_and_texts_without_words_the_same_one() -> None:
    embedder = HashedEmbedder()
    vectors = [embedding.values for embedding in await embedder.embed_passages(["", "…", "a b c", "忆库"])]
    assert [float(np.linalg.norm(vector)) for vector in vectors] == pytest.approx([1.0] * 4)
    assert np.array_equal(vectors[0], vectors[1])


def test_the_vectors_are_the_same_in_every_process() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert answers == {asyncio.run(HashedEmbedder().embed_query("喜欢喝咖啡 and jazz")).values.tobytes().hex()}


async def test_the_identity_tells_the_dimensions_apart() -> None:
    assert HashedEmbedder(64).model != HashedEmbedder(128).model
    assert (await HashedEmbedder(128).embed_query("a")).model == HashedEmbedder(128).model


async def test_a_closed_one_refuses() -> None:
    embedder = HashedEmbedder()
    await embedder.close()
    await embedder.close()
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed_query("a")
