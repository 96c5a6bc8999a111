"""How every command runs: settings, the log, an event loop, and errors as one line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import typer
import uvloop

from yiku.model.errors import YikuError
from yiku.settings import Settings, load_settings
from yiku.telemetry import configure_log


def run_command(command: Callable[[Settings], Coroutine[Any, Any, int]]) -> None:
    """Run it under the settings in force, and leave with its exit code; 2 for what somebody can mend."""
    try:
        settings = load_settings()
        configure_log(settings.log_level, settings.log_format)
        # Half the cost of a small request is the event loop's.
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            code = runner.run(command(settings))
    except YikuError as error:
        print(f"yiku: {error.message}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        code = 130
    raise typer.Exit(code)
