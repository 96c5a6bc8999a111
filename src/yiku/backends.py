"""What stands behind the ports: the store, the embedder and the clock that the settings name, and the worker.

Apart from `server`, so that commands which only need a store do not load every door.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime

from pydantic import SecretStr

from yiku.adapters.beside import beside, collect_seldom
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import (
    CachedQueries,
    HashedEmbedder,
    LocalEmbedder,
    OpenAICompatibleEmbedder,
    ParticularQuestions,
)
from yiku.adapters.fetching import FetchBounds, GuardedFetcher
from yiku.adapters.http_endpoint import Access
from yiku.adapters.llms import OpenAICompatibleLlm
from yiku.adapters.objects import FolderObjects, ObjectsInStore
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.parsers.recognition import Recogniser
from yiku.adapters.patterns import Re2Patterns
from yiku.adapters.ready import made_ready
from yiku.adapters.rerankers import HttpReranker
from yiku.adapters.sql.child_process import ChildSql
from yiku.adapters.sqlite import DATABASE_FILE, Standing, open_sqlite
from yiku.adapters.sqlite import standing_of as sqlite_standing
from yiku.adapters.sqlite.backup import copy_database, verified_copy
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.model.retention import FOR_EVER, Retention
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Clock, DocumentPorts, Embedder, Llm, Ports, Reranker, Storage
from yiku.ports.parser import Parser
from yiku.settings import Settings

__all__ = [
    "DATABASE_FILE",
    "OPERATOR",
    "Standing",
    "SystemClock",
    "beside",
    "collect_seldom",
    "copy_database",
    "database_time",
    "made_ready",
    "make_embedder",
    "make_llm",
    "make_reranker",
    "ocr_is_installed",
    "open_ports",
    "open_storage",
    "store_standing",
    "verified_copy",
    "working",
]

ORIGINALS_FOLDER = "originals"
OPERATOR = Principal(key_id="operator", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who acts when no key is asked for: `auth=off`, and commands of the person who owns the data."""

EMBEDDER_TIMEOUT_S = 30.0
"""Of one request; a call as a whole has its deadline in `Limits`."""
CACHED_QUERIES = 256
"""Agents ask the same question of several doors and pages within a minute."""


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """The store and the models that the settings name, closed again at the end."""
    clock = SystemClock()
    async with AsyncExitStack() as closing:
        embedder, llm, reranker = make_embedder(settings), make_llm(settings), make_reranker(settings)
        for model in (embedder, llm, reranker):
            if model is not None:
                closing.push_async_callback(model.close)
        storage = await open_storage(settings, clock)
        closing.push_async_callback(storage.close)
        documents = _document_ports(settings, storage, clock, embedder) if settings.knowledge == "on" else None
        if documents is not None:
            for closed_last in (documents.sql, documents.fetcher, documents.parser):
                closing.push_async_callback(closed_last.close)
        yield Ports(
            storage=storage,
            embedder=embedder,
            clock=clock,
            llm=llm,
            llm_use=settings.llm_use,
            reranker=reranker,
            documents=documents,
            limits=settings.limits,
        )


@asynccontextmanager
async def working(ports: Ports, retention: Retention = FOR_EVER) -> AsyncIterator[None]:
    """A worker beside the body. At the end it gets a while to finish; what is cut off is claimed again later."""
    from yiku.core.work import run_worker  # What extracts takes long to load, and commands have no use for it.

    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(ports, stop, retention))
    try:
        yield
    finally:
        stop.set()
        done, _ = await asyncio.wait({worker}, timeout=ports.limits.shutdown_deadline_s)
        if not done:
            worker.cancel()
        await asyncio.gather(worker, return_exceptions=not done)


def _document_ports(settings: Settings, storage: Storage, clock: Clock, embedder: Embedder) -> DocumentPorts:
    limits = settings.limits
    bounds = FetchBounds(bytes_max=limits.document_bytes, total_s=limits.fetch_deadline_s)
    return DocumentPorts(
        parser=make_parser(settings),
        fetcher=GuardedFetcher(
            allowed_networks=settings.document_networks,
            allowed_folder=settings.document_folder,
            object_store_url=settings.object_store_url,
            bounds=bounds,
        ),
        objects=ObjectsInStore(storage, clock, bytes_max=limits.document_bytes)
        if settings.originals == "store"
        else FolderObjects(settings.data_dir / ORIGINALS_FOLDER, bytes_max=limits.document_bytes),
        questions=ParticularQuestions(embedder),
        patterns=Re2Patterns(),
        sql=ChildSql(seconds=limits.sql_deadline_s),
    )


