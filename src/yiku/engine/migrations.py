"""The scripts that bring a database from one format to the next, and how far one is."""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files


class Standing(StrEnum):
    """What opening a store would do: make it, bring it up to date, or nothing."""

    EMPTY = "empty"
    OLDER = "older"
    PRESENT = "present"


def migration_scripts(package: str) -> list[str]:
    """Those in the folder `migrations` of an engine, in order; the first leads from nothing to version 1."""
    folder = files(package).joinpath("migrations")
    scripts = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return [script.read_text(encoding="utf-8") for script in scripts]
