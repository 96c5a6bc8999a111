"""A server without knowledge bases says so, whatever is asked of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.knowledge.bases import list_bases
from yiku.core.knowledge.documents import delete_document, list_documents
from yiku.core.knowledge.reading import read_document_lines
from yiku.core.knowledge.search import SearchNodes, search_nodes
from yiku.model.errors import KnowledgeOff
from yiku.ports import Ports


async def test_every_call_about_documents_is_refused_in_words_that_say_what_to_do(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, "words")
    off = replace(ports, documents=None)
    calls = (
        list_bases(off, ADMIN),
        new_base(off, "other"),
        list_documents(off, ADMIN, BASE),
        search_nodes(off, ADMIN, BASE, SearchNodes(text="words", top_k=1)),
        read_document_lines(off, ADMIN, BASE, document.id, offset=1, limit=1),
        delete_document(off, ADMIN, BASE, document.id),
    )
    for call in calls:
        with pytest.raises(KnowledgeOff, match="YIKU_KNOWLEDGE=on"):
            await call
