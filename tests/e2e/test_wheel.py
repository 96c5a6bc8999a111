"""Does the wheel hold everything, and does it run where there is no checkout?"""

from __future__ import annotations

import asyncio
import os
import site
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.e2e.processes import STARTED_WITHIN_S, environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    [built] = folder.glob("yiku-*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    package = ROOT / "src"
    wanted = {
        str(path.relative_to(package))
        for path in (package / "yiku").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= set(ZipFile(wheel).namelist())


async def test_the_wheel_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Its dependencies are those of this environment: fetching them again would only test the registry."""
    venv.create(tmp_path / "elsewhere", with_pip=False)
    [packages] = (tmp_path / "elsewhere").glob("lib/python*/site-packages")
    ZipFile(wheel).extractall(packages)
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    start = "import yiku, sys; print(yiku.__file__); from yiku.cli import main; sys.argv = ['yiku', 'serve']; main()"
    process = await asyncio.create_subprocess_exec(
        tmp_path / "elsewhere" / "bin" / "python", "-c", start, cwd=tmp_path,
        env=environment(tmp_path / "data") | {"PYTHONPATH": os.fspath(packages), "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    async with asyncio.timeout(STARTED_WITHIN_S):
        imported, greeting = await process.stdout.readline(), await process.stdout.readline()
    process.terminate()
    _, errors = await process.communicate()
    assert str(packages) in imported.decode(), errors
    assert b"Yiku is listening on" in greeting, errors.decode()
