"""Loops that fill new blocks: which are left out, and that the program means the same without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines.explicit import check as explicit
from threadproof.engines.impact import check as impact
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.check import require_legal
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import normalise
from threadproof.sync.operations import OPERATIONS

HEAD = """#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void); extern int __VERIFIER_nondet_int(void);
extern void reach_error(void); extern void abort(void);
unsigned char *seen;
"""
MAKE = """
unsigned char *make(int n) {
  unsigned char *a = malloc(SIZE);
  for (int i = FIRST; i < n; i++) { BODY }
  return a;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2) abort();
  unsigned char *a = make(n);
  CHECK
  return 0;
}
"""
USUAL = {"SIZE": "n", "FIRST": "0", "BODY": "a[i] = __VERIFIER_nondet_uchar();", "CHECK": ""}


def read(folder: Path, **parts: str) -> Program:
    text = MAKE
    for name, part in {**USUAL, **parts}.items():
        text = text.replace(name, part)
    (folder / "main.c").write_text(HEAD + text, encoding="utf-8")
    return normalise(load([str(folder / "main.c")], FrontendOptions(data_model=DataModel.ILP32)))


def answer(program: Program, prop: Property = Property.UNREACH_CALL) -> Result:
    return explicit(Task(program, prop), Budget(30), Silent())


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({}, Safe),
        ({"CHECK": "if (n == 2 && a[0] == 7 && a[1] == 9) reach_error();"}, Unsafe),
        ({"CHECK": "if (n == 2 && a[0] != a[0]) reach_error();"}, Safe),
        ({"SIZE": "n - (n == 2)"}, Unknown),  # beyond the block, which is undefined
        ({"SIZE": "1", "CHECK": "if (n < 2) reach_error();"}, Unsafe),
        ({"BODY": "a[i] = __VERIFIER_nondet_uchar() & 1;", "CHECK": "if (n == 1 && a[0] > 1) a[0] = 0;"}, Safe),
    ],
)
def test_programs_mean_the_same(tmp_path: Path, parts: dict[str, str], expected: type) -> None:
    program = read(tmp_path, **parts)
    without = without_filling_loops(program)
    assert without is not program
    require_legal(without, frozenset(OPERATIONS))
    assert [type(answer(one)) for one in (program, without)] == [expected, expected]


@pytest.mark.parametrize(
    "parts",
    [
        {"FIRST": "1"},
        {"FIRST": "n - 1"},
        {"BODY": "a[i] = 3;"},
        {"BODY": "a[i] = i;"},
        {"BODY": "a[i] = __VERIFIER_nondet_uchar(); n = 1;"},
        {"BODY": "a[i] = __VERIFIER_nondet_uchar(); a = a + 1;"},
        {"BODY": "a[i] = __VERIFIER_nondet_uchar(); i++;"},
        {"BODY": "a[i / 2] = __VERIFIER_nondet_uchar();"},
        {"BODY": "a[i] = __VERIFIER_nondet_uchar(); if (a[i] == 3) abort();"},
        {"BODY": "a[i] = __VERIFIER_nondet_uchar(); seen = a;"},
        {"SIZE": "n); a[0] = 1; (void)(0"},
        {"SIZE": "n); seen = a; (void)(0"},
        {"SIZE": "n); n = 2; (void)(0"},
        {"SIZE": "n); a = seen; (void)(0"},
        {"SIZE": "1 ? 4 : 1); a = calloc(1, 4); (void)(0"},
    ],
)
def test_other_loops_stay(tmp_path: Path, parts: dict[str, str]) -> None:
    program = read(tmp_path, **parts)
    assert without_filling_loops(program) is program


def test_violations_are_those_of_the_program(tmp_path: Path) -> None:
    """The schedule chooses every element, as the program does."""
    program = read(tmp_path, CHECK="if (n == 2 && a[1] == 9) reach_error();")
    found = impact(Task(program, Property.UNREACH_CALL), Budget(30), Silent())
    assert isinstance(found, Unsafe)
    assert sum(len(move.choices) for move in found.schedule) == 3
