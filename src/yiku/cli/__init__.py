"""The command line: `yiku serve`, `yiku mcp`, `yiku check`."""

from __future__ import annotations

from yiku.cli.main import main

__all__ = ["main"]
