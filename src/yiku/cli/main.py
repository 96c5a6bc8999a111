"""The commands: what they take. What each does stands in a file of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer

from yiku import __version__
from yiku.cli.admin_commands import keys_app, workspaces_app
from yiku.cli.kb_commands import kb_app
from yiku.cli.running import run_command
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.settings import MCP_KEY_VARIABLE

app = typer.Typer(
    help="Yiku (忆库): memory for AI agents. Settings come from YIKU_… variables or yiku.toml; see docs/settings.md.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(keys_app, name="keys")
app.add_typer(workspaces_app, name="workspaces")
app.add_typer(kb_app, name="kb")


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

    run_command(run)


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

    run_command(lambda settings: serve_mcp(settings, api_key, user))


@app.command()
def check() -> None:
    """Verify the store in full and print what is in it. Exit code 1 when something is wrong."""
    from yiku.cli.check import check as run

    run_command(run)


@app.command("export")
def export(
    workspace: Annotated[str, typer.Option(help="The workspace to write out.")] = DEFAULT_WORKSPACE,
    user: Annotated[str | None, typer.Option(help="Only this user_id.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new file; - is standard output.")] = Path("-"),
    with_vectors: Annotated[bool, typer.Option(help="Vectors too: larger, but quick to import.")] = False,
    quiet: Annotated[bool, typer.Option(help="Show no progress.")] = False,
) -> None:
    """Write a workspace or a user out as lines of JSON, with checksums. The server may go on."""
    from yiku.cli.export import export as run
    from yiku.core.transfer.export import Export

    wanted = Export(user_id=user, with_vectors=with_vectors)
    run_command(lambda settings: run(settings, wanted, workspace=workspace, output=output, quiet=quiet))


@app.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="What 'yiku export' or mem0 wrote; - is standard input.")],
    origin: Annotated[Literal["yiku", "mem0"], typer.Option("--from", help="Who wrote the file.")] = "yiku",
    workspace: Annotated[str | None, typer.Option(help="Another workspace than the file names.")] = None,
    into_user: Annotated[str | None, typer.Option(help="Another user_id than the file names.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show no progress.")] = False,
) -> None:
    """Take an export in. What is here already stays as it is; what was cut is finished by running it again."""
    from yiku.cli.imports import Import, bring_in

    wanted = Import(source=file, origin=origin, workspace=workspace, into_user=into_user)
    run_command(lambda settings: bring_in(settings, wanted, quiet=quiet))


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="A new file, or a folder for one named by the time.")],
    quiet: Annotated[bool, typer.Option(help="Show no progress.")] = False,
) -> None:
    """Copy the whole store into one file. The server may go on."""
    from yiku.cli.backup import backup as run

    run_command(lambda settings: run(settings, target, quiet=quiet))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What 'yiku backup' wrote.")],
    quiet: Annotated[bool, typer.Option(help="Show no progress.")] = False,
) -> None:
    """Check a backup in full and make it the store of an empty data folder."""
    from yiku.cli.restore import restore as run

    run_command(lambda settings: run(settings, file, quiet=quiet))


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Say what is wrong and what to do about it. Exit code 1 when there is a problem."""
    from yiku.cli.doctor import doctor as run

    raise typer.Exit(asyncio.run(run(as_json=as_json)))


def main() -> None:
    app()
