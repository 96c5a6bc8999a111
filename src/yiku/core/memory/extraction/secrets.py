"""Which words of a message are secrets, that no memory may hold?

A secret is known by its form (a prefix that a vendor gives its keys, a private key's frame, a card number whose check
digit is right) or by the word before it (密码是…, password: …). Hashes, uuids, order numbers and telephone numbers have
neither and stay. No word boundary is asked for before a prefix: in Chinese there is none (凭证为sk_test_…).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from yiku.core.memory.extraction.language import Language, language_of

_LABELS: dict[str, dict[Language, str]] = {
    "key": {"en": "[redacted: key]", "zh": "[已隐去：密钥]"},
    "password": {"en": "[redacted: password]", "zh": "[已隐去：密码]"},
    "card": {"en": "[redacted: card number]", "zh": "[已隐去：卡号]"},
}

_NO_WORD = r"(?<![A-Za-z0-9_])"
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----.{0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY"
    r"(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_KEYS = re.compile(
    _NO_WORD + r"(?:(?:sk|rk|pk)_(?:test|live)_[A-Za-z0-9]{4,200}|whsec_[A-Za-z0-9]{16,100}|sk-[A-Za-z0-9_-]{16,250}"
    r"|(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{16,64}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,250}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])|LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"
    r"|AIza[A-Za-z0-9_-]{30,45}|ya29\.[A-Za-z0-9_-]{20,500}|hf_[A-Za-z0-9]{20,64}|npm_[A-Za-z0-9]{30,64}"
    r"|pypi-[A-Za-z0-9_-]{20,300}"
    r"|yk_[A-Za-z0-9]{4,40}_[A-Za-z0-9]{8,100}|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}|dop_v1_[a-f0-9]{32,128}"
    r"|eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}"
    r"|\d{8,10}:AA[A-Za-z0-9_-]{30,40})"
)
_CHARACTERS = r"[A-Za-z0-9!@#$%^&*()_+\-=./~?]"
_QUOTED = r"\"[^\"\n]{4,100}\"|'[^'\n]{4,100}'|“[^”\n]{4,100}”"
_NAMED_KEY = re.compile(
    rf"(?:{_NO_WORD}(?:api|access|secret|private|auth|bearer|client"
    r"|encryption)[ _-]?(?:access[ _-]?)?(?:key|token|secret)"
    rf"(?: id)?|{_NO_WORD}(?:token|bearer)|密钥|秘钥|令牌|凭证|私钥)\s{{0,3}}(?:is|=|:|：|是|为|\s){{1,3}}\s{{0,3}}"
    rf"(?P<secret>(?={_CHARACTERS}{{0,200}}\d){_CHARACTERS}{{8,200}}|{_QUOTED})",
    re.IGNORECASE,
)
_NAMED_PASSWORD = re.compile(
    rf"(?:(?:{_NO_WORD}(?:password|passwd|pwd|passcode|passphrase|pin(?: code)?)(?: (?:for|to"
    rf"|of) (?:[\w.'-]+ ){{0,3}}[\w.'-]+)?"
    rf"\s{{0,3}}(?:is now |is |是"
    rf"|为)\s{{0,3}}(?P<secret>(?={_CHARACTERS}{{0,100}}[\d!@#$%^&*_]){_CHARACTERS}{{4,100}}(?<![.?!])"
    rf"|{_QUOTED}))"
    rf"|(?:{_NO_WORD}(?:password|passwd|pwd|passcode|passphrase|pin)\s{{0,3}}[=:：]|(?:密码|口令|验证码"
    r"|支付码)(?:改|换|设)?(?:成|为|是|：|:|=)了?)"
    rf"\s{{0,3}}(?P<after_mark>{_CHARACTERS}{{4,100}}|{_QUOTED}))",
    re.IGNORECASE,
)
_CREDENTIALS_IN_LINK = re.compile(r"(?<=://)(?P<user>[^\s/:@]{1,64}):(?P<secret>[^\s/@]{1,128})(?=@)")
_NETWORKS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17}"
)
_ORDER = re.compile(r"(?:order|tracking|invoice|parcel|订单|单号|运单|快递|流水)[^\d]{0,12}$", re.IGNORECASE)
_IDENTITY = re.compile(r"\d{6}(?:19|20)\d{2}[01]\d[0-3]\d{5}")
"""A Chinese identity number: a region, a date of birth, a check digit of another kind."""
_CARD = re.compile(r"(?<![\d.-])(?:\d[ -]?){12,18}\d(?![\d.-]?\d)")


def redacted(text: str) -> str:
    """`text` with a mark in the place of every secret, in the language of the text."""
    language = language_of(text)
    for pattern, kind in ((_PRIVATE_KEY, "key"), (_KEYS, "key")):
        text = pattern.sub(_LABELS[kind][language], text)
    for pattern, kind in ((_NAMED_KEY, "key"), (_NAMED_PASSWORD, "password"), (_CREDENTIALS_IN_LINK, "password")):
        text = pattern.sub(_label_for_secret(_LABELS[kind][language]), text)
    return _CARD.sub(lambda found: _LABELS["card"][language] if _is_card(found) else found.group(), text)


def _label_for_secret(label: str) -> Callable[[re.Match[str]], str]:
    def labelled(found: re.Match[str]) -> str:
        start, end = next(found.span(group) for group in ("secret", "after_mark") if found.groupdict().get(group))
        return found.group()[: start - found.start()] + label + found.group()[end - found.start() :]

    return labelled


def _is_card(found: re.Match[str]) -> bool:
    """Digits as on a card: begun and as long as the networks have them, with the right check digit."""
    if _ORDER.search(found.string[max(0, found.start() - 20) : found.start()]):
        return False
    number = "".join(character for character in found.group() if character.isdigit())
    if not _NETWORKS.fullmatch(number) or _IDENTITY.fullmatch(number):
        return False
    digits = [int(character) for character in number]
    doubled = [digit * 2 - 9 if digit > 4 else digit * 2 for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
