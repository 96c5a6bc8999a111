"""Which memories does a request to forget delete, and when does it rather delete none?"""

from __future__ import annotations

import pytest

from tests.core.facts import heard, home
from yiku.core.memory.forgetting import FORGOTTEN_AT_ONCE, NAMES_NOTHING, NOTHING_FITS, Request, surely_meant
from yiku.core.memory.holdings import SlotKey
from yiku.core.memory.known import Known
from yiku.core.memory.reconcile import DELETED, Ledger
from yiku.model.facts import Slot
from yiku.model.memories import DecisionKind, Memory


def request(words: str, key: SlotKey | None = None) -> Request:
    return Request(text=f"forget {words}", words=words, message_ids=("msg",), key=key)


def meant(words: str, *memories: Memory, key: SlotKey | None = None) -> list[str]:
    return [memory.text for memory in surely_meant(request(words, key), memories)[0]]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("我喜欢咖啡", "用户喜欢喝咖啡"),
        ("我的猫", "用户的猫叫咪咪"),
        ("Forget about my dog please", "The user's dog is called Rex"),
        ("that I like coffee", "The user likes coffee"),
        ("我妈妈的病", "用户的妈妈得了糖尿病"),
    ],
)
def test_what_is_named_in_other_words_is_meant(words: str, text: str) -> None:
    assert meant(words, heard(text), heard("The user plays chess")) == [text]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("我喜欢咖啡", "用户不喜欢喝咖啡"),
        ("that I like coffee", "The user doesn't like coffee"),
        ("coffee", "The user's sister bought a coffee machine in March and gave it away"),
        ("that I live in York", "The user lives in New York"),
        ("that I know C", "The user knows C++"),
        ("我认识张伟", "用户认识张伟明"),
        ("我的生日是3月5日", "用户的生日是3月6日"),
        ("the meeting on 2 January", "The user has a meeting on 1 February, at 2"),
    ],
)
def test_what_differs_in_denial_number_date_or_name_is_not_meant(words: str, text: str) -> None:
    memories = [heard(text)]
    assert surely_meant(request(words), memories) == ([], NOTHING_FITS)


def test_a_slot_is_meant_with_all_its_values_unless_one_is_named() -> None:
    rome, berlin = heard("In Rome, long ago", home("rome")), heard("Berlin it is", home("berlin"))
    assert meant("my address", rome, berlin, key=("user", "home", None)) == [rome.text, berlin.text]
    assert meant("that I live in Rome", rome, berlin, key=("user", "home", None)) == [rome.text]
    sister = heard("Paris", home("paris", "sister"))
    assert meant("my address", sister, key=("user", "home", None)) == []


def test_nothing_is_deleted_on_doubt() -> None:
    many = [heard(f"The user likes tea {number}") for number in range(FORGOTTEN_AT_ONCE + 1)]
    assert surely_meant(request("it"), many) == ([], NAMES_NOTHING)
    none, why = surely_meant(request("that I like tea"), many)
    assert none == []
    assert why is not None and str(FORGOTTEN_AT_ONCE + 1) in why


def test_the_decision_names_the_id_and_not_the_words() -> None:
    stored = heard("The user likes coffee", Slot(subject="user", attribute="likes", topic="coffee", value="like"))
    ledger = Ledger(Known((stored,)))
    [decision] = ledger.forget(request("that I like coffee"))
    assert (decision.kind, decision.memory_id, decision.text) == (DecisionKind.DELETE, stored.id, DELETED)
    assert ledger.deleted == (stored.id,)


def test_what_was_said_in_the_same_add_can_be_forgotten_and_is_never_written() -> None:
    ledger = Ledger(Known(()))
    ledger.decide(heard("The user likes coffee"), "told")
    assert [decision.kind for decision in ledger.forget(request("that I like coffee"))] == [DecisionKind.DELETE]
    assert (ledger.changed, ledger.deleted) == ((), ())


def test_what_is_forgotten_can_be_told_again() -> None:
    ledger = Ledger(Known((heard("The user likes coffee"),)))
    ledger.forget(request("that I like coffee"))
    again = ledger.decide(heard("The user likes coffee"), "told")
    assert again.kind is DecisionKind.ADD
