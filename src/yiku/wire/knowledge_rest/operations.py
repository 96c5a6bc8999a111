"""Every operation of the door: one registry that the routes, OpenAPI and the tests all read."""

from __future__ import annotations

import yiku.wire.knowledge_rest.bodies as takes
import yiku.wire.knowledge_rest.results as gives
from yiku.core.knowledge.addressed import read_any_revision
from yiku.core.knowledge.bases import NewBase, archive_base, create_base, delete_base, get_base, list_bases
from yiku.core.knowledge.documents import delete_document, list_documents, require_document
from yiku.core.knowledge.publishing import archive_document, list_revisions, publish_document
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.ports import Ports
from yiku.wire.fields import decode_id
from yiku.wire.knowledge_rest.bodies import file_of
from yiku.wire.knowledge_rest.encode import base_result, content_result, item_result, revision_result
from yiku.wire.rest_operations import Asked, Operation

PATH = "/v1/knowledge"
_BASE = "/bases/{base_id}"
_ITEM = f"{_BASE}/items/{{item_id}}"


async def _create_base(ports: Ports, asked: Asked) -> gives.BaseResult:
    body: takes.NewBaseBody = asked.body
    new = NewBase(name=body.name, description=body.description, id=body.id)
    return base_result(await create_base(ports, asked.principal, new))


async def _list_bases(ports: Ports, asked: Asked) -> gives.BaseListResult:
    found = await list_bases(ports, asked.principal, page=asked.query.page, page_size=asked.query.page_size)
    rows: list[gives.BaseRow] = [{**base_result(row.base), "items": row.documents} for row in found.bases]
    return {"count": found.count, "bases": rows}


async def _get_base(ports: Ports, asked: Asked) -> gives.BaseResult:
    return base_result(await get_base(ports, asked.principal, _id(ports, asked, "base_id")))


async def _archive_base(ports: Ports, asked: Asked) -> gives.BaseResult:
    return base_result(await archive_base(ports, asked.principal, _id(ports, asked, "base_id")))


async def _delete_base(ports: Ports, asked: Asked) -> gives.DeletedBaseResult:
    base_id = _id(ports, asked, "base_id")
    return {"id": base_id, "deleted": True, "items": await delete_base(ports, asked.principal, base_id)}


async def _create_item(ports: Ports, asked: Asked) -> gives.ItemResult:
    body: takes.NewItemBody = asked.body
    draft = UploadDocument(
        **file_of(body, bytes_max=ports.limits.document_bytes), title=body.title, publishes_itself=False
    )
    return item_result(await upload_document(ports, asked.principal, _id(ports, asked, "base_id"), draft))


async def _list_items(ports: Ports, asked: Asked) -> gives.ItemListResult:
    query: takes.PageQuery = asked.query
    base_id = _id(ports, asked, "base_id")
    found = await list_documents(ports, asked.principal, base_id, page=query.page, page_size=query.page_size)
    return {"count": found.count, "items": [item_result(document) for document in found.documents]}


async def _get_item(ports: Ports, asked: Asked) -> gives.ItemResult:
    _, document = await require_document(ports, asked.principal, *_item(ports, asked))
    return item_result(document)


async def _delete_item(ports: Ports, asked: Asked) -> gives.DeletedItemResult:
    base_id, item_id = _item(ports, asked)
    await delete_document(ports, asked.principal, base_id, item_id)
    return {"id": item_id, "deleted": True}


async def _create_revision(ports: Ports, asked: Asked) -> gives.ItemResult:
    body: takes.RevisionBody = asked.body
    base_id, item_id = _item(ports, asked)
    draft = UploadDocument(
        **file_of(body, bytes_max=ports.limits.document_bytes), id=item_id, title=body.title, publishes_itself=False
    )
    # An upload under an id that is not known would make an item of it.
    await require_document(ports, asked.principal, base_id, item_id)
    return item_result(await upload_document(ports, asked.principal, base_id, draft))


async def _list_revisions(ports: Ports, asked: Asked) -> gives.RevisionListResult:
    base_id, item_id = _item(ports, asked)
    query: takes.PageQuery = asked.query
    _, document = await require_document(ports, asked.principal, base_id, item_id)
    found = await list_revisions(ports, asked.principal, base_id, item_id, page=query.page, page_size=query.page_size)
    revisions = [revision_result(revision, document.current) for revision in found.revisions]
    return {"count": found.count, "revisions": revisions}


async def _get_revision(ports: Ports, asked: Asked) -> gives.RevisionContentResult:
    query: takes.PieceQuery = asked.query
    base_id, item_id = _item(ports, asked)
    revision_id = _id(ports, asked, "revision_id")
    piece = await read_any_revision(
        ports, asked.principal, base_id, item_id, revision_id, offset=query.offset, limit=query.limit_chars
    )
    return content_result(piece, query)


