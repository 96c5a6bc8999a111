"""Files in a request: multipart/form-data, read to disk as it comes, bounded in size, number and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.types import Receive, Scope

from yiku.model.limits import Limits
from yiku.wire.http import Refused, body_parts

FILE_PART = "file"
"""The name of a part that is a file; several may have it."""
FILES_MAX = 100
_FIELDS_MAX = 10
_FIELD_BYTES_MAX = 64 * 1024
_AROUND_FILES = 256 * 1024
"""Boundaries, headers and fields beside the bytes of the files."""


@dataclass(frozen=True, slots=True)
class File:
    """`name` is without its folders: a client may say where the file was, but not where it goes."""

    name: str
    upload: UploadFile

    async def read(self) -> bytes:
        """All of it. Files wait on disk, so that one of several is in memory at a time."""
        return await self.upload.read()


@dataclass(frozen=True, slots=True)
class Form:
    """What a form holds; `close` it when all is read. Of a field that is given twice the last counts."""

    files: tuple[File, ...]
    fields: Mapping[str, str]
    data: FormData

    async def close(self) -> None:
        await self.data.close()


async def read_form(scope: Scope, receive: Receive, limits: Limits) -> Form:
    """The form of a request. All its files together are bounded by what one document may have."""
    headers = Headers(scope=scope)
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        raise Refused(
            415, "UnsupportedMediaType", f"Send the files as multipart/form-data, each as a part named '{FILE_PART}'"
        )
    stream = _timed(body_parts(scope, receive, bytes_max=limits.document_bytes + _AROUND_FILES), limits)
    parser = MultiPartParser(
        headers, _whole(stream, headers), max_files=FILES_MAX, max_fields=_FIELDS_MAX, max_part_size=_FIELD_BYTES_MAX
    )
    try:
        data = await parser.parse()
    except MultiPartException as error:
        raise Refused(400, "InvalidParameter", f"The form cannot be read: {error.message}") from error
    items = data.multi_items()
    files = tuple(
        File(_file_name(value.filename or ""), value)
        for name, value in items
        if isinstance(value, UploadFile) and name == FILE_PART
    )
    return Form(files, {name: value for name, value in items if isinstance(value, str)}, data)


async def _timed(stream: AsyncGenerator[bytes], limits: Limits) -> AsyncGenerator[bytes]:
    """A client that sends steadily may take long over a large file, but may neither stop nor take for ever."""
    clock = asyncio.get_running_loop()
    end = clock.time() + limits.upload_deadline_s
    while True:
        try:
            async with asyncio.timeout_at(min(end, clock.time() + limits.body_deadline_s)):
                part = await anext(stream, None)
        except TimeoutError as error:
            raise Refused(
                408,
                "RequestTimeout",
                f"Nothing came for {limits.body_deadline_s:g} seconds, or not all within {limits.upload_deadline_s:g}",
            ) from error
        if part is None:
            return
        yield part


async def _whole(stream: AsyncGenerator[bytes], headers: Headers) -> AsyncGenerator[bytes]:
    """The parser takes a form that was cut off for a shorter one, and forgets the file that it was in."""
    _, options = parse_options_header(headers["content-type"])
    closing = b"--" + options.get(b"boundary", b"") + b"--"
    tail, is_closed = b"", False
    async for part in stream:
        tail += part
        is_closed = is_closed or closing in tail
        tail = tail[-len(closing) :]
        yield part
    if not is_closed:
        raise Refused(400, "InvalidParameter", "The form was cut off: its closing boundary is missing")


def _file_name(given: str) -> str:
    return given.replace("\\", "/").rpartition("/")[2]
