"""From a file to passages that are found; and how that goes wrong, is done again, and is undone."""

from __future__ import annotations

import asyncio
import io
import zipfile
from dataclasses import replace

import pytest

from tests.documents import ADMIN, BASE, ingest_all, new_base, upload
from yiku.core.knowledge.bases import delete_base
from yiku.core.knowledge.documents import delete_document, get_document, list_documents
from yiku.core.knowledge.publishing import archive_document
from yiku.core.knowledge.records import NODE, TEXT
from yiku.core.knowledge.search import SearchNodes, search_documents, search_nodes
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.core.work import OF_DOCUMENTS, OF_VECTORS, run_jobs
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.knowledge import DocumentState
from yiku.model.records import PageQuery
from yiku.model.scopes import base_partition
from yiku.ports import Ports

GUIDE = (
    "# 使用指南\n介绍。\n## 权限\n配置权限需在控制台的访问控制页面进行。\n"
    "## Returns\nGoods can be returned within {days} days.\n"
)


async def found(ports: Ports, text: str) -> list[str]:
    """The passages that a search finds, best first."""
    answer = await search_nodes(ports, ADMIN, BASE, SearchNodes(text=text, top_k=5))
    return [one.hit.content.strip() for one in answer.found]


async def held(ports: Ports, kind: str) -> int:
    partition = base_partition("default", BASE)
    return (await ports.storage.page(PageQuery(partitions=(partition,), kind=kind, limit=0))).count


async def test_a_document_is_found_by_what_stands_in_it(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, GUIDE.format(days=7), name="指南.md")
    assert (document.state, document.progress, document.title) == (DocumentState.SUCCESS, 100, "使用指南")
    assert (await found(ports, "如何配置权限"))[0] == "配置权限需在控制台的访问控制页面进行。"
    assert (await found(ports, "within how many days can goods be returned"))[0].startswith("Goods can be")


async def test_before_its_vectors_are_made_a_first_revision_is_found_by_its_words(ports: Ports) -> None:
    await new_base(ports)
    long = GUIDE.format(days=7) + "".join(f"## Part {number}\nMore of it.\n" for number in range(40))
    pending = await upload_document(ports, ADMIN, BASE, UploadDocument(content=long.encode(), name="guide.md"))
    assert pending.state is DocumentState.PROCESSING
    assert await found(ports, "权限") == []
    await run_jobs(ports, await ports.storage.claim(OF_DOCUMENTS, lease_s=60, limit=1))
    assert await found(ports, "权限")
    shown = (await get_document(ports, ADMIN, BASE, pending.id)).document
    assert (shown.state, shown.current) == (DocumentState.PROCESSING, shown.latest)


async def test_the_same_file_again_is_nothing_new_and_another_replaces_it_at_once(ports: Ports) -> None:
    await new_base(ports)
    first = await upload(ports, GUIDE.format(days=7), id="guide")
    again = await upload(ports, GUIDE.format(days=7), id="guide")
    assert again.latest == first.latest
    second = await upload(ports, GUIDE.format(days=30), id="guide")
    assert second.current == second.latest != first.latest
    texts = await found(ports, "Goods can be returned within days")
    assert "Goods can be returned within 30 days." in texts
    assert not any("7 days" in text for text in texts)


async def test_a_shorter_text_leaves_nothing_of_the_longer_one(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "# A\naaa bbb\n# B\nddd\n", id="d")
    await upload(ports, "ccc", id="d")
    assert await found(ports, "bbb") in ([], ["ccc"])
    assert await held(ports, NODE) == 1


async def test_unchanged_sections_keep_the_ids_of_their_nodes(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, GUIDE.format(days=7), id="guide")
    before = await search_nodes(ports, ADMIN, BASE, SearchNodes(text="配置权限", top_k=1))
    await upload(ports, "# Foreword\nNew.\n" + GUIDE.format(days=30), id="guide")
    after = await search_nodes(ports, ADMIN, BASE, SearchNodes(text="配置权限", top_k=1))
    assert before.found[0].hit.node.id == after.found[0].hit.node.id
    assert after.found[0].hit.node.span.start_line == before.found[0].hit.node.span.start_line + 2


