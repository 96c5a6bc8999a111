"""What comes of servers that lead astray, never end, lie about what they send, or say no?"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.adapters.fetching.asking import HEAD, reason, unavailable, url_of
from tests.adapters.fetching.conftest import LOOPBACK, SMALL
from tests.adapters.fetching.wild_server import Names, Visit, WildServer, wild_server
from yiku.adapters.fetching import FetchBounds, GuardedFetcher
from yiku.model.errors import DocumentUnreadable, SourceUnavailable


def impatient(names: Names, *, silence_s: float = 5, total_s: float = 10) -> GuardedFetcher:
    """A fetcher with a tiny deadline."""
    bounds = FetchBounds(bytes_max=10_000, connect_s=2, silence_s=silence_s, total_s=total_s)
    return GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=bounds)


async def test_a_file_comes_with_its_name_and_is_asked_for_plainly(wild: WildServer, fetcher: GuardedFetcher) -> None:
    path = "/%E6%89%8B%E5%86%8C.pdf?sign=a%2Bb"
    wild.answers(path, "你好".encode(), Set_Cookie="a=b")
    for _ in range(2):
        fetched = await fetcher.fetch(url_of(wild, "/手册.pdf?sign=a%2Bb#page=2"))
        assert (fetched.content.decode(), fetched.name) == ("你好", "手册.pdf")
    for head in wild.heads:
        lines = head.lower().splitlines()
        assert lines[0] == f"get {path} http/1.1".lower()
        assert f"host: files.example:{wild.port}" in lines
        assert "accept-encoding: identity" in lines
        assert not [line for line in lines if line.startswith(("cookie", "authorization", "referer"))]


async def test_a_host_is_looked_up_once_and_asked_at_the_address_that_was_judged(wild: WildServer) -> None:
    """A second look-up would lead elsewhere."""
    names = Names(files_example=[[LOOPBACK], ["127.0.0.2"]])
    wild.answers("/a.pdf", b"file")
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=SMALL)
    assert (await fetcher.fetch(url_of(wild))).content == b"file"
    assert names.asked == ["files.example"]


async def test_a_host_that_has_moved_inside_until_the_redirect_is_not_asked_again(wild: WildServer) -> None:
    names = Names(files_example=[[LOOPBACK], ["127.0.0.2"]])
    wild.redirects("/a.pdf", "/b.pdf")
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=SMALL)
    assert await reason(fetcher, url_of(wild)) == "refused"
    assert (wild.paths, names.asked) == (["/a.pdf"], ["files.example"] * 2)


async def test_a_second_address_is_tried_when_nobody_listens_at_the_first(wild: WildServer) -> None:
    names = Names(files_example=[["127.0.0.3", LOOPBACK]])
    wild.answers("/a.pdf", b"file")
    fetcher = GuardedFetcher(allowed_networks=["127.0.0.0/8"], resolver=names, bounds=SMALL)
    assert (await fetcher.fetch(url_of(wild))).content == b"file"


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
async def test_redirects_are_followed(wild: WildServer, fetcher: GuardedFetcher, status: str) -> None:
    wild.redirects("/a", "b/c?d=1", status=status)
    wild.answers("/b/c?d=1", b"file", Content_Disposition="attachment; filename=%E6%8A%A5%E5%91%8A.pdf")
    fetched = await fetcher.fetch(url_of(wild, "/a"))
    assert (fetched.content, fetched.name) == (b"file", "报告.pdf")


@pytest.mark.parametrize("inside", ["127.0.0.2", "inside.example", "2130706434", "[::ffff:127.0.0.2]"])
async def test_no_request_reaches_a_private_address_that_a_redirect_names(wild: WildServer, inside: str) -> None:
    names = Names(files_example=[[LOOPBACK]], inside_example=[["127.0.0.2"]])
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=SMALL)
    async with wild_server("127.0.0.2") as secret:
        secret.answers("/a.pdf", b"secret")
        wild.redirects("/a.pdf", f"http://{inside}:{secret.port}/a.pdf")
        assert await reason(fetcher, url_of(wild)) == "refused"
        assert secret.connections == 0
    assert wild.connections == 1


@pytest.mark.parametrize(
    "to",
    [
        "file:///etc/passwd",
        "oss://bucket/key",
        "ftp://files.example/",
        "http://u:p@files.example/",
        "http://[",
    ],
)
async def test_a_redirect_leads_to_the_web_only(wild: WildServer, names: Names, to: str) -> None:
    fetcher = GuardedFetcher(
        allowed_networks=[LOOPBACK],
        allowed_folder=Path("/etc"),
        object_store_url="http://files.example/{key}",
        resolver=names,
        bounds=SMALL,
    )
    wild.redirects("/a.pdf", to)
    assert await reason(fetcher, url_of(wild)) == "refused"


async def test_a_redirect_in_a_circle_ends(wild: WildServer, fetcher: GuardedFetcher) -> None:
    wild.redirects("/a.pdf", "/b.pdf")
    wild.redirects("/b.pdf", "/a.pdf")
    assert await reason(fetcher, url_of(wild)) == "refused"
    assert wild.paths == ["/a.pdf", "/b.pdf"] * 3


async def test_five_redirects_are_followed_and_six_are_not(wild: WildServer, fetcher: GuardedFetcher) -> None:
    for number in range(6):
        wild.redirects(f"/{number}", f"/{number + 1}")
    wild.answers("/6", b"file")
    assert (await fetcher.fetch(url_of(wild, "/1"))).content == b"file"
    assert await reason(fetcher, url_of(wild, "/0")) == "refused"


async def test_a_server_that_falls_silent_is_given_up(wild: WildServer, names: Names) -> None:
    async def headers_only(visit: Visit) -> None:
        await visit.send(HEAD, "content-length: 10\r\n\r\n", "half")
        await visit.silence()

    wild.says("/body", headers_only)
    wild.says("/head", Visit.silence)
    for path in ("/body", "/head"):
        error = await unavailable(impatient(names, silence_s=0.1), url_of(wild, path))
        assert error.message.startswith("files.example has stopped sending")


async def test_a_server_that_drips_is_given_up_in_the_end(wild: WildServer, names: Names) -> None:
    async def drip(visit: Visit) -> None:
        await visit.send(HEAD, "\r\n")
        while not visit.is_over:
            await visit.send(b".")
            await visit.silence(at_most_s=0.02)

    wild.says("/a.pdf", drip)
    error = await unavailable(impatient(names, total_s=0.3), url_of(wild))
    assert error.message.startswith("files.example did not send the whole file within 0.3 seconds")


async def test_headers_that_never_end_are_given_up(wild: WildServer, names: Names, fetcher: GuardedFetcher) -> None:
    async def headers(visit: Visit) -> None:
        await visit.send(HEAD)
        while not visit.is_over:
            await visit.send(b"x: " + b"y" * 1_000 + b"\r\n")

    async def hints(visit: Visit) -> None:
        while not visit.is_over:
            await visit.send("HTTP/1.1 103 Early Hints\r\n\r\n")

    wild.says("/headers", headers)
    wild.says("/hints", hints)
    assert "not HTTP" in (await unavailable(fetcher, url_of(wild, "/headers"))).message
    assert "whole file" in (await unavailable(impatient(names, total_s=0.3), url_of(wild, "/hints"))).message


async def test_a_look_up_that_hangs_is_given_up() -> None:
    hanging = asyncio.Event()

    async def resolver(host: str, port: int) -> list[str]:
        await hanging.wait()
        return []

    fetcher = GuardedFetcher(resolver=resolver, bounds=FetchBounds(connect_s=0.05))
    error = await unavailable(fetcher, "http://files.example/")
    assert error.message.startswith("The address of files.example was not found within 0.05 seconds")


async def test_a_body_that_never_ends_is_cut_at_the_cap(wild: WildServer, fetcher: GuardedFetcher) -> None:
    async def endless(visit: Visit) -> None:
        await visit.send(HEAD, "\r\n")
        while not visit.is_over:
            await visit.send(bytes(4_096))

    async def endless_chunks(visit: Visit) -> None:
        await visit.send(HEAD, "transfer-encoding: chunked\r\n\r\n")
        while not visit.is_over:
            await visit.send(b"1000\r\n", bytes(4_096), b"\r\n")

    wild.says("/endless", endless)
    wild.says("/chunks", endless_chunks)
    assert await reason(fetcher, url_of(wild, "/endless")) == "too_large"
    assert await reason(fetcher, url_of(wild, "/chunks")) == "too_large"


async def test_a_file_of_exactly_the_cap_is_fetched(wild: WildServer, fetcher: GuardedFetcher) -> None:
    wild.answers("/fits", bytes(SMALL.bytes_max))
    wild.answers("/large", bytes(SMALL.bytes_max + 1))
    assert len((await fetcher.fetch(url_of(wild, "/fits"))).content) == SMALL.bytes_max
    assert await reason(fetcher, url_of(wild, "/large")) == "too_large"


async def test_a_huge_length_is_refused_before_the_body_comes(wild: WildServer, fetcher: GuardedFetcher) -> None:
    async def promises(visit: Visit) -> None:
        await visit.send(HEAD, "content-length: 99999999999999\r\n\r\n")
        await visit.silence()

    wild.says("/a.pdf", promises)
    assert await reason(fetcher, url_of(wild)) == "too_large"


@pytest.mark.parametrize("length", ["11", "9" * 30, "9" * 5_000, "-1", "ten", "3, 4"])
async def test_a_file_that_breaks_off_or_lies_about_its_length_is_never_taken_for_whole(
    wild: WildServer, fetcher: GuardedFetcher, length: str
) -> None:
    wild.answers("/a.pdf", b"ten bytes.", content_length=length)
    with pytest.raises((SourceUnavailable, DocumentUnreadable)):
        await fetcher.fetch(url_of(wild))


async def test_what_follows_behind_the_length_is_not_part_of_the_file(
    wild: WildServer, fetcher: GuardedFetcher
) -> None:
    wild.answers("/a.pdf", b"ten bytes.", content_length="3")
    assert (await fetcher.fetch(url_of(wild))).content == b"ten"


@pytest.mark.parametrize("pieces", [[b""], [b"SSH-2.0-OpenSSH\r\n"], [HEAD.encode()], [b"\0\xff" * 50]])
async def test_what_is_not_http_is_given_up(wild: WildServer, fetcher: GuardedFetcher, pieces: list[bytes]) -> None:
    wild.says("/a.pdf", lambda visit: visit.send(*pieces))
    assert "not HTTP" in (await unavailable(fetcher, url_of(wild))).message


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("400 Bad", "refused"), ("401 Login", "refused"), ("403 No", "refused"), ("404 None", "missing"),
        ("410 Gone", "missing"), ("204 Empty", "refused"), ("206 Part", "refused"), ("304 Same", "refused"),
        ("300 Choose", "refused"), ("451 Law", "refused"),
    ],
)  # fmt: skip
async def test_a_refusal_says_whether_it_is_missing(
    wild: WildServer, fetcher: GuardedFetcher, status: str, expected: str
) -> None:
    wild.answers("/a.pdf", status=status)
    assert await reason(fetcher, url_of(wild)) == expected


@pytest.mark.parametrize(
    "status", ["408 Slow", "425 Early", "429 Many", "500 Broken", "502 Bad", "503 Busy", "504 Slow"]
)
async def test_what_may_pass_says_when_to_come_back(wild: WildServer, fetcher: GuardedFetcher, status: str) -> None:
    wild.answers("/asks", status=status, Retry_After="17")
    wild.answers("/asks-too-much", status=status, Retry_After="99999999")
    wild.answers("/silent", status=status)
    asked = [
        (await unavailable(fetcher, url_of(wild, path))).retry_after_s
        for path in ("/asks", "/asks-too-much", "/silent")
    ]
    assert asked == [17, 3_600, 1]


async def test_nobody_at_the_address_and_a_name_that_is_none_may_pass(names: Names, fetcher: GuardedFetcher) -> None:
    async with wild_server() as gone:
        url = url_of(gone)
    assert "files.example cannot be reached" in (await unavailable(fetcher, url)).message
    assert "cannot be found" in (await unavailable(fetcher, "http://no-such.example/")).message


async def test_proxies_of_the_environment_are_not_asked(wild: WildServer) -> None:
    """A proxy would look names up by itself, behind our back."""
    wild.answers("/a.pdf", b"file")
    code = (
        "import asyncio\n"
        "from yiku.adapters.fetching import GuardedFetcher\n"
        f"fetching = GuardedFetcher(allowed_networks=['127.0.0.1']).fetch('http://127.0.0.1:{wild.port}/a.pdf')\n"
        "print(asyncio.run(fetching).content.decode())"
    )
    async with wild_server() as proxy:
        named = f"http://127.0.0.1:{proxy.port}"
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE,
            env={"http_proxy": named, "HTTP_PROXY": named, "ALL_PROXY": named},
        )  # fmt: skip
        said, _ = await child.communicate()
        assert (said.decode().strip(), proxy.connections) == ("file", 0)


async def test_a_closed_fetcher_fetches_no_more(wild: WildServer, fetcher: GuardedFetcher) -> None:
    await fetcher.close()
    await fetcher.close()
    assert "stopping" in (await unavailable(fetcher, url_of(wild))).message
    assert wild.connections == 0


async def test_cancelling_closes_the_connection(wild: WildServer, fetcher: GuardedFetcher) -> None:
    arrived = asyncio.Event()
    left = asyncio.Event()

    async def endless(visit: Visit) -> None:
        arrived.set()
        await visit.send(HEAD, "\r\n")
        try:
            while not visit.is_over:
                await visit.send(b".")
                await visit.silence(at_most_s=0.01)
        finally:
            left.set()

    wild.says("/a.pdf", endless)
    fetching = asyncio.create_task(fetcher.fetch(url_of(wild)))
    await arrived.wait()
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    async with asyncio.timeout(5):
        await left.wait()
