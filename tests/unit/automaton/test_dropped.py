"""Which assumptions may be left out, and that everything else of the program stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import for_letters
from threadproof.automaton.assumed import assume_what_does_not_abort
from threadproof.automaton.dropped import pure_assumptions, without_assumptions
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.ir.check import require_legal
from threadproof.ir.expr import may_trap
from threadproof.ir.instr import Assume, Call, Error, edges, uses
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare
from threadproof.sync.operations import OPERATIONS

HEAD = """
extern void abort(void), reach_error(void), __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void);
int seen;
static void assume(int c) { if (!c) abort(); }
static void twice(int c, int d) { int e = c; if (!e) abort(); if (d > 3) abort(); }
static void tells(int c) { seen = c; if (!c) abort(); }
static int gives(int c) { if (!c) abort(); return c; }
static void checks(int c) { if (!c) reach_error(); }
static void divides(int c) { if (!(7 / c)) abort(); }
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
"""


def read(folder: Path, body: str, prop: Property = Property.UNREACH_CALL) -> Program:
    (folder / "main.c").write_text(f"{HEAD}{body} return 0; }}", encoding="utf-8")
    return assume_what_does_not_abort(prepare([str(folder / "main.c")], prop, FrontendOptions()))


def lines(program: Program) -> frozenset[str]:
    return frozenset(str(instr.loc) for instr in program.functions["main"].instrs())


def pure_in_main(program: Program) -> int:
    return sum(function.name == "main" for function, _, _ in pure_assumptions(program))


@pytest.mark.parametrize(
    ("body", "pure"),
    [
        ("assume(x > 0);", 1),
        ("__VERIFIER_assume(x > 0);", 1),
        ("if (x > 0) abort();", 1),
        ("twice(x, y);", 1),
        ("tells(x);", 0),  # writes
        ("seen = gives(x);", 0),  # its result is used
        ("checks(x);", 0),  # goes wrong
        ("divides(x);", 0),  # may trap
    ],
)
def test_pure_assumptions(tmp_path: Path, body: str, pure: int) -> None:
    program = read(tmp_path, body)
    assert pure_in_main(program) == pure
    less = without_assumptions(program, lines(program))
    require_legal(less, frozenset(OPERATIONS))
    before, after = program.functions["main"], less.functions["main"]
    assert sum(1 for _ in before.instrs()) - sum(1 for _ in after.instrs()) == pure


@pytest.mark.parametrize("condition", ["1 << x", "x / y", "x % y && x > 0"])
def test_what_may_trap_stays(tmp_path: Path, condition: str) -> None:
    program = read(tmp_path, f"assume({condition});")
    less = without_assumptions(program, lines(program))
    assert trapping(program) == trapping(less) == 1


def trapping(program: Program) -> int:
    main = program.functions["main"]
    moved = (value for instr in main.instrs() for edge in edges(instr) for _, value in edge.moves)
    return sum(map(may_trap, (*moved, *(expr for instr in main.instrs() for expr in uses(instr)))))


def test_nothing_is_left_out_unless_named(tmp_path: Path) -> None:
    program = read(tmp_path, "assume(x > 0);\nassume(y > 0);")
    assert without_assumptions(program, frozenset()) is program
    assert without_assumptions(program, {"elsewhere.c:1"}) == program
    [first, second] = [instr for _, instr, _ in pure_assumptions(program) if isinstance(instr, Call)]
    kept = list(without_assumptions(program, {str(first.loc)}).functions["main"].instrs())
    assert first not in kept
    assert second in kept


def test_checks_for_overflows_stay(tmp_path: Path) -> None:
    """Those that a condition makes on its way, and those behind it."""
    program = read(tmp_path, "assume(x < 2147483647 - y); seen = x + y;", Property.NO_OVERFLOW)
    errors = [instr for instr in program.instrs() if isinstance(instr, Error)]
    less = for_letters(program, Property.NO_OVERFLOW, dropped=lines(program))
    assert len(errors) == 2
    assert [instr for instr in less.instrs() if isinstance(instr, Error)] == errors
    assert not any(isinstance(instr, Call) and instr.callee == "assume" for instr in less.functions["main"].instrs())
    assert any(isinstance(instr, Assume) for instr in less.functions["assume"].instrs())
