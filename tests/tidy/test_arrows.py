"""Imports point one way (DESIGN §3): cli → server → wire → core → ports → model, and adapters → engine, ports."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.tidy.imports import Import, all_imports, module_of, modules

MAY_IMPORT: dict[str, set[str]] = {
    "model": set(),
    "ports": {"model"},
    "core": {"ports", "model"},
    "engine": {"model"},
    "adapters": {"engine", "ports", "model"},
    "wire": {"core", "ports", "model"},
    "settings": {"model"},
    "telemetry": set(),
    "backends": {"adapters", "core", "ports", "model", "settings"},
    "server": {"backends", "wire", "adapters", "core", "ports", "model", "settings", "telemetry"},
    "cli": {"backends", "server", "wire", "core", "ports", "model", "settings", "telemetry"},
    "__main__": {"cli"},
}
"""Each part of the package, and the other parts it may import."""

OUTSIDE_OF_INNER_LAYERS = {"numpy", "Stemmer", "structlog"}
"""What `model`, `ports` and `core` may use beside the standard library: arrays, stems, and the log. No web, no SQL."""

FAMILIES = ("wire", "adapters")
"""Folders whose members never import each other."""

STANDARD = set(__import__("sys").stdlib_module_names)


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_part_imports_only_what_stands_to_its_right() -> None:
    known = modules()
    wrong = []
    for found in all_imports():
        target = module_of(found.target, known)
        if target is None or "." not in target:
            continue
        importer, imported = part_of(found.importer), part_of(target)
        if importer != imported and imported not in MAY_IMPORT[importer]:
            wrong.append(f"{found.importer}:{found.line} imports {target}")
    assert wrong == []


def test_there_are_no_import_circles_not_even_inside_functions() -> None:
    known = modules()
    graph: dict[str, set[str]] = {module: set() for module in known}
    for found in all_imports():
        target = module_of(found.target, known)
        # A package's own __init__ may export its modules, and they may import each other through their full names.
        if target is not None and target != found.importer:
            graph[found.importer].add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(f"import circle: {' → '.join(circle.args[1])}")


@pytest.mark.parametrize("family", FAMILIES)
def test_siblings_do_not_import_each_other(family: str) -> None:
    known = modules()
    folders = {path.name for path in (known[f"yiku.{family}"].parent).iterdir() if path.is_dir()}

    def folder(module: str) -> str | None:
        parts = module.split(".")
        return parts[2] if len(parts) > 2 and parts[1] == family and parts[2] in folders else None

    wrong = []
    for found in all_imports():
        target = module_of(found.target, known)
        left, right = folder(found.importer), folder(target or "")
        if left and right and left != right:
            wrong.append(f"{found.importer}:{found.line} imports {target}")
    assert wrong == []


def test_inner_layers_use_no_web_sql_or_vendor_package() -> None:
    def foreign(found: Import) -> bool:
        root = found.target.split(".")[0]
        return root not in STANDARD | OUTSIDE_OF_INNER_LAYERS | {"yiku"}

    inner = [found for found in all_imports() if part_of(found.importer) in {"model", "ports", "core"}]
    assert [f"{found.importer}:{found.line} imports {found.target}" for found in inner if foreign(found)] == []


def test_the_map_of_parts_names_each_part_once() -> None:
    parts = {part_of(module) for module in modules()} - {""}
    assert parts == set(MAY_IMPORT)
