"""What stands behind the ? of an address, as fields. Of parameters that occur twice the last counts, and those that
are not known are ignored, as in bodies."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from yiku.wire.fields import F, parse_fields, schema_of

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,100}")


def decode_parameters(model: type[F], query_string: bytes) -> F:
    """The fields, or an `InvalidInput` that names the parameter."""
    given = dict(parse_qsl(query_string.decode("latin-1"), keep_blank_values=True))
    types = {name: field["type"] for name, field in schema_of(model)["properties"].items()}
    return parse_fields(
        model, "this call", {name: _value(text, types[name]) for name, text in given.items() if name in types}
    )


def _value(text: str, type: str) -> object:
    """Everything is text in an address; a number is meant where one is asked for."""
    return int(text) if type == "integer" and _WHOLE_NUMBER.fullmatch(text) else text