async def test_while_a_new_revision_is_stored_the_old_one_is_found_whole(ports: Ports) -> None:
    """The worker is stopped after the nodes of the new revision are stored and before it is current."""
    await new_base(ports)
    document = await upload(ports, GUIDE.format(days=7), id="guide")
    await upload_document(
        ports, ADMIN, BASE, UploadDocument(content=GUIDE.format(days=30).encode(), name="guide.md", id="guide")
    )
    await run_jobs(ports, await ports.storage.claim(OF_DOCUMENTS, lease_s=60, limit=1))
    jobs = await ports.storage.claim(OF_VECTORS, lease_s=60, limit=1)
    # Somebody else takes the lease over at the end: the last commit, which holds the job, is refused.
    await ports.storage.release(jobs, delay_s=0, error=None)
    await run_jobs(ports, jobs)
    assert await held(ports, NODE) > 6
    texts = await found(ports, "Goods can be returned within days")
    assert any("7 days" in text for text in texts)
    assert not any("30 days" in text for text in texts)
    assert (await get_document(ports, ADMIN, BASE, document.id)).document.current == document.current
    await ingest_all(ports)
    assert any("30 days" in text for text in await found(ports, "Goods can be returned within days"))


async def test_a_deleted_document_leaves_nothing_behind(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, GUIDE.format(days=7))
    await upload(ports, GUIDE.format(days=9), id=document.id)
    await delete_document(ports, ADMIN, BASE, document.id)
    assert await found(ports, "权限") == []
    with pytest.raises(NotFound):
        await get_document(ports, ADMIN, BASE, document.id)
    await ingest_all(ports)
    left = await ports.storage.scan(base_partition("default", BASE))
    assert {change.ref.kind for change in left if change.record is not None} == {"veil"}


async def test_a_document_deleted_while_it_waits_is_not_read_in(ports: Ports) -> None:
    await new_base(ports)
    document = await upload_document(ports, ADMIN, BASE, UploadDocument(content=b"hello", name="a.txt"))
    await delete_document(ports, ADMIN, BASE, document.id)
    await ingest_all(ports)
    assert await held(ports, NODE) == await held(ports, TEXT) == 0
    assert (await list_documents(ports, ADMIN, BASE)).count == 0


async def test_a_deleted_document_can_be_uploaded_anew_under_its_id(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "old words", id="d")
    await delete_document(ports, ADMIN, BASE, "d")
    document = await upload(ports, "new words", id="d")
    assert document.state is DocumentState.SUCCESS
    assert await found(ports, "words") == ["new words"]


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"", "empty.txt", "empty"),
        (b"PK\x03\x04 not a zip", "broken.docx", "corrupt"),
        (b"   \n\n", "blank.md", "empty"),
    ],
)
async def test_what_yields_no_text_fails_with_a_reason(ports: Ports, content: bytes, name: str, reason: str) -> None:
    await new_base(ports)
    document = await upload(ports, content, name=name)
    assert document.state is DocumentState.FAIL
    assert document.failure is not None
    assert document.failure.code == reason
    assert len(document.failure.message) > 20


async def test_a_revision_that_cannot_be_read_leaves_the_one_before_in_force(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "good words", id="d")
    document = await upload(ports, b"", id="d")
    assert document.state is DocumentState.FAIL
    assert await found(ports, "words") == ["good words"]


async def test_two_uploads_of_one_id_before_either_is_read_end_with_the_later_one(ports: Ports) -> None:
    await new_base(ports)
    for text in ("first words", "second words"):
        await upload_document(ports, ADMIN, BASE, UploadDocument(content=text.encode(), name="a.txt", id="d"))
    await ingest_all(ports)
    assert await found(ports, "words") == ["second words"]
    assert await held(ports, TEXT) == 1


async def test_the_same_bytes_under_two_names_are_two_documents(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "the same", name="a.txt")
    await upload(ports, "the same", name="b.txt")
    found_documents = await search_documents(ports, ADMIN, BASE, "the same", top_k=10)
    assert sorted(one.document.title for one in found_documents.found) == ["a", "b"]


