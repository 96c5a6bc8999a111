"""What hybrid_search shows of each source, and of one that cannot answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.test_work import BrokenEmbedder
from tests.documents import BASE, new_base, upload
from yiku.core.memory.search import WORDS_ONLY
from yiku.model.errors import EmbedderUnavailable
from yiku.model.principal import Principal

from .conftest import Door, open_door
from .requirements import proves

POLICY = "# 退货政策说明\n\n如何处理退货：七天内可以到店退货。\n"


@pytest.fixture
async def stocked(door: Door) -> Door:
    await _stock(door)
    return door


async def _stock(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, POLICY, id="policy")
    await door.remember("用户上次退货选择了到店退货", infer=False)
    await door.remember("The user returned a book", infer=False, agent_id="shop")


@proves("hybrid:result", "hybrid:no-base", "hybrid:agent", "hybrid:top-k")
async def test_each_source_shows_what_it_found(stocked: Door) -> None:
    found = await stocked.call("hybrid_search", query="如何处理退货", user_id="u", kb_id=BASE)
    assert list(found) == ["query", "memories", "skills", "kb_docs"]
    assert (found["query"], found["skills"]) == ("如何处理退货", [])
    assert list(found["memories"][0])[:3] == ["id", "memory", "score"]
    assert found["memories"][0]["memory"] == "用户上次退货选择了到店退货"
    assert list(found["kb_docs"][0])[:3] == ["id", "title", "score"]
    assert (found["kb_docs"][0]["id"], found["kb_docs"][0]["title"]) == ("policy", "退货政策说明")
    assert (await stocked.call("hybrid_search", query="如何处理退货", user_id="u"))["kb_docs"] == []
    shop = await stocked.call("hybrid_search", query="returned a book", user_id="u", agent_id="shop")
    assert [row["memory"] for row in shop["memories"]] == ["The user returned a book"]
    both = await stocked.call("hybrid_search", query="退货 returned", user_id="u")
    one = await stocked.call("hybrid_search", query="退货 returned", user_id="u", kb_id=BASE, top_k=1)
    assert (len(both["memories"]), len(one["memories"]), len(one["kb_docs"])) == (2, 1, 1)


@proves("hybrid:degrades")
async def test_an_unknown_base_is_an_entry_in_errors(stocked: Door) -> None:
    found = await stocked.call("hybrid_search", query="退货", user_id="u", kb_id="kb-none")
    [error] = found["errors"]
    assert (error["source"], error["code"]) == ("kb_docs", "NotFound")
    assert "kb-none" in error["message"]
    assert found["memories"] and found["kb_docs"] == []


@proves("hybrid:degrades", "kb:permission")
@pytest.mark.parametrize(
    ("granted", "lacking", "source"),
    [("memory:read", "knowledge:read", "kb_docs"), ("knowledge:read", "memory:read", "memories")],
)
async def test_a_source_that_the_key_may_not_read_is_an_entry_in_errors(
    tmp_path: Path, granted: str, lacking: str, source: str
) -> None:
    async with open_door(tmp_path) as stocking:
        await _stock(stocking)
    holder = Principal(key_id="h", workspace="default", permissions=frozenset({granted}))  # type: ignore[arg-type]
    async with open_door(tmp_path, anonymous=holder) as door:
        found = await door.call("hybrid_search", query="退货", user_id="u", kb_id=BASE)
    [error] = found["errors"]
    assert (error["source"], error["code"]) == (source, "PermissionDenied")
    assert lacking in error["message"]
    other = {"kb_docs": "memories", "memories": "kb_docs"}[source]
    assert found[source] == [] and found[other]


@proves("hybrid:degrades", "kb:notices")
async def test_what_both_sources_lack_is_said_once(tmp_path: Path) -> None:
    embedder = BrokenEmbedder()
    async with open_door(tmp_path, embedder=embedder) as door:
        await _stock(door)
        embedder.error = EmbedderUnavailable()
        found = await door.call("hybrid_search", query="退货", user_id="u", kb_id=BASE)
    assert found["notices"] == [WORDS_ONLY]
    assert found["memories"] and found["kb_docs"] and "errors" not in found
