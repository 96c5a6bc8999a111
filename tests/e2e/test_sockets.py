"""What a socket can do to the server, below HTTP's good manners."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.processes import ENDPOINT, KEY, Running, serving
from yiku.cli.http_protocol import HEAD_BYTES_MAX

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


async def exchange(server: Running, *parts: bytes) -> bytes:
    """Everything that is answered until the server closes; sending may end early when it does."""
    address = urlsplit(server.url)
    async with asyncio.timeout(30):
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        try:
            for part in parts:
                writer.write(part)
                await writer.drain()
        except ConnectionError:
            pass
        answer = b""
        try:
            while chunk := await reader.read(65_536):
                answer += chunk
        except ConnectionError:
            pass
        writer.close()
    return answer


async def sent_before_the_end(server: Running, start: bytes, more: bytes, *, times: int) -> int:
    """How often `more` could be sent before the server closed."""
    address = urlsplit(server.url)
    _, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(start)
    for number in range(times):
        try:
            writer.write(more)
            await writer.drain()
        except ConnectionError:
            return number
    return times


def head(*lines: bytes) -> bytes:
    return b"\r\n".join([f"POST {ENDPOINT} HTTP/1.1".encode(), b"Host: localhost", *lines, b"", b""])


async def test_a_head_without_end_is_cut_off(tmp_path: Path, store: dict[str, str]) -> None:
    async with serving(tmp_path / "data", **store) as server:
        answer = await exchange(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", *[b"a" * 65_536] * 64)
        assert answer.startswith(b"HTTP/1.1 4") or answer == b""


def padded(size: int, *, pad: str) -> bytes:
    """A complete head of so many bytes, most of them in the address or in a header."""
    address, header = (f"/livez?{pad}=", "") if pad == "in_the_address" else ("/livez", f"X-{pad}: ")
    start, end = f"GET {address}", f" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}"
    filling = b"a" * (size - len(start) - len(end) - 4)
    if header:
        return start.encode() + end.encode() + filling + b"\r\n\r\n"
    return start.encode() + filling + end.encode() + b"\r\n"


@pytest.mark.parametrize("pad", ["in_the_address", "in_a_header"])
async def test_a_complete_head_is_bounded_however_it_arrives(tmp_path: Path, pad: str) -> None:
    async with serving(tmp_path / "data") as server:
        # Larger by so little that no read ends in between: whoever is cut off while sending may never see the answer.
        large, fits = padded(HEAD_BYTES_MAX + 200, pad=pad), padded(HEAD_BYTES_MAX - 200, pad=pad)
        for parts in ([large], [large[:40_000], large[40_000:]]):
            answered, _, body = (await exchange(server, *parts)).partition(b"\r\n\r\n")
            assert answered.startswith(b"HTTP/1.1 431 "), parts
            assert json.loads(body)["code"] == "RequestHeaderFieldsTooLarge"
            assert b"connection: close" in answered.lower()
        assert (await exchange(server, fits)).startswith(b"HTTP/1.1 200 ")


async def test_a_head_that_is_too_large_waits_for_the_answer_before_it(tmp_path: Path) -> None:
    small = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with serving(tmp_path / "data") as server:
        answer = await exchange(server, small + padded(HEAD_BYTES_MAX + 200, pad="in_a_header"))
        assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"431"]


@pytest.mark.parametrize("frame", [b"0\r\nT: ", b"5;", b"1\r\nx\r\n0\r\nT: a\r\nU: "])
async def test_what_stands_between_and_behind_chunks_is_bounded_too(
    tmp_path: Path, store: dict[str, str], frame: bytes
) -> None:
    chunked = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with serving(tmp_path / "data", **store) as server:
        sent = await sent_before_the_end(server, chunked + frame, b"a" * 65_536, times=256)
        assert sent < 64
        small = chunked + b"".join(b"1\r\nx\r\n" for _ in range(200_000)) + b"0\r\nT: a\r\n\r\n"
        answer = await exchange(server, small, b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert answer.count(b"HTTP/1.1 200") == 2


async def test_a_request_that_drips_for_ever_is_ended(tmp_path: Path, store: dict[str, str]) -> None:
    chunked = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: "
    async with serving(tmp_path / "data", limits__body_deadline_s="0.2", **store) as server:
        assert (await exchange(server, chunked)).count(b"HTTP/1.1 200") <= 1


async def test_a_connection_that_says_nothing_is_closed(tmp_path: Path, store: dict[str, str]) -> None:
    async with serving(tmp_path / "data", limits__body_deadline_s="0.2", **store) as server:
        assert await exchange(server) == b""
        assert await exchange(server, b"POST / HT") == b""


@pytest.mark.parametrize("offer", [b"h2c", b"foo"])
async def test_an_offer_of_another_protocol_does_not_cost_the_body(
    tmp_path: Path, store: dict[str, str], offer: bytes
) -> None:
    async with serving(tmp_path / "data", api_key=KEY, **store) as server:
        answer = await exchange(
            server,
            head(
                b"Connection: Upgrade, HTTP2-Settings, close",
                b"Upgrade: " + offer,
                b"HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
                b"Content-Type: application/json",
                f"Authorization: Bearer {KEY}".encode(),
                f"Content-Length: {len(PING)}".encode(),
            ),
            PING,
        )
        assert answer.startswith(b"HTTP/1.1 200"), answer
        assert answer.endswith(b'{"jsonrpc":"2.0","id":1,"result":{}}'), answer


async def test_a_head_may_come_in_pieces_and_requests_one_after_the_other(
    tmp_path: Path, store: dict[str, str]
) -> None:
    async with serving(tmp_path / "data", api_key=KEY, **store) as server:
        lines = (b"Content-Type: application/json", f"Authorization: Bearer {KEY}".encode())
        sized = f"Content-Length: {len(PING)}".encode()
        first = head(*lines, sized) + PING
        second = head(*lines, sized, b"Upgrade: h2c", b"Connection: Upgrade, HTTP2-Settings") + PING
        last = head(*lines, sized, b"Connection: close") + PING
        pieces = [first[place : place + 7] for place in range(0, len(first), 7)]
        answer = await exchange(server, *pieces, second, last)
        assert answer.count(b'{"jsonrpc":"2.0","id":1,"result":{}}') == 3, answer


async def test_a_body_stays_as_it_was_sent_whatever_it_looks_like(tmp_path: Path) -> None:
    """A file about HTTP holds offers of its own; it may come in any pieces, and right behind another request."""
    file = b"How the handshake goes\r\nUpgrade: websocket\r\n\r\nUpgrade: h2c\r\n"
    form = b'--x\r\nContent-Disposition: form-data; name="id"\r\n\r\nhs\r\n'
    form += b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n%s\r\n--x--\r\n' % file
    key, base = f"Authorization: Bearer {KEY}".encode(), b'{"name":"h","id":"hb"}'
    first = b"\r\n".join(
        (
            b"POST /admin/v1/bases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json",
            key,
            b"Content-Length: %d" % len(base),
            b"",
            base,
        )
    )
    head_of_form = b"\r\n".join(
        (
            b"POST /admin/v1/bases/hb/documents HTTP/1.1\r\nHost: localhost",
            key,
            b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: %d" % len(form),
            b"Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\r\n",
        )
    )
    ways = [[first + head_of_form + form], [head_of_form + form]]
    ways += [[head_of_form, *(form[at : at + size] for at in range(0, len(form), size))] for size in (1, 7, 50)]
    asked = b"\r\n".join(
        (
            b"GET /v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/hb/docs/hs HTTP/1.1",
            b"Host: localhost\r\nConnection: close",
            key + b"\r\n\r\n",
        )
    )
    async with serving(tmp_path / "data", api_key=KEY, embedder="hashed") as server:
        for number, parts in enumerate(ways):
            answer = await exchange(server, *parts)
            assert answer.count(b"HTTP/1.1 2") == (2 if number == 0 else 1), answer
            while b"handshake" not in (read := await exchange(server, asked)):
                assert b"FAIL" not in read
            assert b"handshake goes\\nUpgrade: websocket\\n\\nUpgrade: h2c" in read, (number, read)


async def test_whatever_is_answered_below_the_doors_is_json_too(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY) as server:
        for request, status in (
            (b"GET / HTTP/9.9\r\n\r\n", 400),
            (b"not http\r\n\r\n", 400),
            (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
            (b"GET /a%0Ab HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
            (b"GET /admin/v1/a%0Ab HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
        ):
            answered, _, body = (await exchange(server, request)).partition(b"\r\n\r\n")
            assert answered.startswith(b"HTTP/1.1 %d " % status), request
            refusal = json.loads(body)
            assert refusal.keys() == {"code", "message", "request_id"}
            assert b"x-request-id: " + refusal["request_id"].encode() in answered
