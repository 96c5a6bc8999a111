"""What `yiku kb` does but for adding, by the verbs that the doors use too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from yiku.backends import OPERATOR, open_ports, working
from yiku.cli.store import has_store, require_store
from yiku.cli.tables import print_table
from yiku.core.access import in_workspace
from yiku.core.knowledge.bases import NewBase, create_base, delete_base, list_bases
from yiku.core.knowledge.documents import delete_document, list_documents
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.core.knowledge.tables import ask_tables, list_tables
from yiku.model.knowledge import Document
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.settings import Settings

AT_ONCE = 500
ROWS_SHOWN = 1_000


@asynccontextmanager
async def opened(settings: Settings, workspace: str, *, new: bool = False) -> AsyncIterator[tuple[Ports, Principal]]:
    """The store and who acts in it. Only what makes something makes a store where there is none."""
    if not new:
        await require_store(settings)
    elif not await has_store(settings):
        print(f"There was no store in {settings.place}: a new one is made.")
    async with open_ports(settings) as ports:
        yield ports, await in_workspace(ports, OPERATOR, workspace)


async def create(settings: Settings, workspace: str, name: str, *, id: str | None, description: str) -> int:
    async with opened(settings, workspace, new=True) as (ports, principal):
        base = await create_base(ports, principal, NewBase(name=name, id=id, description=description))
    print(base.id)
    return 0


async def show(settings: Settings, workspace: str) -> int:
    async with opened(settings, workspace) as (ports, principal):
        page = await list_bases(ports, principal, page_size=ports.limits.page_window)
    rows = [
        (one.base.id, one.base.name, str(one.documents), "active" if one.base.is_active else "archived")
        for one in page.bases
    ]
    print_table(("ID", "NAME", "DOCUMENTS", "STATE"), rows)
    return 0


async def documents(settings: Settings, workspace: str, base: str) -> int:
    async with opened(settings, workspace) as (ports, principal):
        found = await all_documents(ports, principal, base)
    print_table(("ID", "TITLE", "STATE", "PROGRESS", "WHY"), [_document_row(document) for document in found])
    return 0


async def all_documents(ports: Ports, principal: Principal, base: str) -> list[Document]:
    """Newest first."""
    found: list[Document] = []
    while True:
        page = await list_documents(ports, principal, base, page=len(found) // AT_ONCE + 1, page_size=AT_ONCE)
        found += page.documents
        if len(page.documents) < AT_ONCE:
            return found


async def remove(settings: Settings, workspace: str, base: str, documents: Sequence[str]) -> int:
    async with opened(settings, workspace) as (ports, principal), working(ports):
        if not documents:
            count = await delete_base(ports, principal, base)
            print(f"The base {base} is deleted, with {count} documents.")
        for document_id in documents:
            await delete_document(ports, principal, base, document_id)
            print(f"{document_id} is deleted.")
    return 0


async def search(settings: Settings, workspace: str, base: str, question: str, *, top: int) -> int:
    async with opened(settings, workspace) as (ports, principal):
        answer = await search_nodes(ports, principal, base, SearchNodes(text=question, top_k=top))
    for found in answer.found:
        span = found.hit.node.span
        place = " > ".join((found.document.title, *found.hit.node.path))
        print(f"{found.hit.score:.2f}  {place}, lines {span.start_line}-{span.end_line}  ({found.document.id})")
        print("      " + found.hit.content.strip().replace("\n", "\n      "))
    for notice in answer.notices:
        print(notice)
    if not answer.found:
        print("Nothing was found.")
    return 0


async def ask(settings: Settings, workspace: str, base: str, statement: str) -> int:
    async with opened(settings, workspace) as (ports, principal):
        if not statement:
            tables = await list_tables(ports, principal, base)
            rows = [(one.table.name, str(len(one.table.rows)), ", ".join(one.table.columns)) for one in tables]
            print_table(("TABLE", "ROWS", "COLUMNS"), rows)
            return 0
        answer = await ask_tables(ports, principal, base, statement, rows_max=ROWS_SHOWN)
    print_table(answer.columns, [["" if cell is None else str(cell) for cell in row] for row in answer.rows])
    if answer.is_cut:
        print("There is more: ask for fewer rows, or shorten the cells.")
    return 0


def _document_row(document: Document) -> tuple[str, ...]:
    why = f"{document.failure.code}: {document.failure.message}" if document.failure else ""
    return document.id, document.title, document.state.value, f"{document.progress} %", why
