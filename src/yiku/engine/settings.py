"""Where records stand in conversation and time, as the bytes that are stored and the columns that are searched."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from yiku.engine.times import NEVER, expiry, microseconds
from yiku.model.records import Record

_TIMES = ("created", "told", "begins", "ends", "since", "until")
SETTING = np.dtype([*((name, "<i8") for name in _TIMES), ("thread", "<u8")])
"""Times as everywhere in the store. Thread 0 belongs to no conversation, and what begins at 0 speaks of no time."""

Settings = NDArray[np.void]
"""A column of `SETTING`."""

_PACKED = Struct("<6qQ")
_NO_SETTING = _PACKED.pack(0, 0, 0, 0, 0, NEVER, 0)


def packed_setting(record: Record) -> bytes:
    setting, created = record.setting, microseconds(record.created)
    if setting is None:
        return _PACKED.pack(created, 0, 0, 0, 0, NEVER, 0)
    return _PACKED.pack(
        created,
        microseconds(setting.told),
        microseconds(setting.begins),
        microseconds(setting.ends),
        microseconds(setting.since),
        expiry(setting.until),
        int.from_bytes(blake2b(setting.thread.encode(), digest_size=8).digest(), "little") or 1,
    )


def settings_of(stored: Sequence[bytes | None]) -> Settings:
    """None in rows of an earlier format."""
    return np.frombuffer(b"".join(blob or _NO_SETTING for blob in stored), SETTING)
