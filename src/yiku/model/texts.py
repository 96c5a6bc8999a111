"""What counts as text: valid Unicode that a person could have written and that every store and model can hold."""

from __future__ import annotations

import re

from yiku.model.errors import InvalidInput, TooLarge

_CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f]")


def check_text(value: str, *, field: str, bytes_max: int, blank_allowed: bool = False) -> str:
    """`value` as it is, or an `InvalidInput` that names `field`.

    Refused: blanks only (unless allowed), NUL (it ends a text in C libraries, the embedder among them), lone
    surrogates (they have no UTF-8), and more than `bytes_max` bytes.
    """
    if not blank_allowed and not value.strip():
        raise InvalidInput(f"{field} must not be empty", field=field)
    if "\x00" in value:
        raise InvalidInput(f"{field} must not contain the NUL character", field=field)
    try:
        size = len(value) if value.isascii() else len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{field} is not valid Unicode text (a lone surrogate)", field=field) from error
    if size > bytes_max:
        raise TooLarge(f"{field} is {size} bytes; the limit is {bytes_max}", field=field)
    return value


def check_identifier(value: str, *, field: str, bytes_max: int) -> str:
    """An identifier chosen by the caller: any non-blank text without control characters, other than `*` (DESIGN §1)."""
    check_text(value, field=field, bytes_max=bytes_max)
    if value == "*":
        raise InvalidInput(f"{field} must name one {field.removesuffix('_id')}; '*' is not allowed here", field=field)
    if _CONTROL_CHARACTER.search(value):
        raise InvalidInput(f"{field} must not contain control characters", field=field)
    return value
