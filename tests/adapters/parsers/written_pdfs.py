"""Small PDFs written by hand, and how tests ask for the parser's refusal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from yiku.adapters.parsers.child_process import ChildParser
from yiku.model.errors import DocumentUnreadable

Styled = str | tuple[str, int]
"""A line, or a line and the size of its type."""


def written_pdf(pages: Sequence[Sequence[Styled]], *, extra: Sequence[str] = (), catalog: str = "") -> bytes:
    """Lines from the top of each page down, in Helvetica. `extra` are objects that come after the pages', which are
    3 (the font) and then a page and its content in turn from 4 on."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        drawn = _drawn(lines)
        resources = "/Resources << /Font << /F 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    return _numbered([*objects, *extra])


async def refusal(content: bytes, name: str, *, parser: ChildParser | None = None) -> DocumentUnreadable:
    with pytest.raises(DocumentUnreadable) as refused:
        await (parser or ChildParser(ocr=False)).parse(content, name=name)
    return refused.value


def _drawn(lines: Sequence[Styled]) -> str:
    height, drawn = 740, []
    for line in lines:
        text, size = (line, 10) if isinstance(line, str) else line
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        drawn.append(f"BT /F {size} Tf 60 {height} Td ({escaped}) Tj ET")
        height -= size + 8
    return "\n".join(drawn)


def _numbered(objects: Sequence[str]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()
