"""Only `sync` knows synchronisation operations by name; everybody else asks for facts about them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import threadproof
from threadproof.sync.facts import FACTS, HAS_HOLDER, WAITS_FOR_MUTEX, WAITS_FOR_SIGNAL, WAITS_FOR_THREAD, Act
from threadproof.sync.operations import OPERATIONS
from threadproof.sync.phrases import PHRASES, WAITS

SOURCE = Path(threadproof.__file__).parent
ALLOWED = {
    "engines/bmc/unwinding/sync_steps.py": "under which operations a mutex needs no words; what waits do to it",
    "codegen/sequential/text/sync_text.py": "primitives as C functions of the same name",
}


def named(path: Path) -> Iterator[str]:
    """Operations named in a file: whole names, and beginnings of names that strings are compared with."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value in OPERATIONS:
            yield f"line {node.lineno}: {node.value!r}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            for part in (inner for argument in node.args for inner in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and _begins_one(part.value):
                    yield f"line {part.lineno}: names that start with {part.value!r}"


def _begins_one(text: str) -> bool:
    return len(text) > 2 and any(name.startswith(text) for name in OPERATIONS)


def test_files_outside_sync_name_no_operation() -> None:
    paths = {str(path.relative_to(SOURCE)): path for path in sorted(SOURCE.rglob("*.py"))}
    found = {file: list(named(path)) for file, path in paths.items() if not file.startswith("sync/")}
    naming = {file: places for file, places in found.items() if places}
    assert {file: places for file, places in naming.items() if file not in ALLOWED} == {}, "ask sync.facts instead"
    assert naming.keys() == ALLOWED.keys(), "some need no permission any more"


def test_what_counts_as_naming_an_operation(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text("x = op in ('mutex_lock', 'other') or op.startswith(('cond_', 'zz'))\nwhy = 'no sem_wait'\n")
    assert sorted(said.split(": ")[1] for said in named(file)) == ["'mutex_lock'", "names that start with 'cond_'"]


def test_locks_with_a_holder() -> None:
    telling = {facts.family for facts in FACTS.values() if facts.locks and facts.locks.holder and facts.act is Act.LOCK}
    assert telling == HAS_HOLDER


def test_phrases_are_about_operations() -> None:
    assert PHRASES.keys() - OPERATIONS.keys() == {"free"}
    assert WAITS.keys() - OPERATIONS.keys() == {WAITS_FOR_SIGNAL}
    assert {WAITS_FOR_MUTEX, WAITS_FOR_THREAD} <= OPERATIONS.keys()
