"""`yiku kb …`: what the commands about knowledge bases take."""

from __future__ import annotations

from typing import Annotated

import typer

from yiku.cli.running import run_command
from yiku.model.scopes import DEFAULT_WORKSPACE

kb_app = typer.Typer(help="Make knowledge bases, fill them with documents and look things up.", no_args_is_help=True)

Base = Annotated[str, typer.Argument(help="The id of the base.", metavar="BASE")]
Workspace = Annotated[str, typer.Option(help="The workspace of the base.")]


@kb_app.command()
def create(
    name: Annotated[str, typer.Argument(help="What people call it.")],
    id: Annotated[str | None, typer.Option(help="The id to call it by; without one it gets one.")] = None,
    description: Annotated[str, typer.Option(help="What is in it.")] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Make an empty base and print its id."""
    from yiku.cli.kb import create as run

    run_command(lambda settings: run(settings, workspace, name, id=id, description=description))


@kb_app.command("list")
def show(workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """Show the bases, or with 'yiku kb docs BASE' the documents of one."""
    from yiku.cli.kb import show as run

    run_command(lambda settings: run(settings, workspace))


@kb_app.command()
def docs(base: Base, workspace: Workspace = DEFAULT_WORKSPACE) -> None:
    """Show the documents of a base: their state, and why one could not be read."""
    from yiku.cli.kb import documents as run

    run_command(lambda settings: run(settings, workspace, base))


@kb_app.command()
def add(
    base: Base,
    sources: Annotated[list[str], typer.Argument(help="Files, folders (with all below them) or addresses.")],
    id: Annotated[str | None, typer.Option(help="The id of the one document; another file replaces it.")] = None,
    title: Annotated[str | None, typer.Option(help="Its title.")] = None,
    prune: Annotated[bool, typer.Option(help="Delete documents whose files are gone from the folders.")] = False,
    wait: Annotated[bool, typer.Option(help="Stay until all are read, working on it here.")] = True,
    quiet: Annotated[bool, typer.Option(help="Show no progress.")] = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Add documents. The same files again are nothing new, changed ones replace what was there. Exit code 1 when one
    could not be read."""
    from yiku.cli.kb_add import Addition
    from yiku.cli.kb_add import add as run

    wanted = Addition(base=base, sources=tuple(sources), id=id, title=title, prune=prune, wait=wait)
    run_command(lambda settings: run(settings, workspace, wanted, quiet=quiet))


@kb_app.command()
def rm(
    base: Base,
    documents: Annotated[list[str] | None, typer.Argument(help="Ids of documents; none is the whole base.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Delete documents, or a base with all that is in it."""
    from yiku.cli.kb import remove as run

    what = f"{len(documents)} documents of {base}" if documents else f"the base {base} with all its documents"
    if not yes:
        typer.confirm(f"Delete {what}?", abort=True)
    run_command(lambda settings: run(settings, workspace, base, documents or []))


@kb_app.command()
def search(
    base: Base,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    top: Annotated[int, typer.Option(min=1, max=100, help="How many passages.")] = 5,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Show the passages that best answer a question."""
    from yiku.cli.kb import search as run

    run_command(lambda settings: run(settings, workspace, base, question, top=top))


@kb_app.command()
def sql(
    base: Base,
    statement: Annotated[str, typer.Argument(help="One SELECT over the sheets and CSV files; none lists them.")] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Ask the tables of a base."""
    from yiku.cli.kb import ask as run

    run_command(lambda settings: run(settings, workspace, base, statement))