def ocr_is_installed() -> bool:
    return Recogniser.is_installed()


def make_parser(settings: Settings) -> Parser:
    """What reads files."""
    limits = settings.limits
    return ChildParser(
        timeout_s=limits.parse_deadline_s, memory_bytes=limits.parse_memory_bytes, ocr=settings.ocr == "on"
    )


async def open_storage(settings: Settings, clock: Clock) -> Storage:
    """The store alone."""
    if settings.database_url is None:
        return await open_sqlite(
            settings.data_dir, clock=clock, limits=settings.limits, cache_bytes=settings.cache_bytes
        )
    try:
        # Only those who use it have its driver installed.
        from yiku.adapters.postgres import open_postgres
    except ModuleNotFoundError as error:
        raise _not_installed(error) from error
    return await open_postgres(
        settings.database_url.get_secret_value(),
        clock=clock,
        limits=settings.limits,
        cache_bytes=settings.cache_bytes,
        connections=settings.database_connections,
    )


async def store_standing(settings: Settings) -> Standing:
    """What opening the store would do, without doing it."""
    if settings.database_url is None:
        return await asyncio.to_thread(sqlite_standing, settings.data_dir / DATABASE_FILE)
    try:
        from yiku.adapters.postgres.migrations import standing_of  # As above.
    except ModuleNotFoundError as error:
        raise _not_installed(error) from error
    url, deadline_s = settings.database_url.get_secret_value(), settings.limits.storage_deadline_s
    return await asyncio.to_thread(standing_of, url, deadline_s=deadline_s)


async def database_time(settings: Settings) -> datetime | None:
    """What time the database server has; None for SQLite, which has none of its own."""
    if settings.database_url is None:
        return None
    from yiku.adapters.postgres.server_time import server_time  # As above.

    return await server_time(settings.database_url.get_secret_value(), deadline_s=settings.limits.storage_deadline_s)


def _not_installed(error: ModuleNotFoundError) -> InvalidInput:
    return InvalidInput(
        f"YIKU_DATABASE_URL needs packages that are not installed ({error.name}): pip install 'yiku[postgres]'",
        field="YIKU_DATABASE_URL",
    )


def make_embedder(settings: Settings) -> Embedder:
    """The embedder alone; nothing is loaded before it is asked."""
    match settings.embedder:
        case "local":
            inner: Embedder = LocalEmbedder(
                text_characters=settings.embedder_characters,
                passage_tokens=settings.embedder_tokens,
                threads=settings.embedder_threads,
                query_deadline_s=settings.limits.query_embed_deadline_s,
                passages_deadline_s=settings.limits.embed_deadline_s,
            )
        case "openai_compatible":
            assert settings.embedder_url and settings.embedder_model  # Checked by the settings.
            inner = OpenAICompatibleEmbedder(
                _access(settings.embedder_url, settings.embedder_key, settings.embedder_model, EMBEDDER_TIMEOUT_S),
                text_characters=settings.embedder_characters,
                dimensions=settings.embedder_dimensions,
                batch_size=settings.embedder_batch,
                query_prefix=settings.embedder_query_prefix,
                passage_prefix=settings.embedder_passage_prefix,
                query_deadline_s=settings.limits.query_embed_deadline_s,
                passages_deadline_s=settings.limits.embed_deadline_s,
            )
        case "hashed":
            inner = HashedEmbedder()
    return CachedQueries(inner, CACHED_QUERIES)


def make_llm(settings: Settings) -> Llm | None:
    """The language model, if the settings name one."""
    if not (settings.llm_url and settings.llm_model):
        return None
    return OpenAICompatibleLlm(
        _access(settings.llm_url, settings.llm_key, settings.llm_model, settings.llm_timeout),
        calls_per_minute=settings.llm_calls_per_minute,
    )


def make_reranker(settings: Settings) -> Reranker | None:
    """The reranker, if the settings name one."""
    if not (settings.rerank_url and settings.rerank_model):
        return None
    return HttpReranker(
        _access(settings.rerank_url, settings.rerank_key, settings.rerank_model, settings.rerank_timeout)
    )


def _access(url: str, key: SecretStr | None, model: str, timeout_s: float) -> Access:
    return Access(url=url, api_key=key.get_secret_value() if key else None, model=model, timeout_s=timeout_s)
