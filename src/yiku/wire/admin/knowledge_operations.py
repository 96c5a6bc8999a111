"""Operations of the admin's door on knowledge bases, in any workspace: files are sent here as they are."""

from __future__ import annotations

import yiku.wire.admin.bodies as takes
import yiku.wire.admin.results as gives
from yiku.core.knowledge.bases import NewBase, create_base, delete_base, get_base, list_bases
from yiku.core.knowledge.documents import delete_document, list_documents, require_document
from yiku.core.knowledge.tables import ask_tables
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.wire.admin.encode import base_result, document_result
from yiku.wire.admin.office import Office, placed
from yiku.wire.fields import decode_id
from yiku.wire.forms import FILE_PART, File
from yiku.wire.rest_operations import Asked, Operation


async def _create_base(office: Office, asked: Asked) -> gives.BaseResult:
    body: takes.NewBaseBody = asked.body
    new = NewBase(name=body.name, id=body.id, description=body.description)
    return base_result(await create_base(office.ports, await placed(office, asked), new))


async def _list_bases(office: Office, asked: Asked) -> gives.BaseListResult:
    principal, query = await placed(office, asked), asked.query
    found = await list_bases(office.ports, principal, page=query.page, page_size=query.page_size)
    bases: list[gives.ListedBaseResult] = [{**base_result(one.base), "documents": one.documents} for one in found.bases]
    return {"workspace": principal.workspace, "count": found.count, "bases": bases}


async def _get_base(office: Office, asked: Asked) -> gives.BaseResult:
    return base_result(await get_base(office.ports, await placed(office, asked), _base_id(office, asked)))


async def _delete_base(office: Office, asked: Asked) -> gives.DeletedBaseResult:
    base_id = _base_id(office, asked)
    return {"id": base_id, "documents": await delete_base(office.ports, await placed(office, asked), base_id)}


async def _list_documents(office: Office, asked: Asked) -> gives.DocumentListResult:
    principal, query = await placed(office, asked), asked.query
    base_id = _base_id(office, asked)
    found = await list_documents(office.ports, principal, base_id, page=query.page, page_size=query.page_size)
    return {"count": found.count, "documents": [document_result(document) for document in found.documents]}


async def _upload_documents(office: Office, asked: Asked) -> gives.UploadedResult:
    """Each file for itself: one that is refused keeps no other out. Where all are, the first reason is the answer."""
    body: takes.FilesBody = asked.body
    files = asked.form.files if asked.form else ()
    if not files:
        raise InvalidInput(f"Send at least one file, as a part named '{FILE_PART}' with a filename", field=FILE_PART)
    if len(files) > 1 and (body.id is not None or body.title is not None):
        raise InvalidInput("id and title go with a single file", field="title" if body.id is None else "id")
    principal, base_id = await placed(office, asked), _base_id(office, asked)
    taken: gives.UploadedResult = {"documents": [], "refused": []}
    first: InvalidInput | None = None
    for file in files:
        try:
            taken["documents"].append(await _taken(office, principal, base_id, file, body))
        except InvalidInput as error:
            first = first or error
            taken["refused"].append({"file": file.name, "code": error.code, "message": error.message})
    if first is not None and not taken["documents"]:
        raise first
    return taken


async def _taken(
    office: Office, principal: Principal, base_id: str, file: File, body: takes.FilesBody
) -> gives.DocumentResult:
    upload = UploadDocument(content=await file.read(), name=file.name, id=body.id, title=body.title)
    return document_result(await upload_document(office.ports, principal, base_id, upload))


async def _get_document(office: Office, asked: Asked) -> gives.DocumentResult:
    principal, base_id = await placed(office, asked), _base_id(office, asked)
    _, document = await require_document(office.ports, principal, base_id, _document_id(office, asked))
    return document_result(document)


