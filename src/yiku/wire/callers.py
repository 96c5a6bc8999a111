"""Who is asking, at whichever door."""

from __future__ import annotations

from collections.abc import Collection

from starlette.types import Scope

from yiku.core.access import KeyRing
from yiku.model.errors import Unauthenticated, YikuError
from yiku.model.principal import Principal
from yiku.wire.http import bearer_key
from yiku.wire.refusals import refusal


async def caller_of(
    scope: Scope, keys: KeyRing, anonymous: Principal | None, *, schemes: Collection[str] = ("bearer",)
) -> Principal:
    """The principal behind a request, or a `Refused`. `anonymous` is everybody, where keys are turned off."""
    if anonymous is not None:
        return anonymous
    try:
        key = bearer_key(scope, schemes=schemes)
        if key is None:
            raise Unauthenticated
        return await keys.principal_of(key)
    except YikuError as error:
        raise refusal(error) from error
