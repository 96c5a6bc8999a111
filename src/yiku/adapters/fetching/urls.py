"""What does a URL name, and can it ever be fetched?

One parser reads it, here and where it is asked, so that no two of them can disagree about whose host it is.
"""

from __future__ import annotations

import re
from urllib.parse import quote

import httpx

from yiku.model.errors import InvalidInput

FIELD = "file_url"
OBJECT_SCHEMES = ("oss", "s3")
WEB_SCHEMES = ("http", "https")

_URL_CHARACTERS_MAX = 8_192
_WEB_HOST = re.compile(r"(?!\.)[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")
"""As it is sent: other scripts were encoded. An address may not name an interface of ours (`%eth0`)."""
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")


def scheme_of(url: str) -> str:
    """In lower case; empty for what is no URL at all."""
    if len(url) > _URL_CHARACTERS_MAX:
        raise refused(f"is longer than {_URL_CHARACTERS_MAX} characters")
    scheme, separator, _ = url.partition("://")
    return scheme.lower() if separator else ""


def web_url(url: str) -> httpx.URL:
    """An address of the web, or `InvalidInput`. Any port may be named: what is sent is a GET and nothing else."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise refused("is no URL") from error
    if parsed.scheme not in WEB_SCHEMES:
        raise refused("must start with http:// or https://")
    if parsed.userinfo:
        raise refused("holds a user name or password: files are fetched without")
    if not _WEB_HOST.fullmatch(parsed.raw_host.decode("ascii")):
        raise refused("names no host")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise refused("has a port that does not exist")
    return parsed


def object_url(url: str, template: str | None) -> httpx.URL:
    """Where the object `oss://bucket/key` or `s3://bucket/key` is asked for. The key is taken as it stands."""
    if template is None:
        raise refused(
            "names an object of a bucket, and this server does not know at which endpoint: set object_store_url to"
            " something like https://{bucket}.oss-cn-hangzhou.aliyuncs.com/{key}, or give an https address"
        )
    bucket, _, key = url.partition("://")[2].partition("/")
    if not _BUCKET.fullmatch(bucket):
        raise refused("names no bucket")
    # A dot segment would be resolved on its way, and might end in somebody else's bucket.
    if not key or _UNPRINTABLE.search(key) or {".", ".."} & set(key.split("/")):
        raise refused("names no object")
    return web_url(template.replace("{bucket}", bucket).replace("{key}", quote(key, safe="/")))


def checked_template(template: str | None) -> str | None:
    """The template, once it is known to give addresses of the web."""
    if template is None:
        return None
    wrong = f"'{template}' must be a web address that holds {{key}}, and may hold {{bucket}}."
    if "{key}" not in template:
        raise InvalidInput(wrong, field="object_store_url")
    try:
        web_url(template.replace("{bucket}", "bucket").replace("{key}", "key"))
    except InvalidInput as error:
        raise InvalidInput(wrong, field="object_store_url") from error
    return template


def refused(problem: str) -> InvalidInput:
    return InvalidInput(f"The address of the file {problem}.", field=FIELD)
