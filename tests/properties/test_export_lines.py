"""Does every line of an export come back as it was, and is every change of one noticed?"""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yiku.core.transfer.lines import content_of, line_of
from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN
from yiku.model.errors import InvalidInput

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(INTEGER_MIN, INTEGER_MAX)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)
CONTENTS = st.dictionaries(TEXT, VALUES, max_size=4)


@given(CONTENTS)
def test_what_is_written_is_read_back(content: dict[str, Any]) -> None:
    assert content_of(line_of("record", content)) == ("record", content)


PIECES = ["\\", "u0000", "ud800", "uD83D", "ude00", "\\u", '"', "\n", "😀", "忆", "x"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_text_that_looks_like_an_escape_is_text(text: str) -> None:
    """Paths, regular expressions and JSON that somebody quotes hold them."""
    for content in ({"text": text}, {text: 1}, {"inner": [text, {"deep": text}]}):
        assert content_of(line_of("record", content)) == ("record", content)


@pytest.mark.parametrize("behind", ["", "\\", "\\\\", "\\u0000\\"])
@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\uDFFF"])
def test_a_character_that_no_store_can_hold_is_refused(behind: str, escape: str) -> None:
    start = json.dumps({"record": {"text": behind + "@"}}).replace("@", escape)[:-1].encode()
    with pytest.raises(InvalidInput, match="characters that cannot be stored"):
        content_of(b'%s,"crc32":"%08x"}\n' % (start, crc32(start)))


@given(CONTENTS, st.data())
def test_a_byte_that_changed_is_noticed(content: dict[str, Any], data: st.DataObject) -> None:
    line = bytearray(line_of("record", content))
    position = data.draw(st.integers(0, len(line) - 2))
    line[position] ^= data.draw(st.integers(1, 255))
    with pytest.raises(InvalidInput):
        content_of(bytes(line))


@pytest.mark.parametrize("number", [INTEGER_MIN - 1, INTEGER_MAX + 1, 10**400])
def test_a_number_that_no_store_can_hold_is_refused(number: int) -> None:
    with pytest.raises(InvalidInput, match="cannot be stored"):
        content_of(line_of("record", {"n": number}))
