"""The operations on knowledge bases and their documents, all below V3."""

from __future__ import annotations

import yiku.wire.opensearch_rest.knowledge_bodies as takes
import yiku.wire.opensearch_rest.knowledge_decode as decode
import yiku.wire.opensearch_rest.knowledge_encode as encode
import yiku.wire.opensearch_rest.knowledge_results as gives
from yiku.core.knowledge.bases import create_base, delete_base, list_bases
from yiku.core.knowledge.documents import delete_document, get_document, list_documents
from yiku.core.knowledge.upload import upload_document
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.opensearch_rest.operation import Operation, Path


async def _upload(ports: Ports, principal: Principal, path: Path, body: takes.UploadBody) -> gives.DocumentAnswer:
    base_id = decode.decode_base_id(path, ports.limits)
    document = await upload_document(ports, principal, base_id, decode.decode_upload(body))
    return encode.document_answer(document.id)


async def _list(ports: Ports, principal: Principal, path: Path, asked: takes.PageParameters) -> gives.DocumentsResult:
    base_id = decode.decode_base_id(path, ports.limits)
    page = decode.check_page(asked, ports.limits)
    found = await list_documents(ports, principal, base_id, page=page.page_number, page_size=page.page_size)
    return encode.documents_result(found)


async def _get(ports: Ports, principal: Principal, path: Path, body: None) -> gives.DocumentResult:
    return encode.document_result(await get_document(ports, principal, *_document(path, ports)))


async def _delete(ports: Ports, principal: Principal, path: Path, body: None) -> gives.DocumentAnswer:
    base_id, document_id = _document(path, ports)
    await delete_document(ports, principal, base_id, document_id)
    return encode.document_answer(document_id)


async def _create_base(ports: Ports, principal: Principal, path: Path, body: takes.BaseBody) -> gives.BaseResult:
    return encode.base_result(await create_base(ports, principal, decode.decode_base(body)))


async def _list_bases(ports: Ports, principal: Principal, path: Path, asked: takes.PageParameters) -> gives.BasesResult:
    page = decode.check_page(asked, ports.limits)
    return encode.bases_result(await list_bases(ports, principal, page=page.page_number, page_size=page.page_size))


async def _delete_base(ports: Ports, principal: Principal, path: Path, body: None) -> gives.BaseDeleted:
    base_id = decode.decode_base_id(path, ports.limits)
    return encode.base_deleted(base_id, await delete_base(ports, principal, base_id))


def _document(path: Path, ports: Ports) -> tuple[str, str]:
    """The ids of a base and of a document in it."""
    return decode.decode_base_id(path, ports.limits), decode.decode_document_id(path, ports.limits)


KNOWLEDGE_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="uploadDocument",
        title="Upload a document",
        description="Takes the address of a file and answers at once; it is fetched and read in the background. Look "
        "at the document to learn what became of it: PROCESSING, SUCCESS, or FAIL with the reason.",
        method="POST",
        path="/knowledge-bases/{kb_id}/docs",
        permission="knowledge:write",
        takes=takes.UploadBody,
        gives=gives.DocumentAnswer,
        run=_upload,
        version="v3",
    ),
    Operation(
        name="listDocuments",
        title="List documents",
        description="The documents of a base, newest first, page by page; those that could not be read too.",
        method="GET",
        path="/knowledge-bases/{kb_id}/docs",
        permission="knowledge:read",
        asks=takes.PageParameters,
        gives=gives.DocumentsResult,
        run=_list,
        version="v3",
    ),
    Operation(
        name="getDocument",
        title="Read a document",
        description="One document with its text as it is found: while a new upload is being read, the one before. Of a "
        "very long one the beginning; the tools of the MCP door read any part.",
        method="GET",
        path="/knowledge-bases/{kb_id}/docs/{doc_id}",
        permission="knowledge:read",
        gives=gives.DocumentResult,
        run=_get,
        version="v3",
    ),
    Operation(
        name="deleteDocument",
        title="Delete a document",
        description="Nobody finds or reads it from now on, and all that belongs to it is taken away.",
        method="DELETE",
        path="/knowledge-bases/{kb_id}/docs/{doc_id}",
        permission="knowledge:write",
        gives=gives.DocumentAnswer,
        run=_delete,
        version="v3",
    ),
    Operation(
        name="createKnowledgeBase",
        title="Make a knowledge base",
        description="A new, empty base. An id that is taken is a conflict.",
        method="POST",
        path="/knowledge-bases",
        permission="knowledge:write",
        takes=takes.BaseBody,
        gives=gives.BaseResult,
        run=_create_base,
        version="v3",
        ours=True,
    ),
    Operation(
        name="listKnowledgeBases",
        title="List knowledge bases",
        description="The bases of the workspace in the order in which they were made, archived ones too, each with "
        "the number of its documents.",
        method="GET",
        path="/knowledge-bases",
        permission="knowledge:read",
        asks=takes.PageParameters,
        gives=gives.BasesResult,
        run=_list_bases,
        version="v3",
        ours=True,
    ),
    Operation(
        name="deleteKnowledgeBase",
        title="Delete a knowledge base",
        description="Deletes a base with all its documents for good.",
        method="DELETE",
        path="/knowledge-bases/{kb_id}",
        permission="knowledge:write",
        gives=gives.BaseDeleted,
        run=_delete_base,
        version="v3",
        ours=True,
    ),
)
