"""`yiku export`: a workspace or a user as lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import BinaryIO

from yiku.backends import OPERATOR, ORIGINALS_FOLDER, open_ports
from yiku.cli.new_file import disk_errors, new_file
from yiku.cli.progress import Progress
from yiku.cli.store import require_store
from yiku.core.access import in_workspace
from yiku.core.transfer.export import Export, export_lines
from yiku.settings import Settings

_SHOWN_EVERY = 1_000
STANDARD_OUTPUT = Path("-")


async def export(settings: Settings, wanted: Export, *, workspace: str, output: Path, quiet: bool) -> int:
    await require_store(settings)
    progress = Progress(quiet=quiet)
    async with open_ports(settings) as ports:
        principal = await in_workspace(ports, OPERATOR, workspace)
        # Closed by us even when the disk is full, while the store is still open.
        async with aclosing(export_lines(ports, principal, wanted)) as lines:
            if output == STANDARD_OUTPUT:
                with disk_errors("Standard output"):
                    count = await _write(lines, sys.stdout.buffer, progress)
            else:
                with new_file(output) as part, part.open("wb") as file:
                    count = await _write(lines, file, progress)
    print(f"Exported {count} records.", file=sys.stderr)
    originals = settings.data_dir / ORIGINALS_FOLDER
    # The export of one user holds no documents, so nothing of them is missing.
    if wanted.user_id is None and settings.originals == "folder" and originals.is_dir():
        print(f"Of documents it has the texts, but not the files: copy {originals} beside it.", file=sys.stderr)
    return 0


async def _write(lines: AsyncIterator[bytes], file: BinaryIO, progress: Progress) -> int:
    """How many records were written: every line but the first and the last is one."""
    written = 0
    async for line in lines:
        file.write(line)
        written += 1
        if written % _SHOWN_EVERY == 0:
            progress.show(f"{written} records written")
    file.flush()
    progress.clear()
    return written - 2
