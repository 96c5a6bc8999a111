"""Nouns: frozen values and pure functions. Nothing here waits, and nothing here knows HTTP, JSON-RPC or SQL."""
