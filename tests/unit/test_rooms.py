"""Who may import whom: the table of docs/architecture.md, held against every file."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import threadproof

ROOT = Path(threadproof.__file__).parent
TABLE = Path(__file__).parents[2] / "docs" / "architecture.md"
_ROW = re.compile(r"^\| `(\w+)` \| .* \| ([^|]*) \|$", re.MULTILINE)
_ALL, _NOTHING = "all above", "standard library"
ENTRANCES = {"__init__", "__main__"}
"""The files of no room: `python -m threadproof` and `import threadproof`."""


@cache
def table() -> dict[str, set[str]]:
    """Per room what it may import, as rooms or parts of rooms."""
    allowed: dict[str, set[str]] = {}
    for room, imports in _ROW.findall(TABLE.read_text(encoding="utf-8")):
        above = set(allowed)
        words = set(imports.split(", "))
        allowed[room] = above if words == {_ALL} else words - {_NOTHING}
    return allowed


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Names below `threadproof.` that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("threadproof.") for name in found if name.startswith("threadproof.")}


def files(room: str) -> list[Path]:
    package = ROOT / room
    return sorted(package.rglob("*.py")) if package.is_dir() else [ROOT / f"{room}.py"]


def test_every_room_is_in_the_table() -> None:
    there = {room_of(path) for path in ROOT.rglob("*.py")} - ENTRANCES
    assert there == set(table())


@pytest.mark.parametrize("room", table())
def test_nothing_else_is_imported(room: str) -> None:
    allowed = table()[room] | {room}
    for path in files(room):
        for name in imported(path) - {"__version__"}:
            assert any(f"{name}.".startswith(f"{one}.") for one in allowed), f"{path} imports {name}"


@pytest.mark.parametrize("room", table())
def test_what_may_be_imported_stands_above(room: str) -> None:
    above = list(table())[: list(table()).index(room)]
    assert {name.split(".")[0] for name in table()[room]} <= set(above)


def test_engines_do_not_import_each_other() -> None:
    engines = {path.name for path in (ROOT / "engines").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    for engine in engines:
        for path in (ROOT / "engines" / engine).rglob("*.py"):
            others = {name.split(".")[1] for name in imported(path) if name.startswith("engines.")} & engines
            assert others <= {engine}, path


def test_other_programs_are_started_in_few_places() -> None:
    """Compilers run through `toolchain` alone; the back end is a verifier that the user names; sweeps ask `verify`."""
    starting = {
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if "import subprocess" in path.read_text()
    }
    ours = {"toolchain/compiler.py", "portfolio/backend.py", "sweep/runner.py"}
    assert starting == ours | {"dev/programs/mutate.py", "dev/pages.py"}


def test_no_two_classes_have_the_same_name() -> None:
    names: Counter[str] = Counter()
    for path in ROOT.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names.update({node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")})
    assert {name for name, count in names.items() if count > 1} == set(), "name a class by its domain"
