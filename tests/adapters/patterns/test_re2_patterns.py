"""Whoever writes a pattern for Python finds the same lines, in linear time, or hears why not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yiku.adapters.patterns import Re2Patterns
from yiku.model.errors import InvalidInput, TooLarge
from yiku.ports.patterns import Pattern, Patterns

PATTERNS: Patterns = Re2Patterns()


def compiled(pattern: str, *, ignore_case: bool = False, literal: bool = False) -> Pattern:
    return PATTERNS.compile(pattern, ignore_case=ignore_case, literal=literal)


def spans(pattern: Pattern, line: str) -> list[tuple[int, int]]:
    """In characters."""
    content = line.encode()
    return [(len(content[:start].decode()), len(content[:end].decode())) for start, end in pattern.matches(content)]


def refusal(pattern: str) -> str:
    with pytest.raises(InvalidInput) as raised:
        compiled(pattern)
    assert raised.value.field == "pattern"
    return raised.value.message


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("配置.*参数", "系统配置的各项参数"),
        (r"\w+", "中文abc é_1 ٣"),
        (r"\W+", "中文abc é_1。，"),
        (r"\d+", "12３４ 五"),
        (r"\D+", "12３４ 五"),
        (r"\s", "a\u3000b\u00a0c d"),
        (r"\S+", "甲\u3000乙 丙"),
        (r"[\W\d]+", "ab12。中"),
        (r"[^\W\d]+", "ab12。中"),
        (r"[\w.-]+@[\w.-]+", "写信给 王五@例子.中国, me.x-y@example.org"),
        (r"[\S\s]", "a b"),
        (r"[^\S]", "a b"),
        (r"[\u4e00-\u9fff]{2,}", "ab中文"),
        (r"\u4e2d\U00006587\x61\141\N{BULLET}", "中文aa•"),
        ("(?i)É", "é É"),
        ("(?i)k", "K k \u212a"),
        ("(?P<word>a)b(?#said twice)c", "abc"),
        (r"\Aab\Z", "ab"),
        (r"\bécole\b", "une école, école! écoles"),
        (r"\b配置\b", "说 配置 文件,配置文件"),
        (r"\bAPI", "调用API API"),
        (r"\B置", "配置 置"),
        (r"\b", "ab 中文 c"),
        (r"\b.\b", "a-b"),
        (r"\b(?:\bfoo|bar\b)\b", "foo bar foobar"),
        (r"^\b\w+\b$", "整行"),
        (r"[\b]x", "\x08x"),
        ("a{,2}", "aaa"),
        ("a{x}a{", "a{x}a{"),
        ("[]a]+[^]a]", "a]b"),
        ("x*", "axx"),
        (r"\.\*\\", "a.*\\"),
        ("a.c", "a\u2028c a\x0cc"),
    ],
)
def test_a_pattern_stands_where_python_finds_it(pattern: str, line: str) -> None:
    expected = [found.span() for found in re.finditer(pattern, line)]
    assert expected, "a case that finds nothing would show nothing"
    assert spans(compiled(pattern), line) == expected


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("(?=a)", "lookahead"),
        ("a(?!b)", "negative lookahead"),
        ("(?<=配)置", "lookbehind"),
        ("(?<!a)b", "negative lookbehind"),
        (r"(a)\1", r"backreference, \1"),
        ("(?P<n>a)(?P=n)", "backreference, (?P=name)"),
        ("a++", "possessive repeat, ++"),
        ("a{2,3}+", "possessive repeat, {2,3}+"),
        ("(?>a)", "atomic group"),
        ("(a)?(?(1)b|c)", "conditional"),
        ("(?x) a", "flag 'x'"),
        ("a{1001}", "1000 times"),
        ("(a{100}){100}", "1000 times"),
        (r"\w{900}", "too large"),
        ("", "empty"),
        ("[甲", "'[' that is never closed"),
        ("(a", "'(' that is never closed"),
        ("a)", "')' that closes nothing"),
        ("*a", "nothing to repeat"),
        ("a**", "repeat after a repeat"),
        ("[z-a]", "does not ascend"),
        ("a\\", "single backslash"),
        (r"\Q", r"'\Q'"),
        (r"\p{Foo}", "not known"),
        (r"\u4e", "4 hexadecimal digits"),
        (r"\ud800", "does not exist"),
        ("\ud800", "lone surrogate"),
        (r"\N{NO SUCH THING}", "does not exist"),
        (r"[\P{L}]", r"'\P' within brackets"),
        ("(?P<a", "never closed"),
        ("(?#", "never closed"),
        ("(?", "begins no group"),
    ],
)
def test_what_cannot_be_searched_is_named(pattern: str, named: str) -> None:
    assert named in refusal(pattern)


def test_lookaround_is_refused_with_what_would_work() -> None:
    assert "literal=true" in refusal("(?=配置)")


def test_a_pattern_is_no_novel() -> None:
    compiled("配" * 1000)
    with pytest.raises(TooLarge):
        compiled("配" * 1001)


def test_literally_every_sign_means_itself() -> None:
    assert spans(compiled("f(x)*[1]\\b", literal=True), r"is f(x)*[1]\b") == [(3, 13)]
    assert spans(compiled("价格(元)", literal=True, ignore_case=True), "价格(元)") == [(0, 5)]
    assert spans(compiled("É.", literal=True, ignore_case=True), "é. ex") == [(0, 2)]
    with pytest.raises(InvalidInput, match="one by one"):
        compiled("a\nb", literal=True)


def test_the_end_of_a_line_is_before_its_line_end() -> None:
    """rust-lang/regex#244, BurntSushi/ripgrep#416: the text has `\\n` alone, and `$` stands before each."""
    assert list(compiled("needle$").lines_with(b"a needle\nneedle b\nneedle")) == [0, 2]
    assert list(compiled(r"^\s*$").lines_with("甲\n\n\u3000\n乙".encode())) == [1, 2]


