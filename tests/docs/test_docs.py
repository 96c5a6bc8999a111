"""What we promise in prose is checked: settings, limits, links, examples."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from yiku.model.limits import Limits
from yiku.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SETTINGS_PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("name", sorted(Settings.model_fields.keys() - {"limits"}))
def test_every_setting_has_its_line_and_its_description(name: str) -> None:
    assert f"| `{name}` |" in SETTINGS_PAGE
    assert Settings.model_fields[name].description


@pytest.mark.parametrize("name", [limit.name for limit in fields(Limits)])
def test_every_limit_has_its_line(name: str) -> None:
    assert f"| `{name}` |" in SETTINGS_PAGE


def test_the_settings_page_names_nothing_that_does_not_exist() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", SETTINGS_PAGE, re.MULTILINE))
    assert named == {*Settings.model_fields, *(limit.name for limit in fields(Limits))} - {"limits"}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    broken = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_json_examples_are_json(page: Path) -> None:
    for block in re.findall(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        json.loads(block)


def test_the_readme_names_commands_that_the_makefile_has() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command
