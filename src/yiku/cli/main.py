"""The commands, and how their errors look."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import typer
import uvloop

from yiku import __version__
from yiku.model.errors import YikuError
from yiku.settings import MCP_KEY_VARIABLE, Settings, load_settings
from yiku.telemetry import configure_log

app = typer.Typer(
    help="Yiku (忆库): memory for AI agents. Settings come from YIKU_… variables or yiku.toml; see docs/settings.md.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    if show:
        print(f"yiku {__version__}")
        raise typer.Exit


@app.command()
def serve() -> None:
    """Start the server, with a worker in the same process."""
    from yiku.cli.serve import serve as run  # Each command loads only what it needs.

    _run(run)


@app.command()
def mcp(
    api_key: Annotated[
        str | None,
        typer.Option(envvar=MCP_KEY_VARIABLE, help="Act as this API key; the variable keeps it out of process lists."),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Act for this user_id only.")] = None,
) -> None:
    """Speak MCP over standard input and output, on the same data directory as the server."""
    from yiku.cli.mcp import serve_mcp

    _run(lambda settings: serve_mcp(settings, api_key, user))


@app.command()
def check() -> None:
    """Verify the store in full and print what is in it. Exit code 1 when something is wrong."""
    from yiku.cli.check import check as run

    _run(run)


def main() -> None:
    app()


def _run(command: Callable[[Settings], Coroutine[Any, Any, int]]) -> None:
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
