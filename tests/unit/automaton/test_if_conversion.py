"""Which branches become selections, by hand. That programs then mean the same: tests/differential/test_impact.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import for_letters, program_automaton
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.check import require_legal
from threadproof.ir.instr import Branch
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.sync.operations import OPERATIONS

HEAD = """#include <pthread.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int a, b, c, d, x; int *p;
void begin(void) { __VERIFIER_atomic_begin(); }
void end(void) { __VERIFIER_atomic_end(); }
"""
MAIN = """
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); a = b = c = d = x = 3; p = &a; return x; }
"""


def converted(folder: Path, body: str, prop: Property = Property.UNREACH_CALL) -> Program:
    path = folder / "main.c"
    path.write_text(f"{HEAD}void *work(void *arg) {{ int i = (arg != 0); {body} return 0; }}{MAIN}", encoding="utf-8")
    program = for_letters(normalise(load([str(path)], FrontendOptions())), prop)
    require_legal(program, frozenset(OPERATIONS))
    return program


def branches(program: Program) -> int:
    return sum(isinstance(instr, Branch) for instr in program.functions["work"].instrs())


INSIDE = "__VERIFIER_atomic_begin(); x = a && b || !c && d ? (a ? b : c) : d; __VERIFIER_atomic_end();"


def test_conditional_expressions_in_an_atomic_block_are_one_letter(tmp_path: Path) -> None:
    program = converted(tmp_path, INSIDE * 3)
    assert branches(program) == 0
    assert len(program_automaton(program).templates["work"].letters) == 3  # the end of the thread belongs to the last


def test_conditions_over_registers_need_no_atomic_block(tmp_path: Path) -> None:
    assert branches(converted(tmp_path, "int k = i > 3 && i < 7 ? i : 2; x = k;")) == 0


@pytest.mark.parametrize(
    "body",
    [
        "x = i ? b : c;",  # what others see
        "__VERIFIER_atomic_begin(); x = a ? *p : c; __VERIFIER_atomic_end();",  # the address may be no object
        "__VERIFIER_atomic_begin(); x = a ? b / c : 0; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); x = a ? __VERIFIER_nondet_int() : 0; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); if (a) b = 1; __VERIFIER_atomic_end();",
        "int k = 0; while (k < i) k++; x = k;",
        "__VERIFIER_atomic_begin(); end(); x = a ? b : c;",  # not inside any more
        "begin(); x = a ? b : c; end();",  # nobody knows
    ],
)
def test_what_others_notice_stays(tmp_path: Path, body: str) -> None:
    assert branches(converted(tmp_path, body)) > 0


def test_data_races_are_asked_of_the_program_as_it_is(tmp_path: Path) -> None:
    assert branches(converted(tmp_path, INSIDE, Property.NO_DATA_RACE)) > 0


def test_variables_that_are_not_written_any_more(tmp_path: Path) -> None:
    """`b` and `c` are, while the thread runs; `n` and `m` were before."""
    text = """
    int n, m;
    void *work(void *arg) { x = n > 3 && m < 5 ? 1 : 2; %s return 0; }
    int main(void) { pthread_t t; n = m = 4; pthread_create(&t, 0, work, 0); %s b = c = x = 3; return x; }
    """
    path = tmp_path / "main.c"
    for more, changes, expected in (("", "", 0), ("x = b > 3 && c < 5;", "", 1), ("", "m = 3;", 1)):
        path.write_text(HEAD + text % (more, changes), encoding="utf-8")
        program = for_letters(normalise(load([str(path)], FrontendOptions())), Property.UNREACH_CALL)
        assert branches(program) == expected
