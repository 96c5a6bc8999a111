"""Is a record of a knowledge base that comes in readable as what it claims to be? As strictly as `bounds` asks.

What search and reading rely on must hold: who reads a record of the store never asks whether its parts are of the right
kind, nor whether its fields say the same as its body.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any, get_args

from yiku.core.knowledge.bases import DESCRIPTION_BYTES_MAX, NAME_BYTES_MAX
from yiku.core.knowledge.records import (
    BASE,
    DOCUMENT,
    DOCUMENT_FIELD,
    NODE,
    REVISION,
    REVISION_FIELD,
    TABLE,
    TEXT,
    base_of_record,
    document_of,
    document_record,
    leaf_content,
    node_of,
    revision_of,
    revision_record,
    table_of,
)
from yiku.core.knowledge.upload import TITLE_BYTES_MAX
from yiku.core.knowledge.veil import VEIL
from yiku.model.errors import InvalidInput
from yiku.model.knowledge import NodeKind
from yiku.model.limits import Limits
from yiku.model.parsed import Cell
from yiku.model.records import Record
from yiku.model.scopes import Partition
from yiku.model.texts import check_identifier, check_text
from yiku.ports.objects import ORIGINAL, ORIGINAL_PART

ID_BYTES_MAX = 256


def _check_base(record: Record, partition: Partition, limits: Limits) -> None:
    base = base_of_record(record, partition)
    check_identifier(_text(record.unique_key), field="its base", bytes_max=ID_BYTES_MAX)
    check_identifier(_text(base.name), field="its name", bytes_max=NAME_BYTES_MAX)
    check_text(_text(base.description), field="its description", bytes_max=DESCRIPTION_BYTES_MAX, blank_allowed=True)
    _require(isinstance(base.is_active, bool), "it does not say whether it is in use")


def _check_document(record: Record, partition: Partition, limits: Limits) -> None:
    document = document_of(record, partition)
    _require(document_record(document).fields == record.fields, "its fields are not those of its document")
    check_text(_text(document.title), field="its title", bytes_max=_title_bytes(limits))
    _text(document.source)
    for revision_id in (document.latest, document.current):
        if revision_id is not None:
            check_identifier(_text(revision_id), field="its revision", bytes_max=ID_BYTES_MAX)
    _require(0 <= _whole(document.progress) <= 100, "its progress is none")
    _require(isinstance(document.publishes_itself, bool), "it does not say whether it publishes itself")
    if document.failure is not None:
        _text(document.failure.code)
        _text(document.failure.message)
    if document.digest is not None:
        _text(document.digest)


def _check_revision(record: Record, partition: Partition, limits: Limits) -> None:
    revision = revision_of(record)
    _require(revision_record(revision).fields == record.fields, "its fields are not those of its revision")
    check_identifier(_text(revision.document_id), field="its document", bytes_max=ID_BYTES_MAX)
    check_text(_text(revision.title), field="its title", bytes_max=_title_bytes(limits))
    _text(revision.format)
    _text(revision.source)
    for number in (revision.lines, revision.characters, revision.nodes_indexed):
        _whole(number)
    for numbers in (revision.part_lines, revision.part_starts, revision.page_lines):
        _ascending(numbers)
    _ascending([heading.line for heading in revision.headings])
    _require(len(revision.part_lines) == len(revision.part_starts), "its parts have not all a line and a beginning")
    for heading in revision.headings:
        _whole(heading.level)
        _text(heading.title)
    for said in (*revision.tables, *revision.notices):
        _text(said)
    for known in (revision.lines_are_rows, revision.has_text, revision.was_published):
        _require(isinstance(known, bool), "it does not say how far it is")


def _check_text(record: Record, partition: Partition, limits: Limits) -> None:
    _of_revision(record)
    _text(record.body["text"])


def _check_node(record: Record, partition: Partition, limits: Limits) -> None:
    _of_revision(record)
    node = node_of(record)
    check_identifier(_text(record.fields[DOCUMENT_FIELD]), field="its document", bytes_max=ID_BYTES_MAX)
    check_identifier(node.id, field="its node", bytes_max=ID_BYTES_MAX)
    _text(node.title)
    for title in node.path:
        _text(title)
    if node.parent_id is not None:
        _text(node.parent_id)
    _whole(node.level)
    _whole(node.ordinal)
    span = node.span
    _ascending((span.start_line, span.end_line))
    _ascending((span.char_start, span.char_end))
    if span.page_start is not None or span.page_end is not None:
        _ascending((span.page_start, span.page_end))
    _require((node.kind is NodeKind.LEAF) == (record.text is not None), "only a leaf has a text, and each has one")
    if node.kind is NodeKind.LEAF:
        _require(isinstance(record.body["content"], str), "its content is no text")
        check_text(leaf_content(record), field="its content", bytes_max=limits.memory_bytes, blank_allowed=True)


def _check_table(record: Record, partition: Partition, limits: Limits) -> None:
    _of_revision(record)
    _text(record.fields[DOCUMENT_FIELD])
    table = table_of(record)
    _text(table.name)
    names = {_text(name) for name in table.columns}
    _require(len(names) == len(table.columns), "two of its columns have one name")
    for row in table.rows:
        _require(len(row) == len(table.columns), "one of its rows has more or fewer cells than there are columns")
        _require(all(isinstance(cell, get_args(Cell)) for cell in row), "one of its cells is no value")


def _check_veil(record: Record, partition: Partition, limits: Limits) -> None:
    for revision_id in record.body["hidden"]:
        check_identifier(_text(revision_id), field="a revision in it", bytes_max=ID_BYTES_MAX)


def _check_original(record: Record, partition: Partition, limits: Limits) -> None:
    _require(set(record.body) == {"parts", "digest"}, "it is no original")
    _require(_whole(record.body["parts"]) <= limits.document_bytes, "it has too many parts")
    _text(record.unique_key)
    _text(record.body["digest"])


def _check_part(record: Record, partition: Partition, limits: Limits) -> None:
    _text(record.fields["of"])
    _text(record.fields["token"])
    b64decode(_text(record.body["base64"]), validate=True)


OF_LIBRARY: Mapping[str, Callable[[Record, Partition, Limits], None]] = {BASE: _check_base}
OF_BASE: Mapping[str, Callable[[Record, Partition, Limits], None]] = {
    DOCUMENT: _check_document,
    REVISION: _check_revision,
    TEXT: _check_text,
    NODE: _check_node,
    TABLE: _check_table,
    VEIL: _check_veil,
    ORIGINAL: _check_original,
    ORIGINAL_PART: _check_part,
}
"""What a record of a base must be readable as, by its kind."""


def _of_revision(record: Record) -> None:
    """Its id begins with that of the revision: whoever reads a revision relies on it."""
    revision_id = check_identifier(_text(record.fields[REVISION_FIELD]), field="its revision", bytes_max=ID_BYTES_MAX)
    _require(record.id.startswith(f"{revision_id}/"), "its id is not one of its revision")


def _title_bytes(limits: Limits) -> int:
    """One that a document says itself may be longer than one that is given."""
    return max(TITLE_BYTES_MAX, limits.memory_bytes)


def _ascending(numbers: Any) -> None:
    before = 0
    for number in numbers:
        _require(_whole(number) >= before, "its numbers do not ascend")
        before = number


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidInput("it has something else where a number belongs")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput("it has something else where a text belongs")
    return value


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise InvalidInput(reason)
