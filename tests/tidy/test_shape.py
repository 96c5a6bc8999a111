"""Rules of the house that a reader would otherwise have to remember (docs/adr/0001)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.tidy.imports import PACKAGE, modules

ROOT = PACKAGE.parents[1]
HOMELESS = re.compile(r"(^|_)(utils?|helpers?|common|managers?|misc|impl|base)(_|$)")
CALLS_OF_ADAPTERS = re.compile(
    r"\b(datetime\.now|datetime\.utcnow|uuid4|uuid1|time\.time|time\.sleep|random\.\w+|secrets\.\w+)\("
)
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60


def source_lines() -> list[tuple[Path, int, str]]:
    return [
        (file, number, line)
        for file in modules().values()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    ]


def test_every_file_says_what_it_is_for() -> None:
    silent = [file for file in modules().values() if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))]
    assert silent == []


def test_no_file_is_named_for_having_no_home() -> None:
    assert [file for file in modules().values() if HOMELESS.search(file.stem)] == []


def test_files_and_functions_fit_a_readers_head() -> None:
    too_long = []
    for file in modules().values():
        text = file.read_text(encoding="utf-8")
        if text.count("\n") > FILE_LINES_MAX:
            too_long.append(f"{file.name}: {text.count(chr(10))} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    too_long.append(f"{file.name}:{node.lineno} {node.name}: {lines} lines")
    assert too_long == []


def test_time_chance_and_sleep_come_from_the_clock_port() -> None:
    wrong = [
        f"{file.name}:{number} {line.strip()}"
        for file, number, line in source_lines()
        if "adapters" not in file.parts and CALLS_OF_ADAPTERS.search(line)
    ]
    assert wrong == []


def test_nothing_is_left_to_do_later_in_the_source() -> None:
    wrong = [f"{f.name}:{n}" for f, n, line in source_lines() if re.search(r"\b(TODO|FIXME|XXX)\b", line)]
    assert wrong == []


def test_errors_are_caught_wholesale_only_where_the_style_allows_it() -> None:
    """The request edge, the job loop, the process: a fourth place would hide faults."""
    allowed = {"core/work.py", "wire/http.py", "wire/mcp_server.py"}
    found = set()
    for file in modules().values():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and catches_everything(node):
                found.add(file.relative_to(PACKAGE).as_posix())
    assert found <= allowed, found - allowed


def catches_everything(handler: ast.ExceptHandler) -> bool:
    names = [handler.type] if not isinstance(handler.type, ast.Tuple) else handler.type.elts
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"}) for name in names
    )
