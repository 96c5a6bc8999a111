"""Bodies that do not fit: each is refused by the name of the field, and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.wire.doors import everything_stored

from .conftest import Door, refusal
from .requirements import proves

FILTERS: dict[str, Any] = {"AND": [{"user_id": "u"}]}
ADD: dict[str, Any] = {"messages": "tea", "user_id": "u"}
SEARCH: dict[str, Any] = {"query": "tea", "filters": FILTERS}
LIST: dict[str, Any] = {"filters": FILTERS}


@dataclass(frozen=True)
class Bad:
    """A call, and words of the message that refuses it."""

    path: str
    body: dict[str, Any]
    words: str
    status: int = 400
    method: str = "POST"


def add(words: str, /, **changed: Any) -> Bad:
    return Bad("/memories/add", ADD | changed, words)


def search(words: str, /, **changed: Any) -> Bad:
    return Bad("/memories/search", SEARCH | changed, words)


def listing(words: str, /, **changed: Any) -> Bad:
    return Bad("/memories/list", LIST | changed, words)


def update(words: str, /, **body: Any) -> Bad:
    return Bad("/memories/<memory>", body, words, method="PUT")


def everywhere(words: str, filters: Any) -> list[Bad]:
    """The same filters in each call that takes some."""
    return [
        search(words, filters=filters),
        listing(words, filters=filters),
        Bad("/memories/delete", {"filters": filters}, words),
    ]


CASES: dict[str, list[Bad]] = {
    "bad:required": [
        Bad("/memories/add", {"messages": "tea"}, "user_id is required"),
        Bad("/memories/add", {"user_id": "u"}, "messages is required"),
        add("user_id is required", user_id=None),
        add("user_id must not be empty", user_id=" "),
        Bad("/memories/search", {"filters": FILTERS}, "query is required"),
        Bad("/memories/search", {"query": "tea"}, "filters is required"),
        Bad("/memories/list", {}, "filters is required"),
        Bad("/memories/delete", {"dry_run": True}, "filters is required"),
        update("text or metadata is required"),
        update("text or metadata is required", text=None, metadata=None, title="x"),
    ],
    "bad:types": [
        add("user_id must be text; it is 7", user_id=7),
        add("agent_id must be text; it is a list", agent_id=["a"]),
        add("infer must be true or false; it is text", infer="false"),
        add("metadata must be an object; it is text", metadata="{}"),
        add("messages must be text, one message", messages=7),
        search("top_k must be an integer from 1 to 1000; it is text", top_k="1"),
        search("top_k must be an integer from 1 to 1000; it is true", top_k=True),
        search("it is 1.5", top_k=1.5),
        search("threshold must be a number from 0 to 1; it is text", threshold="0.5"),
        search("rerank must be true or false; it is 1", rerank=1),
        search("query must be text; it is an object", query={}),
        *everywhere("filters must be an object; it is text", '{"AND": [{"user_id": "u"}]}'),
        *everywhere("filters must be an object; it is a list", [{"user_id": "u"}]),
        Bad("/memories/delete", {"filters": FILTERS, "dry_run": "yes"}, "dry_run must be true or false; it is text"),
        update("text must be text; it is 7", text=7),
        update("metadata must be an object; it is a list", metadata=[]),
    ],
    "bad:bounds": [
        search("from 1 to 1000; it is 0", top_k=0),
        search("from 1 to 1000; it is 1001", top_k=1001),
        search("from 0 to 1; it is 1.01", threshold=1.01),
        search("from 0 to 1; it is -0.01", threshold=-0.01),
        listing("page must be an integer of 1 or more; it is 0", page=0),
        listing("from 1 to 200; it is 201", page_size=201),
        listing("10000", page=101),
        Bad("/memories/search", SEARCH | {"query": "a" * 70_000}, "the limit is", status=413),
        Bad("/memories/add", ADD | {"user_id": "用" * 100}, "the limit is 256", status=413),
        Bad("/memories/<memory>", {"text": "a" * 70_000}, "the limit is", status=413, method="PUT"),
    ],
    "bad:filters": [
        *everywhere('filters must have the form {"AND":', {"user_id": "u"}),
        *everywhere('filters must have the form {"AND":', {}),
        *everywhere("user_id is required", {"AND": [{"source": "chat"}]}),
        *everywhere("two different values", {"AND": [{"user_id": "u"}, {"user_id": "v"}]}),
        *everywhere("'*' is not allowed", {"AND": [{"user_id": "*"}]}),
        *everywhere("must be an object of keys and values", {"AND": ["u"]}),
    ],
    "search:filters": [
        *everywhere("filters.OR must be a list of objects", {"AND": [{"user_id": "u"}, {"OR": []}]}),
        *everywhere("cannot use not here: write NOT", {"AND": [{"user_id": "u"}, {"not": {"a": 1}}]}),
        *everywhere("there are eq, ne, gt", {"AND": [{"user_id": "u"}, {"stars": {"$gte": 4}}]}),
        *everywhere("as it is: source", {"AND": [{"user_id": "u"}, {"metadata.source": "chat"}]}),
    ],
    "bad:metadata": [
        add("metadata.user_id is not allowed", metadata={"user_id": "v"}),
        update("metadata.run_id is not allowed", metadata={"run_id": None}),
        add("64 bits", metadata={"big": 2**63}),
        add("ISO 8601", metadata={"timestamp": "yesterday"}),
        update("ISO 8601", metadata={"timestamp": 1_780_000_000}),
        Bad("/memories/add", ADD | {"metadata": {str(n): n for n in range(65)}}, "the limit is 64", status=413),
        Bad("/memories/<memory>", {"metadata": {str(n): n for n in range(64)}}, "65 keys", status=413, method="PUT"),
    ],
    "bad:texts": [
        add("messages must not be empty", messages=" "),
        add("at least one message", messages=[]),
        add("messages[0].content must not be empty", messages=[{"role": "user", "content": ""}]),
        add("must be one of user, assistant", messages=[{"role": "bot", "content": "a"}]),
        add("NUL", messages="a\0b"),
        add("control characters", user_id="a\nb"),
        search("query must not be empty", query="\n"),
        update("text must not be empty", text=" "),
        update("NUL", text="a\0b"),
    ],
}


@proves(*CASES)
@pytest.mark.parametrize("requirement", CASES)
async def test_bad_bodies_are_refused_by_name_and_change_nothing(door: Door, requirement: str) -> None:
    [memory_id] = await door.remember("tea", infer=False, metadata={"source": "chat"})
    before = await everything_stored(door.ports)
    for bad in CASES[requirement]:
        response = await door.ask(bad.method, bad.path.replace("<memory>", memory_id), bad.body)
        message = refusal(response, bad.status, "InvalidParameter" if bad.status == 400 else "PayloadTooLarge")
        assert bad.words in message, (bad, message)
    await door.work()
    assert await everything_stored(door.ports) == before


@proves("bad:id")
@pytest.mark.parametrize("id", ["m-none", "me-none", "%20", "%00", "a" * 300, "%2A", "..%2F.."])
async def test_unknown_ids_are_404_whatever_they_look_like(door: Door, id: str) -> None:
    for method, path, body in (
        ("GET", f"/memories/{id}", None),
        ("GET", f"/memories/{id}/history", None),
        ("PUT", f"/memories/{id}", {"text": "coffee"}),
        ("DELETE", f"/memories/{id}", None),
        ("GET", f"/events/{id}", None),
    ):
        refusal(await door.ask(method, path, body), 404, "NotFound")


@proves("bad:id")
async def test_what_can_be_no_user_is_refused(door: Door) -> None:
    for user_id, words in (("%2A", "'*'"), ("%0A", "must not be empty"), ("a%00", "NUL"), ("a%0Ab", "control")):
        assert words in refusal(await door.ask("DELETE", f"/users/{user_id}"), 400, "InvalidParameter")
