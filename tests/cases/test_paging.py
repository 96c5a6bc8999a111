"""Are pages complete, exact, in one order, and without overlap?"""

from __future__ import annotations

from .conftest import Doors
from .ledger import proves


@proves("B099")
async def test_pages_hold_everything_once_and_the_count_is_of_all(doors: Doors) -> None:
    await doors.add([{"role": "user", "content": f"I like tea number {number}"} for number in range(50)])
    filters = {"user_id": "u"}
    by_tool = [await doors.tool("memory_get_all", filters=filters, page=page, page_size=10) for page in range(1, 7)]
    by_rest = [
        await doors.rest.call("POST", "/memories/list", {"filters": {"AND": [filters]}, "page": page, "page_size": 10})
        for page in range(1, 7)
    ]
    for pages in (by_tool, by_rest):
        assert {page["count"] for page in pages} == {50}
        assert [len(page["results"]) for page in pages] == [10] * 5 + [0]
        ids = [row["id"] for page in pages for row in page["results"]]
        assert len(set(ids)) == 50
        assert ids == [row["id"] for row in await doors.listed()]
