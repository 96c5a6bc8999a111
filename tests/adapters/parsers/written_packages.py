"""Office files and e-books small enough to be written in a test: ZIP archives of a few parts."""

from __future__ import annotations

import io
import zipfile

_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def package(**parts: str | bytes) -> bytes:
    """Names are given as keyword arguments through a mapping: they have slashes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def docx(body: str) -> bytes:
    """`body` is what stands in w:body. Styles Heading1 to Heading3 are known."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        f'<w:pPr><w:outlineLvl w:val="{level - 1}"/></w:pPr></w:style>'
        for level in (1, 2, 3)
    )
    relations = f'<Relationship Id="s" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return package(
        **{
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
            "word/styles.xml": f'<w:styles xmlns:w="{_W}">{styles}</w:styles>',
        }
    )


def paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def shape(text: str, kind: str = "") -> str:
    """A shape of a slide; each line of `text` is a paragraph. `kind` is that of its placeholder."""
    paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    placeholder = f'<p:ph type="{kind}"/>' if kind else ""
    return f"<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def pptx(*slides: str, order: tuple[int, ...] | None = None, notes: str = "") -> bytes:
    """`slides` are the shapes of each; `order` the numbers in which they are shown; `notes` those of the first."""
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/slide" Target="slides/slide{number}.xml"/>'
        for number in range(1, len(slides) + 1)
    )
    shown = "".join(f'<p:sldId id="{number}" r:id="r{number}"/>' for number in order or range(1, len(slides) + 1))
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": f"<p:presentation {_P} {_R}><p:sldIdLst>{shown}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
    }
    for number, shapes in enumerate(slides, 1):
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {_P} {_A} {_R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
    if notes:
        to_notes = f'<Relationship Id="n" Type="{_OFFICE}/notesSlide" Target="../notesSlides/notesSlide1.xml"/>'
        parts["ppt/slides/_rels/slide1.xml.rels"] = f'<Relationships xmlns="{_RELATIONS}">{to_notes}</Relationships>'
        parts["ppt/notesSlides/notesSlide1.xml"] = f"<p:notes {_P} {_A}>{shape(notes, 'body')}</p:notes>"
    return package(**parts)


def epub(contents: str, **chapters: str) -> bytes:
    """`chapters` are bodies by name, in order; `contents` is the list of contents, of EPUB 3."""
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    html = 'xmlns="http://www.w3.org/1999/xhtml"'
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="book/b.opf"/></rootfiles></container>',
        "book/b.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>书名</dc:title></metadata>"
        f'<manifest><item id="nav" href="nav.xhtml" properties="nav"/>{items}</manifest>'
        f"<spine>{spine}</spine></package>",
        "book/nav.xhtml": f"<html {html}><body><nav><ol>{contents}</ol></nav></body></html>",
    }
    parts |= {
        f"book/{name}.xhtml": f"<html {html}><head><title>x</title></head><body>{body}</body></html>"
        for name, body in chapters.items()
    }
    return package(**parts)


def odt(body: str, *, encrypted: bool = False) -> bytes:
    office = "urn:oasis:names:tc:opendocument:xmlns"
    entry = "<encryption-data/>" if encrypted else ""
    return package(
        **{
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": f"<manifest>{entry}</manifest>",
            "content.xml": f'<office:document-content xmlns:office="{office}:office:1.0" '
            f'xmlns:text="{office}:text:1.0" xmlns:table="{office}:table:1.0">'
            f"<office:body><office:text>{body}</office:text></office:body></office:document-content>",
        }
    )
