"""How filter values are written into the `field` table: digests to find them by, and the value to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import blake2b

from yiku.engine.records import FieldRow
from yiku.model.conditions import Scalar, scalar_type


@dataclass(frozen=True, slots=True)
class Field:
    """One row; `text` and `number` are None for values that have no order."""

    name: bytes
    value: bytes
    text: str | None
    number: Decimal | None


def stored_fields(rows: Sequence[FieldRow]) -> list[Field]:
    return [
        Field(
            name=name_digest(name),
            value=_value_digest(type_name, value),
            text=str(value) if type_name == "text" else None,
            number=exact(value) if type_name == "number" else None,
        )
        for name, type_name, value in rows
    ]


def name_digest(name: str) -> bytes:
    return _digest(name)


def value_digest(value: Scalar) -> bytes:
    """Equal for values that `conditions.matches` holds to be the same, `1` and `1.0`; 128 bits do not collide."""
    return _value_digest(scalar_type(value), value)


def exact(number: Scalar) -> Decimal:
    """A float as the exact number that it stands for: beyond 2**53 its digits are not those that it prints."""
    assert isinstance(number, int | float)
    return Decimal(number)


def _value_digest(type_name: str, value: Scalar) -> bytes:
    if type_name == "number":
        # Zero has a sign as a float, and is one value all the same.
        return _digest(f"number:{exact(value) if value else 0}")
    if type_name == "null":
        return _digest("null")
    # A boolean comes as such from a condition and as a number from `field_rows`.
    return _digest(f"{type_name}:{int(value) if isinstance(value, bool) else value}")


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()
