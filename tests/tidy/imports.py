"""Read the imports of the package, those inside functions included."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "yiku"


@dataclass(frozen=True)
class Import:
    """`importer` imports `target`; both are dotted module names (`target` may be a name inside a module)."""

    importer: str
    target: str
    line: int


def modules() -> dict[str, Path]:
    """Dotted name → file, for every module of the package."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(module: str, file: Path) -> list[Import]:
    """Every import statement of a file, wherever it stands; those for type checkers count too."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [Import(module, alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: relative imports hide where a name comes from"
            found += [Import(module, f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def all_imports() -> list[Import]:
    return [found for module, file in modules().items() for found in imports_of(module, file)]


def module_of(target: str, known: dict[str, Path]) -> str | None:
    """The module of the package that an import target lies in; None for other packages."""
    while target:
        if target in known:
            return target
        target = target.rpartition(".")[0]
    return None
