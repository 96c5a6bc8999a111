"""What is refused before anything is asked, and where are objects of a bucket asked for?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.fetching.conftest import LOOPBACK, SMALL
from tests.adapters.fetching.wild_server import Names, WildServer
from yiku.adapters.fetching import GuardedFetcher
from yiku.model.errors import DocumentUnreadable, InvalidInput

NEVER = [
    "", "files.example/a.pdf", "//files.example/a", "ftp://files.example/a", "gopher://files.example/", "http:///a",
    "javascript://a", "data:text/plain,a", "http://", "http://user@files.example/", "https://user:pass@files.example/",
    "http://files.example:0/", "http://files.example:70000/", "http://files.example:x/", "http://a b/", "http://a\n/",
    "http://.example/", "http://[fe80::1%25eth0]/", "http://[::1/", "http://127.0.0.2/", "http://10.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data/", "http://[::ffff:127.0.0.1]/", "http://[fd00::1]/", "file:///etc/passwd",
    "oss://bucket/key", "s3://bucket/key", "http://files.example/" + "a" * 9_000, "http://用 户/",
]  # fmt: skip


@pytest.mark.parametrize("url", NEVER)
async def test_what_can_never_be_fetched_is_refused_at_once(url: str, fetcher: GuardedFetcher, names: Names) -> None:
    with pytest.raises(InvalidInput, match=r"^The address of the file .+\.$") as refused:
        fetcher.check(url)
    assert refused.value.field == "file_url"
    with pytest.raises(DocumentUnreadable) as unreadable:
        await fetcher.fetch(url)
    assert (unreadable.value.reason, unreadable.value.message) == ("refused", refused.value.message)
    assert names.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://files.example",
        "HTTPS://Files.Example:8443/a",
        "http://例え.中国/文件.pdf",
        "http://8.8.8.8:25/",
        LOOPBACK,
    ],
)
def test_what_may_be_fetched_is_not(url: str, fetcher: GuardedFetcher) -> None:
    fetcher.check(url if "://" in url else f"http://{url}/")


@pytest.mark.parametrize("scheme", ["oss", "s3", "OSS"])
async def test_an_object_is_asked_for_where_the_operator_says(scheme: str, wild: WildServer, names: Names) -> None:
    template = f"http://files.example:{wild.port}/{{bucket}}/{{key}}"
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, object_store_url=template, bounds=SMALL)
    wild.answers("/my-bucket/%E5%90%88%E5%90%8C/a%20b%231%3F%25.pdf", b"object")
    fetched = await fetcher.fetch(f"{scheme}://my-bucket/合同/a b#1?%.pdf")
    assert (fetched.content, fetched.name) == (b"object", "a b#1?%.pdf")


@pytest.mark.parametrize(
    "rest",
    ["", "bucket", "bucket/", "/key", "b/key", "Bad/key", "evil.com@x/key", "bucket/../other/key", "bucket/a/./b"],
)
def test_what_names_no_object_is_refused(rest: str) -> None:
    fetcher = GuardedFetcher(object_store_url="https://{bucket}.oss-cn-hangzhou.aliyuncs.com/{key}")
    fetcher.check("oss://bucket/key")
    with pytest.raises(InvalidInput) as refused:
        fetcher.check(f"oss://{rest}")
    assert refused.value.field == "file_url"


def test_without_an_endpoint_an_object_is_refused_with_what_to_set() -> None:
    with pytest.raises(InvalidInput, match="set object_store_url"):
        GuardedFetcher().check("oss://bucket/key")


@pytest.mark.parametrize("template", ["", "https://store/", "ftp://store/{key}", "{key}", "https://u:p@store/{key}"])
def test_an_endpoint_that_gives_no_web_address_is_refused_at_the_start(template: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        GuardedFetcher(object_store_url=template)
    assert refused.value.field == "object_store_url"


async def test_an_object_store_in_a_private_network_is_asked_only_if_it_is_allowed(tmp_path: Path) -> None:
    fetcher = GuardedFetcher(object_store_url="http://127.0.0.1:9/{bucket}/{key}")
    with pytest.raises(InvalidInput, match="not a public address"):
        fetcher.check("s3://bucket/key")
