"""What is looked for when a search is asked with a question, and what when with the last turns of a chat?"""

from __future__ import annotations

import pytest

from yiku.core.memory.question import Question, understood


@pytest.mark.parametrize(
    "text",
    [
        "Where does Anna live?",
        "我喜欢喝什么咖啡？",
        "Note: buy milk",
        "Plan: buy milk\nand then call Anna",
        "Assistant: hello\nAssistant: are you there?",
        "",
        "12:30",
    ],
)
def test_what_is_no_dialogue_is_asked_as_it_is(text: str) -> None:
    assert understood(text) == Question(text)


@pytest.mark.parametrize(
    ("text", "asked", "people"),
    [
        (
            '<BOD>\n <Bart>:"我今天考了满分！"\n <Assistant>:"太棒了！"\n <Bart>:"怎么庆祝呢？"\n',
            "Bart: 我今天考了满分！ Bart: 怎么庆祝呢？",
            ("Bart",),
        ),
        (' <Lisa>: "嘿。"\n <Assistant>: "在。"', "Lisa: 嘿。", ("Lisa",)),
        ("user: I moved\nassistant: Oh, where?\nuser: To Lyon", "user: I moved user: To Lyon", ()),
        ("用户：我搬家了\n助手：搬到哪里？", "用户: 我搬家了", ()),
        ("- Anna Maria: hi\n- 小明：你好", "Anna Maria: hi 小明: 你好", ("Anna Maria", "小明")),
    ],
)
def test_of_a_dialogue_what_its_people_said_is_asked(text: str, asked: str, people: tuple[str, ...]) -> None:
    assert understood(text) == Question(asked, people)


def test_a_long_line_of_hostile_marks_is_read_in_time() -> None:
    hostile = "<" * 50_000 + "a " * 20_000 + ":" * 10_000
    assert understood(f"{hostile}\n{hostile}") == Question(f"{hostile}\n{hostile}")
