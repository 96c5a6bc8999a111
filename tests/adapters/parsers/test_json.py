"""Records of JSON become lines; other JSON becomes readable."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import json_lines
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(text: str, name: str = "a.jsonl") -> ParsedDocument:
    document = json_lines.read(text.encode(), name)
    assert_well_formed(document)
    return document


def test_a_record_is_a_line_as_it_was_written() -> None:
    document = read('{"问":"甲", "n":1.0}\r\n\r\n  {"问":"乙"}\n')
    assert document.text == '{"问":"甲", "n":1.0}\n{"问":"乙"}'
    assert (document.format, document.lines_are_rows) == ("jsonl", True)


def test_a_bad_line_is_kept_and_named() -> None:
    document = read('{"a":1}\n{"a":\n{"a":3}\n')
    assert document.text.split("\n") == ['{"a":1}', '{"a":', '{"a":3}']
    assert document.notices == ("1 of 3 lines are not valid JSON and were kept as text: 2.",)


def test_one_record_is_a_record_when_the_name_says_so() -> None:
    assert read('{"a": 1}').format == "jsonl"
    assert read('{"a": 1}', "a.json").text == '{\n  "a": 1\n}'


def test_an_array_of_objects_is_a_record_a_line() -> None:
    document = read('[\n {"名": "甲",\n  "b": [1, 2]},\n {"名": "乙\\n丙"}\n]', "a.json")
    assert document.text.split("\n") == ['{"名": "甲", "b": [1, 2]}', '{"名": "乙\\n丙"}']
    assert (document.format, document.lines_are_rows) == ("json", True)


def test_other_json_is_laid_out_over_lines() -> None:
    document = read('{"名":{"b":[1]}}', "a.json")
    assert document.text.split("\n")[1] == '  "名": {'
    assert (document.format, document.lines_are_rows) == ("json", False)


@pytest.mark.parametrize("text", ["{not json", "[" * 100_000, '{"n": ' + "1" * 5_000 + "}", "prose\nmore prose"])
def test_what_is_no_json_is_read_as_text_and_says_so(text: str) -> None:
    document = read(text, "a.json")
    assert document.text == text
    assert "not valid JSON" in document.notices[0]


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    assert read('[{"a": "\\ud83d"}]', "a.json").text == '{"a": "\ufffd"}'


def test_a_blank_file_is_refused_as_empty() -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        json_lines.read(b" \n", "a.jsonl")
    assert refused.value.reason == "empty"


def test_the_case_file_has_fifty_rows() -> None:
    document = json_lines.read(case_file("jsonl_ok.jsonl"), "a.jsonl")
    assert document.text.count("\n") + 1 == 50


RECORDS = st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=4) | st.integers() | st.none()), min_size=2)


@given(RECORDS)
def test_every_record_comes_back_from_its_line(records: list[dict[str, object]]) -> None:
    lines = "\n".join(map(json.dumps, records))
    assert [json.loads(line) for line in read(lines).text.split("\n")] == records
