"""The audit log: admin actions, deletions and refused access. Reads are not in it, whoever reads.

Entries are records of the system partition. What happens there (keys, workspaces) is committed together with its
entry. For what happens elsewhere a commit cannot hold both: the entry is written first, as begun, and completed
afterwards, so that nothing is ever done without a trace.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from yiku.model.audit import BEGUN, BROKEN_OFF, DONE, AuditEntry
from yiku.model.conditions import EVERYTHING, And, Condition, Eq, Or, Range
from yiku.model.errors import InvalidInput, StorageUnavailable, YikuError
from yiku.model.principal import Principal
from yiku.model.records import Changes, PageQuery, Record
from yiku.model.scopes import SYSTEM_PARTITION
from yiku.ports import Ports

log = structlog.get_logger()

AUDIT = "audit"
AUDIT_PREFIX = "au-"
_CURSOR = re.compile(rf"([0-9]{{1,18}})\.({AUDIT_PREFIX}[0-9a-f-]{{36}})")


@dataclass(frozen=True, slots=True)
class AuditPage:
    """`next` is what to ask for the entries before these with; None when there are none."""

    entries: tuple[AuditEntry, ...]
    next: str | None


@asynccontextmanager
async def audited(
    ports: Ports, principal: Principal, action: str, *, workspace: str, subject: str = ""
) -> AsyncIterator[None]:
    """Write down that the body begins, and afterwards how it ended."""
    entry = new_entry(ports, principal, action, workspace=workspace, subject=subject, outcome=BEGUN)
    await _write(ports, entry)
    async with _followed(ports, entry):
        yield


@asynccontextmanager
async def audited_read(
    ports: Ports, principal: Principal, action: str, *, workspace: str, subject: str = ""
) -> AsyncIterator[None]:
    """As `audited`, for what changes nothing: a full disk must not keep people from getting their data off it."""
    entry = new_entry(ports, principal, action, workspace=workspace, subject=subject, outcome=BEGUN)
    try:
        await _write(ports, entry)
    except StorageUnavailable as error:
        log.warning("audit_left_out", action=action, workspace=workspace, subject=subject, reason=error.message)
        yield
        return
    async with _followed(ports, entry):
        yield


async def list_audit(ports: Ports, principal: Principal, *, before: str | None, limit: int) -> AuditPage:
    """Entries newest first; `before` is the `next` of the page before."""
    principal.require("admin")
    query = PageQuery(
        partitions=(SYSTEM_PARTITION,), kind=AUDIT, where=_before(before) if before else EVERYTHING, limit=limit + 1
    )
    records = (await ports.storage.page(query)).records
    shown = tuple(_entry_of(record) for record in records[:limit])
    return AuditPage(shown, f"{_microseconds(shown[-1].at)}.{shown[-1].id}" if len(records) > limit else None)


def new_entry(
    ports: Ports, principal: Principal, action: str, *, workspace: str, subject: str = "", outcome: str = DONE
) -> AuditEntry:
    """An entry about now and the request that is being served."""
    return AuditEntry(
        id=ports.clock.new_id(AUDIT_PREFIX),
        at=ports.clock.now(),
        key_id=principal.key_id,
        action=action,
        workspace=workspace,
        subject=subject,
        outcome=outcome,
        request_id=current_request_id(),
    )


def current_request_id() -> str | None:
    """The id under which the log has more, where a request is behind this."""
    return structlog.contextvars.get_contextvars().get("request_id")


def audit_record(ports: Ports, entry: AuditEntry) -> Record:
    """The entry as a record, to be committed with what it is about."""
    return Record(
        kind=AUDIT,
        id=entry.id,
        created=entry.at,
        updated=entry.at,
        expires=entry.at + timedelta(days=ports.limits.audit_days),
        # What `_before` goes on from.
        fields={"at": _microseconds(entry.at), "id": entry.id},
        body={
            "key_id": entry.key_id,
            "action": entry.action,
            "workspace": entry.workspace,
            "subject": entry.subject,
            "outcome": entry.outcome,
            "request_id": entry.request_id,
            "times": entry.times,
            "left_out": entry.left_out,
        },
    )


@asynccontextmanager
async def _followed(ports: Ports, entry: AuditEntry) -> AsyncIterator[None]:
    outcome = BROKEN_OFF
    try:
        yield
        outcome = DONE
    except YikuError as error:
        outcome = f"failed: {error.code}"
        raise
    finally:
        await _complete(ports, entry, outcome)


async def _write(ports: Ports, entry: AuditEntry) -> None:
    await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(audit_record(ports, entry),)))


async def _complete(ports: Ports, entry: AuditEntry, outcome: str) -> None:
    try:
        await _write(ports, replace(entry, outcome=outcome))
    except StorageUnavailable as error:
        # What was done is done; its entry goes on saying that it was begun, which is all the store knows.
        log.warning("audit_incomplete", entry=entry.id, outcome=outcome, reason=error.message)


def _entry_of(record: Record) -> AuditEntry:
    body: Any = record.body
    return AuditEntry(id=record.id, at=record.created, **body)


def _before(cursor: str) -> Condition:
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise InvalidInput("before must be what next was on the page before", field="before")
    at, entry_id = int(parts[1]), parts[2]
    return Or((Range("at", lt=at), And((Eq("at", at), Range("id", lt=entry_id)))))


def _microseconds(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
