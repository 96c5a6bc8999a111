"""How do tests of fetching spell a question in one line, and what came of it?"""

from __future__ import annotations

import pytest

from tests.adapters.fetching.wild_server import WildServer
from yiku.adapters.fetching import GuardedFetcher
from yiku.model.errors import DocumentUnreadable, SourceUnavailable

HEAD = "HTTP/1.1 200 OK\r\n"


def url_of(wild: WildServer, path: str = "/a.pdf") -> str:
    return f"http://files.example:{wild.port}{path}"


async def reason(fetcher: GuardedFetcher, url: str) -> str:
    with pytest.raises(DocumentUnreadable) as unreadable:
        await fetcher.fetch(url)
    return unreadable.value.reason


async def unavailable(fetcher: GuardedFetcher, url: str) -> SourceUnavailable:
    with pytest.raises(SourceUnavailable) as error:
        await fetcher.fetch(url)
    return error.value
