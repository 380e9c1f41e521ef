"""Two files alone know the solvers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import threadproof

ROOT = Path(threadproof.__file__).parent
DOORS = {"bitwuzla": "smt/bitwuzla_backend.py", "z3": "smt/z3_backend.py"}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("package", sorted(DOORS))
def test_each_solver_has_one_door(package: str) -> None:
    door = ROOT / DOORS[package]
    texts = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    assert [path for path, text in texts.items() if f'import_module("{package}")' in text] == [door]
    mentions = [path for path, text in texts.items() if package in text]
    assert not [path for path in mentions if package in {name.split(".")[0] for name in imports(path)}]
