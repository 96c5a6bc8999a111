"""Does a schema fuzzer that takes the OpenAPI document of Knowledge REST at its word find nothing to complain about?

`YIKU_FUZZ_EXAMPLES` and `YIKU_FUZZ_SEED` make it look further and elsewhere, as `make fuzz` does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import KEY, serving
from tests.engines import settings_of

CONFIGURATION = Path(__file__).parent / "schemathesis.toml"
PHASES = "examples,coverage,fuzzing,stateful"
EXAMPLES = int(os.environ.get("YIKU_FUZZ_EXAMPLES", "3"))
SEED = os.environ.get("YIKU_FUZZ_SEED", "1")


@pytest.mark.timeout(400 + 60 * EXAMPLES)
async def test_schemathesis_finds_no_failure(place: str, tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY, **settings_of(place)) as server:
        fuzzer = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run",
            f"{server.url}/v1/knowledge/openapi.json", "--header", f"Authorization: Bearer {KEY}", "--phases", PHASES,
            "--max-examples", str(EXAMPLES), "--seed", SEED, "--no-color", cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        out, _ = await fuzzer.communicate()
    assert fuzzer.returncode == 0, out.decode()
