"""Which words are secrets that no memory may hold, and which only look like them?"""

from __future__ import annotations

import pytest

from yiku.core.memory.extraction import extract
from yiku.core.memory.extraction.secrets import redacted
from yiku.model.messages import Message

SECRETS = [
    ("凭证为sk_test_ABC123456", "凭证为[已隐去：密钥]"),
    ("My key is sk-abcdefghijklmnop1234", "My key is [redacted: key]"),
    ("API key: abcd1234efgh5678", "API key: [redacted: key]"),
    ("用AKIAIOSFODNN7EXAMPLE登录", "用[已隐去：密钥]登录"),
    ("ghp_abcdefghijklmnopqrstuvwxyz012345", "[redacted: key]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVm", "[redacted: key]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted: key]"),
    ("my password is hunter2!", "my password is [redacted: password]!"),
    ("The password for the router is blue-42-sky", "The password for the router is [redacted: password]"),
    ("我的密码是abc123", "我的密码是[已隐去：密码]"),
    ("WiFi密码：88888888", "WiFi密码：[已隐去：密码]"),
    ("password: letmein", "password: [redacted: password]"),
    ("postgres://u:pw123@host/db", "postgres://u:[redacted: password]@host/db"),
    ("card 4111 1111 1111 1111", "card [redacted: card number]"),
    ("我的卡号是4111111111111111", "我的卡号是[已隐去：卡号]"),
]

NO_SECRETS = [
    *["the token is 4096", "token: 4096 words", "the password is wrong", "I forgot my password", "密码忘了"],
    *["sha 5d41402abc4b2a76b9719d911017c592", "uuid 123e4567-e89b-12d3-a456-426614174000", "电话13812345678"],
    *["order 4111111111111111 shipped", "订单号20231105123456789012", "身份证620102199001011234", "the key is trust"],
    *["4111111111111112", "I scored 1234567890123456", "my task_test_result is fine", "https://example.com/a:b@c"],
]


@pytest.mark.parametrize(("text", "expected"), SECRETS)
def test_a_secret_is_gone_and_the_words_around_it_stay(text: str, expected: str) -> None:
    """B083: beside Chinese characters as beside a space."""
    assert redacted(text) == expected


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redacted(text) == text


def test_no_memory_and_nothing_left_out_holds_a_secret() -> None:
    said = "My password is hunter2! Forget my password hunter2. Can you check the key sk-abcdefghijklmnop1234?"
    extraction = extract([Message(role="user", content=said)])
    told = [*extraction.facts, *extraction.left_out, *extraction.forget]
    assert not any("sk-abc" in part.text for part in told)
    assert "[redacted: password]" in " ".join(part.text for part in told)


@pytest.mark.parametrize(
    "unit", ["-----BEGIN PRIVATE KEY-----", "sk-", "4111 ", "password is ", "密码是", "a.b-", "eyJa."]
)
def test_long_hostile_text_is_no_trouble(unit: str) -> None:
    assert redacted((unit * 60_000)[:60_000])
