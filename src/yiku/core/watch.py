"""What keys are used for, how often, and what they were refused: known at once, written down once a minute.

Nothing here costs a request a trip to the store, and whoever is refused a thousand times a second causes one commit a
minute with a bounded number of entries. A crash loses what was gathered in the last minute; a stop does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from yiku.core.audit import AUDIT_PREFIX, audit_record, current_request_id
from yiku.core.keys import KEY_USE
from yiku.core.rates import Rates, TokenBuckets
from yiku.model.audit import REFUSED, AuditEntry
from yiku.model.errors import RateLimited, YikuError
from yiku.model.principal import Principal
from yiku.model.records import Changes, Record
from yiku.model.scopes import SYSTEM_PARTITION
from yiku.ports import Ports

log = structlog.get_logger()

WRITE_EVERY_S = 60.0
REFUSALS_A_WRITE = 20
"""Kinds of refusal that get an entry each time; 90 days of nothing but these stay below a gigabyte."""
USES_A_WRITE = 1_000
USE_KEPT = timedelta(days=365)
UNKNOWN_KEY = "unknown"

Refusal = tuple[str, str, str]
"""Key, workspace and what was refused."""


@dataclass(frozen=True, slots=True)
class _Refused:
    first: AuditEntry
    times: int


class Watch:
    """The `Doorkeeper` of the principals that one `KeyRing` gives out."""

    def __init__(self, ports: Ports, rates: Rates) -> None:
        self._ports = ports
        self._rates = rates
        self._by_key = TokenBuckets(rates.per_key)
        self._by_user = TokenBuckets(rates.per_user)
        self._refusals: dict[Refusal, _Refused] = {}
        self.left_out = 0
        """Refusals that got no entry since the last write."""
        self._used: dict[str, datetime] = {}

    def admit_key(self, key_id: str, now: datetime) -> None:
        """A request with this good key. Raises `RateLimited` when it has made too many."""
        if key_id in self._used or len(self._used) < USES_A_WRITE:
            self._used[key_id] = now
        if wait_s := self._by_key.take(key_id, now.timestamp()):
            raise _too_many(f"This API key has made {self._rates.per_key} requests", wait_s)

    def admit(self, principal: Principal, user_id: str) -> None:
        if not self._rates.per_user:
            return
        now_s = self._ports.clock.now().timestamp()
        if wait_s := self._by_user.take((principal.workspace, user_id), now_s):
            raise _too_many(f"This user has been asked for {self._rates.per_user} times", wait_s)

    def refused(self, principal: Principal, action: str) -> None:
        self.note_refusal(principal.key_id, principal.workspace, action)

    def note_refusal(self, key_id: str, workspace: str, action: str) -> None:
        """One more of these since the last write, or a first one."""
        kind = (key_id, workspace, action)
        noted = self._refusals.get(kind)
        if noted is not None:
            self._refusals[kind] = replace(noted, times=noted.times + 1)
        elif len(self._refusals) < REFUSALS_A_WRITE:
            self._refusals[kind] = _Refused(self._entry(kind), 1)
        else:
            self.left_out += 1

    async def write(self) -> None:
        """Put what was gathered into the store, and begin anew."""
        refusals, self._refusals = self._refusals, {}
        used, self._used = self._used, {}
        left_out, self.left_out = self.left_out, 0
        entries = [replace(noted.first, times=noted.times) for noted in refusals.values()]
        if left_out:
            # After a time without the store there may be refusals that were counted only.
            entries = entries or [self._entry((UNKNOWN_KEY, "", "refusals that are not told apart"))]
            entries[0] = replace(entries[0], left_out=left_out)
        if not entries and not used:
            return
        puts = (*(audit_record(self._ports, entry) for entry in entries), *_uses(used.items()))
        try:
            await self._ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=puts))
        except YikuError:
            self.left_out += left_out + sum(noted.times for noted in refusals.values())
            raise

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Write once a minute while this is open, and at its end."""
        stop = asyncio.Event()
        writing = asyncio.create_task(self._write_until(stop))
        try:
            yield
        finally:
            stop.set()
            await writing

    async def _write_until(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), WRITE_EVERY_S)
            try:
                await self.write()
            except YikuError as error:
                log.warning("audit_not_written", reason=error.message)

    def _entry(self, kind: Refusal) -> AuditEntry:
        key_id, workspace, action = kind
        return AuditEntry(
            id=self._ports.clock.new_id(AUDIT_PREFIX),
            at=self._ports.clock.now(),
            key_id=key_id,
            action=action,
            workspace=workspace,
            outcome=REFUSED,
            request_id=current_request_id(),
        )


def _uses(used: Iterable[tuple[str, datetime]]) -> Iterable[Record]:
    # A revoked key may leave its last use behind; it goes by itself.
    return (
        Record(kind=KEY_USE, id=key_id, body={}, created=at, updated=at, expires=at + USE_KEPT) for key_id, at in used
    )


def _too_many(what: str, wait_s: int) -> RateLimited:
    return RateLimited(f"{what} within a minute: try again in {wait_s} seconds", retry_after_s=wait_s)
