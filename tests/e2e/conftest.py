"""Which store do the processes of a test work on? On each engine in turn: a server promises the same on all."""

from __future__ import annotations

import pytest

from tests.engines import settings_of


@pytest.fixture
def store(place: str) -> dict[str, str]:
    """The settings that name the store of this test."""
    return settings_of(place)
