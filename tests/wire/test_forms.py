"""Does a form wait for nobody for ever, and leave nothing behind when its client goes away?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope

from yiku.model.limits import Limits
from yiku.wire.forms import read_form
from yiku.wire.http import Refused

SCOPE: Scope = {"type": "http", "headers": [(b"content-type", b"multipart/form-data; boundary=b")]}
FIRST = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nhalf'


def client(parts: Sequence[bytes], then: Message | None) -> Receive:
    """One who sends so much, and then this; None says nothing any more."""
    waiting = iter(parts)

    async def receive() -> Message:
        part = next(waiting, None)
        if part is not None:
            return {"type": "http.request", "body": part, "more_body": True}
        if then is None:
            await asyncio.Event().wait()
        assert then is not None
        return then

    return receive


async def test_a_client_that_goes_away_in_the_middle_is_noticed() -> None:
    with pytest.raises(ClientDisconnect):
        await read_form(SCOPE, client([FIRST], {"type": "http.disconnect"}), Limits())


@pytest.mark.parametrize("limits", [Limits(body_deadline_s=0.01), Limits(upload_deadline_s=0.01)])
async def test_a_client_that_stops_in_the_middle_is_told_so(limits: Limits) -> None:
    with pytest.raises(Refused) as refused:
        await read_form(SCOPE, client([FIRST], None), limits)
    assert refused.value.status == 408


async def test_files_keep_their_names_without_folders_and_come_in_any_pieces() -> None:
    body = FIRST.replace(b"a.md", "..\\\\folder/茶.md".encode()) + b"\r\n--b--\r\n"
    pieces = [body[number : number + 1] for number in range(len(body))]
    form = await read_form(SCOPE, client(pieces, {"type": "http.request", "body": b"", "more_body": False}), Limits())
    assert [(file.name, await file.read()) for file in form.files] == [("茶.md", b"half")]
    await form.close()
