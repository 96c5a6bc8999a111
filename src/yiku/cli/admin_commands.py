"""`yiku keys …` and `yiku workspaces …`: what they take. What they do stands in `keys.py` and `workspaces.py`."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from yiku.cli.running import run_command
from yiku.model.scopes import DEFAULT_WORKSPACE

keys_app = typer.Typer(help="Make, list and revoke API keys.", no_args_is_help=True)
workspaces_app = typer.Typer(help="Make and list workspaces: tenants whose data never meet.", no_args_is_help=True)

Name = Annotated[str, typer.Option(help="What the key is for.")]
Workspace = Annotated[str, typer.Option(help="Where it is valid.")]
Permission = Annotated[
    list[str] | None,
    typer.Option(
        "--permission",
        help="memory:read, memory:write, skill:read, skill:write, knowledge:read, knowledge:write, chat or admin; "
        "may be given several times. Reading and writing memories by default.",
    ),
]
User = Annotated[str | None, typer.Option(help="The only user_id it may see.")]
Expires = Annotated[
    str | None, typer.Option(help="When it ends: 12h, 30d, 8w, or a date such as 2027-01-31. Never by default.")
]
NewStore = Annotated[bool, typer.Option("--new-store", help="Make the store if there is none yet.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@keys_app.command("create")
def create_key(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    permission: Permission = None,
    user: User = None,
    expires: Expires = None,
    new_store: NewStore = False,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, this once."""
    from yiku.cli.keys import WantedKey, create  # Each command loads only what it needs.

    wanted = WantedKey(name=name, workspace=workspace, permissions=permission, user_id=user, expires=expires)
    run_command(lambda settings: create(settings, wanted, as_json=as_json, new_store=new_store))


@keys_app.command("import")
def import_key(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    permission: Permission = None,
    user: User = None,
    expires: Expires = None,
    new_store: NewStore = False,
    as_json: AsJson = False,
) -> None:
    """Accept a key that was made elsewhere. It is read from standard input, so that no list of processes shows it."""
    from yiku.cli.keys import WantedKey, bring_in

    secret = getpass.getpass("Key: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    wanted = WantedKey(name=name, workspace=workspace, permissions=permission, user_id=user, expires=expires)
    run_command(lambda settings: bring_in(settings, wanted, secret, as_json=as_json, new_store=new_store))


@keys_app.command("list")
def list_keys(as_json: AsJson = False) -> None:
    """Show all keys, newest first; never their secrets."""
    from yiku.cli.keys import show

    run_command(lambda settings: show(settings, as_json=as_json))


@keys_app.command("revoke")
def revoke_key(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As 'yiku keys list' shows it.")],
    as_json: AsJson = False,
) -> None:
    """Refuse a key from now on; servers that run notice within a second."""
    from yiku.cli.keys import revoke

    run_command(lambda settings: revoke(settings, key_id, as_json=as_json))


@workspaces_app.command("create")
def create_workspace(
    name: Annotated[str, typer.Argument(help="Small letters, digits, - and _.")], new_store: NewStore = False
) -> None:
    """Make a workspace."""
    from yiku.cli.workspaces import create

    run_command(lambda settings: create(settings, name, new_store=new_store))


@workspaces_app.command("list")
def list_workspaces(as_json: AsJson = False) -> None:
    """Show all workspaces, oldest first."""
    from yiku.cli.workspaces import show

    run_command(lambda settings: show(settings, as_json=as_json))
