"""How a record is written as a row and read back from one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from yiku.engine.features import Feature, features_of
from yiku.engine.times import NEVER, moment
from yiku.model.conditions import Fields, FieldValue, Scalar, field_values, scalar_type
from yiku.model.records import Record

COLUMNS = "sequence, partition, kind, id, unique_key, version, created, updated, expires, text, fields, body"

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: the one that `json.dumps` makes for each call costs more than what it writes."""

FieldRow = tuple[str, str, str | int | float]
"""Name, type and value of one row of the `field` table."""


class Ready(NamedTuple):
    """All that can be worked out of a record before the writer, whom everybody shares, has to deal with it.

    A tuple, because they go from process to process by the thousand, and a tuple does so in half the time.
    """

    fields: str
    body: str
    field_rows: list[FieldRow]
    feature: Feature | None


class PreparedPut(NamedTuple):
    """A record, and what is stored of it."""

    record: Record
    fields: str
    body: str
    field_rows: list[FieldRow]
    feature: Feature | None


def prepared(records: Sequence[Record]) -> list[PreparedPut]:
    made = iter(readied([record for record in records if record.ready is None]))
    return [
        PreparedPut(record, *(record.ready if isinstance(record.ready, Ready) else next(made))) for record in records
    ]


def readied(records: Sequence[Record]) -> list[Ready]:
    return [
        Ready(to_json(record.fields), to_json(record.body), field_rows(record.fields), feature)
        for record, feature in zip(records, features_of(records), strict=True)
    ]


def field_rows(fields: Fields) -> list[FieldRow]:
    """Each value of each field once: `1` and `1.0` are the same value, `1` and `True` are not."""
    rows = ((name, scalar_type(value), stored_scalar(value)) for name in fields for value in field_values(fields, name))
    return list(dict.fromkeys(rows))


def stored_scalar(value: Scalar) -> str | int | float:
    """The column type tells `True` from `1`, so a number can stand for it; NULL would not be found by an index."""
    if value is None:
        return 0
    return int(value) if isinstance(value, bool) else value


def records_of(rows: Sequence[Sequence[Any]]) -> list[Record]:
    """From rows with the columns of `COLUMNS`."""
    bodies = _decoded([row[11] for row in rows])
    fields = _decoded([row[10] for row in rows])
    return [
        Record(
            kind=row[2],
            id=row[3],
            body=body,
            created=moment(row[6]),
            updated=moment(row[7]),
            fields=_with_tuples(held),
            unique_key=row[4],
            text=row[9],
            expires=None if row[8] == NEVER else moment(row[8]),
            version=row[5],
        )
        for row, body, held in zip(rows, bodies, fields, strict=True)
    ]


def fields_of(stored: str) -> Fields:
    return _with_tuples(json.loads(stored))


def to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    return _ENCODER.encode(value)


def _decoded(documents: Sequence[str]) -> list[Any]:
    # In one call: a search brings hundreds, and most of the time would go into starting the decoder.
    decoded: list[Any] = json.loads(f"[{','.join(documents)}]")
    return decoded


def _with_tuples(fields: dict[str, Any]) -> dict[str, FieldValue]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
