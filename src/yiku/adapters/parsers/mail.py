"""What does a letter say, from whom to whom, and what is attached to it?

Attachments are named and not read. Mailers of the past write headers in raw GBK, and cut a character between two
encoded words, so bytes are put together first and decoded then.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message

from yiku.adapters.parsers.composition import Composition
from yiku.adapters.parsers.decoding import Decoded, declared_encoding, decode
from yiku.adapters.parsers.html import write_page
from yiku.adapters.parsers.normalised import on_one_line, says_something
from yiku.adapters.parsers.plain_text import notices_of
from yiku.model.parsed import ParsedDocument

_SHOWN = ("From", "To", "Cc", "Subject", "Date")
_PARTS_MAX = 1_000


def read(content: bytes, name: str) -> ParsedDocument:
    letter = message_from_bytes(content)
    composition = Composition()
    headers = {header: said for header in _SHOWN if (said := _header(letter.get(header)))}
    composition.block("\n".join(f"{header}: {said}" for header, said in headers.items()))
    parts = list(_parts(letter))
    body = _write_body([part for part in parts if not _is_attached(part)], composition)
    attached = [_attachment(part) for part in parts if _is_attached(part)]
    composition.block("\n".join(f"Attachment: {said}" for said in attached))
    return ParsedDocument(
        format="eml",
        text=says_something(composition.text, otherwise=f"{name} is no letter: it has neither headers nor text."),
        title=headers.get("Subject"),
        headings=composition.headings,
        encoding=body.encoding if body else None,
        notices=(
            *(notices_of(body) if body else ()),
            *((f"Attachments ({len(attached)}) are named, and were not read.",) if attached else ()),
        ),
    )


def _parts(letter: Message) -> Iterator[Message]:
    """All that is no mere wrapping, in order. A letter attached to a letter is one part, and stays closed."""
    waiting = [letter]
    for _ in range(_PARTS_MAX):
        if not waiting:
            return
        part = waiting.pop()
        inside = part.get_payload()
        if isinstance(inside, list) and part.get_content_maintype() != "message":
            waiting += [inner for inner in reversed(inside) if isinstance(inner, Message)]
        else:
            yield part


def _is_attached(part: Message) -> bool:
    return part.get_content_maintype() != "text" or part.get_content_disposition() == "attachment" or bool(_name(part))


def _write_body(parts: list[Message], composition: Composition) -> Decoded | None:
    """The plain text; that of the HTML where there is none. The text that was least sure of its characters speaks."""
    plain = [part for part in parts if part.get_content_subtype() != "html"]
    found = [(_decoded(part), part) for part in plain] if any(map(_payload, plain)) else []
    for decoded, _ in found:
        composition.block(decoded.text)
    if not found:
        found = [(_decoded(part), part) for part in parts if part.get_content_subtype() == "html"]
        for decoded, _ in found:
            page = Composition()
            write_page(decoded.text, page)
            composition.append(page)
    return max((decoded for decoded, _ in found), key=lambda decoded: decoded.replaced, default=None)


def _decoded(part: Message) -> Decoded:
    content = _payload(part)
    return decode(content, hint=part.get_content_charset() or declared_encoding(content))


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload.strip() if isinstance(payload, bytes) else b""


def _attachment(part: Message) -> str:
    inside = part.get_payload()
    if isinstance(inside, list):
        inner = inside[0] if inside and isinstance(inside[0], Message) else None
        return f"{_name(part) or _header(inner.get('Subject') if inner else None) or 'a letter'} (a letter)"
    return f"{_name(part) or 'without a name'} ({part.get_content_type()}, {len(_payload(part))} bytes)"


def _name(part: Message) -> str:
    return _header(part.get_filename())


def _header(written: str | Header | None) -> str:
    if written is None:
        return ""
    try:
        pieces = decode_header(written)
    except (HeaderParseError, ValueError):
        pieces = [(str(written), None)]
    return on_one_line("".join(_piece(piece, charset) for piece, charset in pieces))


def _piece(piece: str | bytes, charset: str | None) -> str:
    """Bytes that stand raw in a header come as surrogates, and the library calls their charset `unknown-8bit`."""
    if isinstance(piece, bytes):
        return decode(piece, hint=None if charset == "unknown-8bit" else charset).text
    try:
        return decode(piece.encode("utf-8", "surrogateescape")).text
    except UnicodeEncodeError:
        return piece
