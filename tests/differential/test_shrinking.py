"""What the sweeps print when they find something: a fault planted on purpose comes out as a program of a few lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from comparison import compare, read
from merged import merged
from samples import shrunk
from sweep import kinds
from walk import visibly

from threadproof.codegen.machine import expressions
from threadproof.dev.programs.generate import TinyShape, generate_tiny
from threadproof.ir.expr import BinaryOp
from threadproof.ir.program import Program
from threadproof.passes import pipeline

PLAIN = TinyShape(threads=(2, 2), features=(0, 0))
TRIED = 30  # programs before a fault counts as unnoticed


def first_that_differs(differences: Callable[[str], frozenset[str]]) -> str:
    return next(text for seed in range(TRIED) if differences(text := generate_tiny(seed, PLAIN)))


def test_a_fault_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A global wrongly taken for private: a thread, a write and a read are left."""

    def careless(program: Program) -> Program:
        return replace(program, unshared=frozenset({"x"}))

    passes = tuple(careless if p is pipeline.mark_unshared else p for p in pipeline.PIPELINE)
    monkeypatch.setattr(pipeline, "PIPELINE", passes)

    def differences(source: str) -> frozenset[str]:
        return kinds(compare(source, 500))

    small = shrunk(first_that_differs(differences), differences)
    assert differences(small)
    assert "pthread_create" in small
    assert len(small.splitlines()) <= 14, small


def test_a_fault_of_the_step_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Additions that subtract: one of them is left."""

    def differences(source: str) -> frozenset[str]:
        return frozenset(d.split(" after ")[0] for d in visibly(read(source), walks=3).differences)

    monkeypatch.setitem(expressions._SIMPLE, BinaryOp.ADD, "-")
    small = shrunk(first_that_differs(differences), differences)
    assert differences(small)
    assert len(small.splitlines()) <= 10, small
    assert "+" in small


def test_merged_programs_keep_their_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    harmless, telling = "int x;\nint main(void) {\n    x = 1;\n}\n", "int x = 1;\nint main(void) {\n    x = x + 1;\n}\n"
    program = read(merged([harmless, telling]))
    assert not visibly(program, walks=1, firsts=(0, 1)).differences
    monkeypatch.setitem(expressions._SIMPLE, BinaryOp.ADD, "-")
    assert not visibly(program, walks=1, firsts=(0,)).differences
    assert visibly(program, walks=1, firsts=(1,)).differences
