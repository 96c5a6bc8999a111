"""`yiku doctor`: what is wrong with this installation, and what to do about it."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import httpx

from yiku import __version__
from yiku.backends import (
    Standing,
    SystemClock,
    database_time,
    make_embedder,
    make_llm,
    make_reranker,
    open_storage,
    store_standing,
)
from yiku.cli.doctor_documents import examined_documents
from yiku.cli.doctor_holdings import counted
from yiku.cli.findings import Finding, State
from yiku.core.access import has_admin_key
from yiku.model.errors import (
    EmbedderUnavailable,
    InvalidInput,
    LlmAnswerInvalid,
    LlmRefused,
    LlmUnavailable,
    RerankerUnavailable,
    YikuError,
)
from yiku.model.prompts import Prompt
from yiku.ports import Embedder, Llm, Ports, Reranker
from yiku.settings import Settings, load_settings
from yiku.telemetry import configure_log

_FREE_BYTES_MIN = 500_000_000
_QUEUE_AGE_MAX_S = 600.0
_SKEW_MAX_S = 5.0
_ANSWER_WITHIN_S = 3.0
_JOBS_LOOKED_AT = 100
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # Where to ask a server that listens everywhere.
_NOT_OPENED = {
    Standing.EMPTY: "there is none yet: the first start makes it, and a first key",
    Standing.OLDER: "it has an older format: the next start brings it up to date, and there is no way back, so make a"
    " backup with the version that it is from",
}
_OTHER_PORT = "choose another with YIKU_PORT"


async def doctor(*, as_json: bool) -> int:
    """Exit code 1 when there is a problem; warnings are none."""
    # The findings say it all, and standard output may be read by a program.
    configure_log("error", "text")
    findings = [finding async for finding in _examined()]
    problems = sum(finding.state is State.PROBLEM for finding in findings)
    if as_json:
        report = {"healthy": not problems, "findings": [asdict(finding) for finding in findings]}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            print(f"{finding.state.upper():8} {finding.about}: {finding.message}")
        print(f"Problems: {problems}" if problems else "Nothing is wrong.")
    return 1 if problems else 0


async def _examined() -> AsyncIterator[Finding]:
    """Each thing in turn; what is wrong with one does not hide the others."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("versions", State.GOOD, f"Yiku {__version__}, Python {python}, apsw {version('apsw')}")
    try:
        settings = load_settings()
    except InvalidInput as error:
        yield Finding("settings", State.PROBLEM, error.message)
        return
    yield Finding("settings", State.GOOD, f"valid; data in {settings.place}")
    if settings.database_url is None:
        for finding in _folder(settings.data_dir):
            yield finding
    embedder = make_embedder(settings)
    try:
        async for finding in _store(settings, embedder):
            yield finding
        yield await _embedding(embedder)
    finally:
        await embedder.close()
    if (llm := make_llm(settings)) is not None:
        yield await _language_model(llm, settings)
    if (reranker := make_reranker(settings)) is not None:
        yield await _reranker(reranker)
    async for finding in examined_documents(settings):
        yield finding
    yield await _port(settings)


def _folder(folder: Path) -> list[Finding]:
    if not folder.is_dir():
        return [Finding("data folder", State.WARNING, f"{folder} does not exist yet: the first start makes it")]
    findings = []
    if folder.stat().st_mode & 0o077:
        advice = f"others on this machine can look into {folder}: chmod 700 it"
        findings.append(Finding("data folder", State.WARNING, advice))
    free = shutil.disk_usage(folder).free
    space = State.GOOD if free >= _FREE_BYTES_MIN else State.PROBLEM
    advice = "" if space is State.GOOD else ": a full disk stops every write, so free some"
    return [*findings, Finding("disk space", space, f"{free // 1_000_000} MB free{advice}")]


async def _store(settings: Settings, embedder: Embedder) -> AsyncIterator[Finding]:
    clock = SystemClock()
    try:
        standing = await store_standing(settings)
        if standing is not Standing.PRESENT:
            # To open it would be to make it, or to change it for good.
            yield Finding("store", State.WARNING, _NOT_OPENED[standing])
            return
        storage = await open_storage(settings, clock)
        try:
            ports = Ports(storage=storage, embedder=embedder, clock=clock, limits=settings.limits)
            yield await _queue(ports)
            yield await _keys(ports, settings)
            yield await counted(ports, settings)
        finally:
            await storage.close()
        database_now = await database_time(settings)
    except YikuError as error:
        yield Finding("store", State.PROBLEM, error.message)
        return
    if database_now is not None:
        yield _clocks(clock.now(), database_now)


