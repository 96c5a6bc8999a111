"""Which fixtures do the properties share with the contract? The engines: a property holds for each of them."""

from __future__ import annotations

from tests.contract.conftest import clock, engine, storage

__all__ = ["clock", "engine", "storage"]
