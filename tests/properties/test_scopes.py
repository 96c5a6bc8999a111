"""Can an odd user id ever be read as another user?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from yiku.model.scopes import user_of, user_partition

odd_parts = st.text(st.sampled_from("ab/%:2F.~*_ 中\u0301é"), min_size=1, max_size=4)
any_parts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
parts = odd_parts | any_parts
scopes = st.tuples(parts, parts, parts, parts)


@given(workspace=parts, user_id=parts, store=parts, app=parts)
def test_the_user_of_a_partition_is_the_one_it_was_made_for(workspace: str, user_id: str, store: str, app: str) -> None:
    assert user_of(user_partition(workspace, user_id, store=store, app=app)) == user_id
    assert user_of(user_partition(workspace, user_id)) == user_id


@given(one=scopes, other=scopes)
def test_different_scopes_are_different_partitions(
    one: tuple[str, str, str, str], other: tuple[str, str, str, str]
) -> None:
    ours, theirs = (
        user_partition(workspace, user_id, store=store, app=app) for workspace, store, app, user_id in (one, other)
    )
    assert (ours == theirs) == (one == other)


@given(store=parts, app=parts, user_id=parts, longer=parts)
def test_a_scope_is_no_prefix_of_another_user(store: str, app: str, user_id: str, longer: str) -> None:
    everyone = user_partition("default", "", store=store, app=app).owner
    assert user_partition("default", user_id, store=store, app=app).owner.startswith(everyone)
    if longer != app:
        assert not user_partition("default", user_id, store=store, app=longer).owner.startswith(everyone)