@pytest.mark.parametrize("pattern", [r"a\s*b", "[^x]+b$", r"\n", "(?s)a.b", r"a\nb", "[\\s\\S]{3}", r"a\Wb", "[^甲]b"])
def test_no_match_crosses_a_line(pattern: str) -> None:
    assert list(compiled(pattern).lines_with(b"a\nb\n\nc")) == []


LINES = st.text(alphabet="ab1_ é中文。\u3000\u2028.-", max_size=12)
ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "中",
        "é",
        "1",
        ".",
        r"\w",
        r"\W",
        r"\d",
        r"\D",
        r"\s",
        r"\S",
        "[a中]",
        "[^a文]",
        r"[\W1]",
        r"[^\s\d]",
        r"\n",
    ]
)
REPEATS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{,2}", "*?"])
WRITTEN = st.recursive(
    st.builds("{}{}".format, ATOMS, REPEATS),
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("({})?".format, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(WRITTEN, st.lists(LINES, max_size=6), st.booleans())
def test_searched_at_once_or_line_by_line_the_same_lines_are_found(
    pattern: str, lines: list[str], ignore_case: bool
) -> None:
    found = compiled(pattern, ignore_case=ignore_case)
    python = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    at_once = list(found.lines_with("\n".join(lines).encode()))
    lines = lines or [""]
    assert at_once == [number for number, line in enumerate(lines) if spans(found, line)]
    assert at_once == [number for number, line in enumerate(lines) if python.search(line)]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["", "^", r"\b", r"\B", r"\b\b"]), WRITTEN, st.sampled_from(["", "$", r"\b", r"\B"]), LINES)
def test_places_in_a_line_are_what_they_are_to_python(before: str, pattern: str, after: str, line: str) -> None:
    # Before 3.14 Python has no \B in an empty line.
    line = line or " "
    whole = f"{before}(?:{pattern}){after}"
    assert bool(spans(compiled(whole), line)) == bool(re.search(whole, line))


def test_noncharacters_in_a_text_do_not_confuse_word_boundaries() -> None:
    assert spans(compiled(r"\bab\b"), "\ufdd0ab\ufdd1 ab") == [(1, 3), (5, 7)]


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|aa)+$",
        "(.*)*!",
        ".*.*.*=.*",
        "(配置+)+$",
        "(配|配配)+!",
        "(x+x+)+y",
        "(a|b)*a(a|b){12}c",
        r"(\w+\s?)+:$",
    ],
)
@pytest.mark.timeout(20)
def test_patterns_that_hang_others_are_answered(pattern: str) -> None:
    text = "\n".join(["a" * 5_000 + "b", "配" * 5_000, "配置" * 2_000 + "。", "ab" * 3_000, "x" * 5_000] * 4).encode()
    assert list(compiled(pattern).lines_with(text)) == []


def test_a_pattern_that_takes_too_long_is_stopped_between_lines() -> None:
    text = b"\n".join([b"ab" * 100] * 2_000)
    hasty = Re2Patterns(seconds=0).compile("(?:a|b)*a(?:a|b){100}c", ignore_case=False, literal=False)
    with pytest.raises(InvalidInput, match="takes too long"):
        list(hasty.lines_with(text))


def test_megabytes_in_one_line_are_not_given_to_a_huge_pattern() -> None:
    with pytest.raises(InvalidInput, match="takes too long"):
        list(compiled(r"\w{20}z").lines_with(b"a" * 2_000_000))
    assert list(compiled(r"a\w+z").lines_with(b"a" * 2_000_000 + b"z")) == [0]