async def _queue(ports: Ports) -> Finding:
    queue = await ports.storage.queue_state()
    said = f"reachable; {queue.waiting} adds wait, {queue.running} are being digested"
    oldest = await ports.storage.jobs(limit=_JOBS_LOOKED_AT)
    if failed := [job.last_error for job in oldest if job.last_error]:
        said += (
            f"; {len(failed)} of the oldest {len(oldest)} have failed and are tried again, the first with: {failed[0]}"
        )
    if queue.oldest_age_s < _QUEUE_AGE_MAX_S:
        return Finding("store", State.GOOD, f"{said} ('yiku check' verifies it in full)")
    age = f"the oldest for {queue.oldest_age_s / 60:.0f} minutes"
    return Finding("store", State.WARNING, f"{said}, {age}: is a server running, and can it reach the embedder?")


async def _keys(ports: Ports, settings: Settings) -> Finding:
    if settings.auth == "off":
        return Finding("keys", State.WARNING, "authentication is off: everybody on this machine is admin")
    if settings.api_key is not None:
        return Finding("keys", State.GOOD, "the one in YIKU_API_KEY, and those in the store")
    if await has_admin_key(ports):
        return Finding("keys", State.GOOD, "there are some in the store; 'yiku keys list' shows them")
    return Finding("keys", State.WARNING, "there are none: the next start makes one and prints it")


def _clocks(ours: datetime, theirs: datetime) -> Finding:
    apart_s = abs((ours - theirs).total_seconds())
    if apart_s <= _SKEW_MAX_S:
        return Finding("clock", State.GOOD, f"within {_SKEW_MAX_S:g} seconds of the database server's")
    advice = "leases and times go wrong when servers disagree: let all of them follow a time server"
    return Finding("clock", State.PROBLEM, f"{apart_s:.0f} seconds from the database server's: {advice}")


async def _embedding(embedder: Embedder) -> Finding:
    try:
        await embedder.embed_query("Does it work?")
        await embedder.embed_passages(["It works."])
    except EmbedderUnavailable as error:
        advice = "adds wait and searches use words alone until it is back"
        return Finding("embedder", State.PROBLEM, f"{error.message} ({advice})")
    return Finding("embedder", State.GOOD, f"{embedder.model} makes vectors of {embedder.dimensions} dimensions")


async def _language_model(llm: Llm, settings: Settings) -> Finding:
    """Whether it answers, and in the form that is asked for."""
    word = {"type": "object", "required": ["word"], "properties": {"word": {"type": "string"}}}
    prompt = Prompt(
        name="word",
        instructions="You are asked whether you can be reached.",
        content="Say any word.",
        schema=word | {"additionalProperties": False},
        answer_tokens_max=1_024,
    )
    try:
        await llm.complete(prompt)
    except (LlmUnavailable, LlmAnswerInvalid, LlmRefused) as error:
        meanwhile = (
            "adds wait until it is back" if settings.llm_failure == "retry" else "adds go by the rules meanwhile"
        )
        return Finding("language model", State.PROBLEM, f"{error.message} ({meanwhile})")
    finally:
        await llm.close()
    return Finding("language model", State.GOOD, f"{llm.model} answers in the form that is asked for")


async def _reranker(reranker: Reranker) -> Finding:
    try:
        await reranker.rerank("Does it work?", ["It works.", "It is raining."])
    except RerankerUnavailable as error:
        advice = "searches keep their first order until it is back"
        return Finding("reranker", State.PROBLEM, f"{error.message} ({advice})")
    finally:
        await reranker.close()
    return Finding("reranker", State.GOOD, f"{reranker.model} gives scores")


async def _port(settings: Settings) -> Finding:
    """Free, or ours already."""
    if settings.port == 0:
        return Finding("port", State.GOOD, "any free one")
    address = f"{settings.host}:{settings.port}"
    host = _ANYWHERE.get(settings.host, settings.host)
    scheme = "https" if settings.tls_certificate else "http"
    url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}/healthz"
    try:
        # The certificate is for the names that clients use, not for the address that is asked here.
        async with httpx.AsyncClient(verify=False, timeout=_ANSWER_WITHIN_S) as client:  # noqa: S501
            answer = await client.get(url)
    except httpx.ConnectError:
        return Finding("port", State.GOOD, f"{address} is free: no server is running there")
    except httpx.HTTPError:
        return Finding("port", State.PROBLEM, f"{address} is taken by what does not answer: {_OTHER_PORT}")
    if answer.status_code == 200 and "version" in answer.text:
        return Finding("port", State.GOOD, f"a Yiku answers at {address}")
    if answer.status_code == 503:
        return Finding("port", State.PROBLEM, f"what answers at {address} cannot reach its store: see its log")
    return Finding("port", State.PROBLEM, f"{address} is taken by another program: {_OTHER_PORT}")
