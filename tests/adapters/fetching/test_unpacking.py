"""What comes of answers that are compressed, broken, or bombs?"""

from __future__ import annotations

import gzip
import zlib

from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.fetching.asking import HEAD, reason, url_of
from tests.adapters.fetching.wild_server import Visit, WildServer
from yiku.adapters.fetching import GuardedFetcher
from yiku.adapters.fetching.unpacking import unpacking


async def test_a_compressed_file_is_unpacked_though_it_was_not_asked_for(
    wild: WildServer, fetcher: GuardedFetcher
) -> None:
    text = "知识库 knowledge ".encode() * 300
    wild.answers("/gzip", gzip.compress(text), content_encoding="gzip")
    wild.answers("/deflate", zlib.compress(text), content_encoding="Deflate")
    wild.answers("/members", gzip.compress(text[:100]) + gzip.compress(text[100:]) + b"\0\0", content_encoding="x-gzip")
    for path in ("/gzip", "/deflate", "/members"):
        assert (await fetcher.fetch(url_of(wild, path))).content == text


async def test_a_bomb_is_stopped_at_the_cap(wild: WildServer, fetcher: GuardedFetcher) -> None:
    wild.answers("/bomb", gzip.compress(bytes(5_000_000)), content_encoding="gzip")

    async def empty(visit: Visit) -> None:
        await visit.send(HEAD, "content-encoding: gzip\r\n\r\n")
        while not visit.is_over:
            await visit.send(gzip.compress(b"") * 50)

    wild.says("/empty", empty)
    assert await reason(fetcher, url_of(wild, "/bomb")) == "too_large"
    assert await reason(fetcher, url_of(wild, "/empty")) == "too_large"


async def test_compression_that_is_broken_or_unknown_is_said(wild: WildServer, fetcher: GuardedFetcher) -> None:
    whole = gzip.compress(b"text" * 100)
    wild.answers("/cut", whole[:-6], content_encoding="gzip")
    wild.answers("/noise", b"no gzip at all", content_encoding="gzip")
    wild.answers("/br", b"...", content_encoding="br")
    wild.answers("/twice", gzip.compress(whole), content_encoding="gzip, gzip")
    found = [await reason(fetcher, url_of(wild, path)) for path in ("/cut", "/noise", "/br", "/twice")]
    assert found == ["corrupt", "corrupt", "unsupported", "unsupported"]


@given(st.lists(st.binary(max_size=2_000), max_size=4), st.integers(1, 50))
def test_members_are_unpacked_wherever_they_are_cut(members: list[bytes], size: int) -> None:
    packed = b"".join(map(gzip.compress, members))
    packing = unpacking("gzip")
    pieces = [piece for start in range(0, len(packed), size) for piece in packing.pieces(packed[start : start + size])]
    assert b"".join((*pieces, packing.rest())) == b"".join(members)


def test_no_piece_of_a_bomb_is_large() -> None:
    pieces = unpacking("gzip").pieces(gzip.compress(bytes(50_000_000)))
    assert max(len(piece) for piece in pieces) <= 256 * 1024
