"""Is a secret anywhere in the store after it was told?"""

from __future__ import annotations

import pytest

from tests.core.memories import add, listed, scope
from yiku.core.memory.records import MESSAGE
from yiku.model.records import PageQuery
from yiku.ports import Ports


@pytest.mark.parametrize("infer", [True, False])
@pytest.mark.parametrize(
    ("said", "secret", "kept"),
    [
        ("我的密码是abc123，别告诉别人", "abc123", "别告诉别人"),
        ("I use the key sk-abcdefghijklmnop1234 for the bot", "sk-abcdefghijklmnop1234", "for the bot"),
        ("I like tea. " * 1_000 + "my password is hunter2!", "hunter2", "I like tea"),
    ],
)
async def test_no_record_of_an_add_holds_a_secret_the_raw_message_included(
    ports: Ports, said: str, secret: str, kept: str, infer: bool
) -> None:
    await add(ports, said, infer=infer)
    query = PageQuery(partitions=(scope().partition,), kind=MESSAGE)
    messages = [record.body["content"] for record in (await ports.storage.page(query)).records]
    texts = messages + [memory.text for memory in await listed(ports)]
    assert len(texts) >= 2
    assert not any(secret in text for text in texts)
    assert any(kept in text for text in messages)