async def _publish_item(ports: Ports, asked: Asked) -> gives.ItemResult:
    body: takes.PublishBody = asked.body
    named = body.revision_id
    revision_id = None if named is None else decode_id(named, field="revision_id", limits=ports.limits)
    return item_result(await publish_document(ports, asked.principal, *_item(ports, asked), revision_id))


async def _archive_item(ports: Ports, asked: Asked) -> gives.ItemResult:
    return item_result(await archive_document(ports, asked.principal, *_item(ports, asked)))


def _item(ports: Ports, asked: Asked) -> tuple[str, str]:
    """The ids of the base and the item that the path names."""
    return _id(ports, asked, "base_id"), _id(ports, asked, "item_id")


def _id(ports: Ports, asked: Asked, name: str) -> str:
    return decode_id(asked.path[name], field=name, limits=ports.limits)


OPERATIONS: tuple[Operation[Ports], ...] = (
    Operation(
        method="POST",
        path="/bases",
        summary="Make a knowledge base",
        permission="knowledge:write",
        run=_create_base,
        body=takes.NewBaseBody,
        gives=gives.BaseResult,
        status=201,
        faults=(409,),
    ),
    Operation(
        method="GET",
        path="/bases",
        summary="All knowledge bases, oldest first, archived ones too",
        permission="knowledge:read",
        run=_list_bases,
        query=takes.PageQuery,
        gives=gives.BaseListResult,
    ),
    Operation(
        method="GET",
        path=_BASE,
        summary="An active knowledge base",
        permission="knowledge:read",
        run=_get_base,
        gives=gives.BaseResult,
        faults=(404, 413),
    ),
    Operation(
        method="DELETE",
        path=_BASE,
        summary="Delete a knowledge base with everything in it",
        permission="knowledge:write",
        run=_delete_base,
        gives=gives.DeletedBaseResult,
        faults=(404, 413),
    ),
    Operation(
        method="POST",
        path=f"{_BASE}/archive",
        summary="Archive a knowledge base: nothing of it is found or read any more",
        permission="knowledge:write",
        run=_archive_base,
        gives=gives.BaseResult,
        faults=(404, 409, 413),
    ),
    Operation(
        method="POST",
        path=f"{_BASE}/items",
        summary="Make an item; it is a draft until it is published",
        permission="knowledge:write",
        run=_create_item,
        body=takes.NewItemBody,
        gives=gives.ItemResult,
        status=201,
        faults=(404,),
    ),
    Operation(
        method="GET",
        path=f"{_BASE}/items",
        summary="The items of a base, newest first, drafts and archived ones too",
        permission="knowledge:read",
        run=_list_items,
        query=takes.PageQuery,
        gives=gives.ItemListResult,
        faults=(404, 413),
    ),
    Operation(
        method="GET",
        path=_ITEM,
        summary="An item and how far it is",
        permission="knowledge:read",
        run=_get_item,
        gives=gives.ItemResult,
        faults=(404, 413),
    ),
    Operation(
        method="DELETE",
        path=_ITEM,
        summary="Delete an item with all its revisions",
        permission="knowledge:write",
        run=_delete_item,
        gives=gives.DeletedItemResult,
        faults=(404, 409, 413),
    ),
    Operation(
        method="POST",
        path=f"{_ITEM}/revisions",
        summary="Give an item a new revision; what is published stays so",
        permission="knowledge:write",
        run=_create_revision,
        body=takes.RevisionBody,
        gives=gives.ItemResult,
        status=201,
        faults=(404,),
    ),
    Operation(
        method="GET",
        path=f"{_ITEM}/revisions",
        summary="The revisions of an item, newest first",
        permission="knowledge:read",
        run=_list_revisions,
        query=takes.PageQuery,
        gives=gives.RevisionListResult,
        faults=(404, 413),
    ),
    Operation(
        method="GET",
        path=f"{_ITEM}/revisions/{{revision_id}}",
        summary="A revision and a piece of its text",
        permission="knowledge:read",
        run=_get_revision,
        query=takes.PieceQuery,
        gives=gives.RevisionContentResult,
        faults=(404, 413),
    ),
    Operation(
        method="POST",
        path=f"{_ITEM}/publish",
        summary="Publish a revision, the latest by default; an archived item comes back with it",
        permission="knowledge:write",
        run=_publish_item,
        body=takes.PublishBody,
        body_required=False,
        gives=gives.ItemResult,
        faults=(404, 409),
    ),
    Operation(
        method="POST",
        path=f"{_ITEM}/archive",
        summary="Archive an item: it is neither found nor read any more",
        permission="knowledge:write",
        run=_archive_item,
        gives=gives.ItemResult,
        faults=(404, 409, 413),
    ),
)
