"""Bodies, paths and parameters of the operations on knowledge bases, as commands and questions."""

from __future__ import annotations

from collections.abc import Mapping

from yiku.core.knowledge.bases import NewBase
from yiku.core.knowledge.upload import UploadDocument
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.texts import check_text
from yiku.wire.fields import parse_fields
from yiku.wire.opensearch_rest.decode import decode_path_id
from yiku.wire.opensearch_rest.knowledge_bodies import SOURCES, BaseBody, PageParameters, UploadBody, UploadDoc

URL_BYTES_MAX = 32 * 1024
"""Whoever fetches it draws the line lower."""


def decode_base_id(path: Mapping[str, str], limits: Limits) -> str:
    return decode_path_id(path["kb_id"], field="kb_id", limits=limits)


def decode_document_id(path: Mapping[str, str], limits: Limits) -> str:
    return decode_path_id(path["doc_id"], field="doc_id", limits=limits)


def decode_upload(body: UploadBody) -> UploadDocument:
    if body.type not in SOURCES:
        raise InvalidInput(f"type must be one of {', '.join(SOURCES)}", field="type")
    doc = parse_fields(UploadDoc, "doc", body.doc)
    url = check_text(doc.file_url, field="file_url", bytes_max=URL_BYTES_MAX)
    return UploadDocument(url=url, id=doc.id, title=doc.title)


def decode_base(body: BaseBody) -> NewBase:
    return NewBase(id=body.id, name=body.name, description=body.description)


def check_page(page: PageParameters, limits: Limits) -> PageParameters:
    if (page.page_number - 1) * page.page_size >= limits.page_window:
        raise InvalidInput(
            f"page_number × page_size reaches past the first {limits.page_window} rows", field="page_number"
        )
    return page