async def _delete_document(office: Office, asked: Asked) -> gives.DeletedDocumentResult:
    principal, document_id = await placed(office, asked), _document_id(office, asked)
    await delete_document(office.ports, principal, _base_id(office, asked), document_id)
    return {"id": document_id, "deleted": True}


async def _ask_tables(office: Office, asked: Asked) -> gives.SqlResult:
    body: takes.SqlBody = asked.body
    principal = await placed(office, asked)
    answer = await ask_tables(
        office.ports,
        principal,
        _base_id(office, asked),
        body.sql,
        document_ids=_document_ids(body.doc_ids),
        rows_max=body.rows_max,
    )
    return {"columns": list(answer.columns), "rows": [list(row) for row in answer.rows], "is_cut": answer.is_cut}


def _base_id(office: Office, asked: Asked) -> str:
    return decode_id(asked.path["base_id"], field="base_id", limits=office.ports.limits)


def _document_id(office: Office, asked: Asked) -> str:
    return decode_id(asked.path["id"], field="id", limits=office.ports.limits)


def _document_ids(given: object) -> list[str] | None:
    if given is not None and not (isinstance(given, list) and all(isinstance(one, str) for one in given)):
        raise InvalidInput("doc_ids must be a list of ids", field="doc_ids")
    return given


OF_KNOWLEDGE: tuple[Operation[Office], ...] = (
    Operation(
        method="POST",
        path="/bases",
        summary="Make a knowledge base",
        permission="admin",
        run=_create_base,
        query=takes.WorkspaceQuery,
        body=takes.NewBaseBody,
        gives=gives.BaseResult,
        status=201,
        faults=(404, 409, 413),
    ),
    Operation(
        method="GET",
        path="/bases",
        summary="The knowledge bases of a workspace, oldest first",
        permission="admin",
        run=_list_bases,
        query=takes.PlacedPageQuery,
        gives=gives.BaseListResult,
        faults=(404,),
    ),
    Operation(
        method="GET",
        path="/bases/{base_id}",
        summary="One knowledge base",
        permission="admin",
        run=_get_base,
        query=takes.WorkspaceQuery,
        gives=gives.BaseResult,
        faults=(404,),
    ),
    Operation(
        method="DELETE",
        path="/bases/{base_id}",
        summary="Delete a knowledge base with all its documents",
        permission="admin",
        run=_delete_base,
        query=takes.WorkspaceQuery,
        gives=gives.DeletedBaseResult,
        faults=(404,),
    ),
    Operation(
        method="GET",
        path="/bases/{base_id}/documents",
        summary="The documents of a base, newest first, and what became of each",
        permission="admin",
        run=_list_documents,
        query=takes.PlacedPageQuery,
        gives=gives.DocumentListResult,
        faults=(404,),
    ),
    Operation(
        method="POST",
        path="/bases/{base_id}/documents",
        summary="Add files",
        permission="admin",
        run=_upload_documents,
        query=takes.WorkspaceQuery,
        body=takes.FilesBody,
        takes_files=True,
        gives=gives.UploadedResult,
        status=201,
        faults=(404, 409),
    ),
    Operation(
        method="GET",
        path="/bases/{base_id}/documents/{id}",
        summary="What became of a document",
        permission="admin",
        run=_get_document,
        query=takes.WorkspaceQuery,
        gives=gives.DocumentResult,
        faults=(404,),
    ),
    Operation(
        method="DELETE",
        path="/bases/{base_id}/documents/{id}",
        summary="Delete a document",
        permission="admin",
        run=_delete_document,
        query=takes.WorkspaceQuery,
        gives=gives.DeletedDocumentResult,
        faults=(404, 409),
    ),
    Operation(
        method="POST",
        path="/bases/{base_id}/sql",
        summary="Ask the tables of a base by SQL",
        permission="admin",
        run=_ask_tables,
        query=takes.WorkspaceQuery,
        body=takes.SqlBody,
        gives=gives.SqlResult,
        faults=(404, 413),
    ),
)