async def test_one_long_line_becomes_many_passages(ports: Ports) -> None:
    await new_base(ports)
    document = await upload(ports, "忆库记住一切。" * 30_000, name="long.txt")
    assert document.state is DocumentState.SUCCESS
    assert await held(ports, NODE) > 100
    whole = await get_document(ports, ADMIN, BASE, document.id)
    assert whole.content == "忆库记住一切。" * 30_000


async def test_members_of_an_archive_become_documents(ports: Ports) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("手册/产品.md", "# 产品\n耳机可以退货。")
        archive.writestr("notes.txt", "Returns take a week.")
    await new_base(ports)
    await upload(ports, packed.getvalue(), name="files.zip", id="archive")
    await upload(ports, packed.getvalue() + b"", name="files.zip", id="archive")
    page = await list_documents(ports, ADMIN, BASE)
    assert page.count == 3
    assert (await found(ports, "耳机退货"))[0] == "耳机可以退货。"


async def test_a_base_that_does_not_exist_or_belongs_to_others_is_not_found(ports: Ports) -> None:
    await new_base(ports)
    for principal, base_id in ((ADMIN, "other"), (replace(ADMIN, workspace="theirs"), BASE)):
        with pytest.raises(NotFound) as caught:
            await upload_document(ports, principal, base_id, UploadDocument(content=b"x", name="a.txt"))
        assert caught.value.field == "kb_id"


@pytest.mark.parametrize("url", ["ftp://example.com/a", "file:///etc/passwd", "http://", "nonsense"])
async def test_addresses_that_can_never_be_fetched_are_refused_at_once(ports: Ports, url: str) -> None:
    await new_base(ports)
    with pytest.raises(InvalidInput):
        await upload_document(ports, ADMIN, BASE, UploadDocument(url=url))


async def test_a_short_document_does_not_wait_behind_a_long_one(ports: Ports) -> None:
    await new_base(ports)
    long = "".join(f"# Part {number}\nMore of it.\n" for number in range(200))
    for name, text in (("long", long), ("short", "short words")):
        given = UploadDocument(content=text.encode(), name=f"{name}.md", id=name)
        await upload_document(ports, ADMIN, BASE, given)
    while jobs := await ports.storage.claim(OF_DOCUMENTS, lease_s=60, limit=1):
        await run_jobs(ports, jobs)
    states = [(await get_document(ports, ADMIN, BASE, name)).document.state for name in ("long", "short")]
    assert states == [DocumentState.PROCESSING, DocumentState.SUCCESS]


async def test_passages_without_vectors_are_found_among_passages_that_have_some(ports: Ports) -> None:
    """While a long document waits for its vectors, a base full of others must not bury its words."""
    await new_base(ports)
    for number in range(30):
        await upload(ports, f"Report {number} of the harbour office about ships and cargo.", id=f"other-{number}")
    long = "# 年报\n公司主营业务收入增长百分之七。\n" + "".join(f"# 第{n}节\n其他内容。\n" for n in range(60))
    await upload_document(ports, ADMIN, BASE, UploadDocument(content=long.encode(), name="年报.md", id="report"))
    await run_jobs(ports, await ports.storage.claim(OF_DOCUMENTS, lease_s=60, limit=1))
    assert (await found(ports, "公司主营业务收入"))[0] == "公司主营业务收入增长百分之七。"


async def test_what_is_uploaded_while_its_base_is_deleted_does_not_stand_in_the_next_one(ports: Ports) -> None:
    for _ in range(3):
        await new_base(ports)
        uploads = [
            upload_document(ports, ADMIN, BASE, UploadDocument(content=b"old words", name="a.txt")) for _ in range(8)
        ]
        await asyncio.gather(*uploads[:4], delete_base(ports, ADMIN, BASE), *uploads[4:], return_exceptions=True)
        await new_base(ports)
        await ingest_all(ports)
        assert (await list_documents(ports, ADMIN, BASE)).count == 0
        await delete_base(ports, ADMIN, BASE)


async def test_drafts_and_what_was_archived_show_no_text(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "draft words", id="draft", publishes_itself=False)
    await upload(ports, "archived words", id="archived")
    await archive_document(ports, ADMIN, BASE, "archived")
    for document_id in ("draft", "archived"):
        assert (await get_document(ports, ADMIN, BASE, document_id)).content == ""
