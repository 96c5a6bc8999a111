"""The engine for many servers: PostgreSQL holds everything, each server keeps the indexes it searches in memory."""

from __future__ import annotations

from yiku.adapters.postgres.storage import PostgresStorage, open_postgres

__all__ = ["PostgresStorage", "open_postgres"]
