"""A nondeterministic value that is only ever compared with constants needs one representative per case.

`if (__VERIFIER_nondet_int())` has two cases, not four thousand million: which value of a case is taken cannot matter,
because the value is used for nothing but these comparisons.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from threadproof.analysis.values.conditions import CHOICE, Conditions, Intervals, complement, intersect, patterns
from threadproof.ir.expr import Compare, Const, Convert, Expr, Reg, children, registers
from threadproof.ir.instr import Assign, Instr, Nondet, all_uses, defs, edges
from threadproof.ir.program import Function, Program
from threadproof.ir.simplify import substitute

SMALL = 2  # fewer values need no sorting
MAX_CASES = 32


def sort_choices(program: Program) -> Program:
    return replace(program, functions={name: _sorted(f) for name, f in program.functions.items()})


def _sorted(function: Function) -> Function:
    if not any(isinstance(i, Nondet) for i in function.instrs()):
        return function
    once = _defined_once(function)
    blocks = tuple(
        replace(block, instrs=tuple(_sort(function, once, instr) for instr in block.instrs))
        for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _defined_once(function: Function) -> set[str]:
    counts = Counter(param.name for param in function.params)
    for instr in function.instrs():
        counts.update(reg.name for reg in defs(instr))
        counts.update(dst.name for edge in edges(instr) for dst, _ in edge.moves)
    return {name for name, count in counts.items() if count == 1}


def _sort(function: Function, once: set[str], instr: Instr) -> Instr:
    if not isinstance(instr, Nondet) or instr.dst.name not in once or instr.high - instr.low <= SMALL:
        return instr
    same = _aliases(function, once, instr.dst.name)
    comparisons = _comparisons(function, same)
    if comparisons is None:
        return instr
    cases = _cases(instr, same, comparisons)
    return instr if cases is None else replace(instr, values=tuple(_representative(case, instr) for case in cases))


def _aliases(function: Function, once: set[str], name: str) -> set[str]:
    """Registers that hold the value and never anything else."""
    same = {name}
    assigns = [instr for instr in function.instrs() if isinstance(instr, Assign)]
    copies = [(assign.dst.name, assign.value.name) for assign in assigns if isinstance(assign.value, Reg)]
    for _ in copies:
        same |= {dst for dst, src in copies if src in same and dst in once}
    return same


def _comparisons(function: Function, same: set[str]) -> list[Compare] | None:
    """Every comparison of the value with a constant; None if it is used in any other way."""
    found: list[Compare] = []
    for instr in function.instrs():
        if isinstance(instr, Assign) and isinstance(instr.value, Reg) and instr.dst.name in same:
            continue
        for expr in all_uses(instr):
            if not _collect(expr, same, found):
                return None
    return found


def _collect(expr: Expr, same: set[str], found: list[Compare]) -> bool:
    if not any(name in same for name in registers(expr)):
        return True
    if isinstance(expr, Compare) and _is_value(expr.left, same) and isinstance(expr.right, Const):
        found.append(expr)
        return True
    if isinstance(expr, Compare) and _is_value(expr.right, same) and isinstance(expr.left, Const):
        found.append(expr)
        return True
    if isinstance(expr, Reg):
        return False
    return all(_collect(child, same, found) for child in children(expr))


def _is_value(expr: Expr, same: set[str]) -> bool:
    inner = expr.operand if isinstance(expr, Convert) else expr
    return isinstance(inner, Reg) and inner.name in same


def _cases(instr: Nondet, same: set[str], comparisons: list[Compare]) -> list[Intervals] | None:
    """The range cut into sets on which all comparisons come out the same."""
    width = instr.dst.width
    conditions = Conditions(width)
    choice: dict[str, Expr] = {name: Reg(CHOICE, width) for name in same}
    cases = [patterns(instr.low, instr.high, width)]
    for comparison in comparisons:
        holds = conditions.solve(substitute(comparison, choice))
        if holds is None:
            return None
        halves = (holds, complement(holds, width))
        cases = [part for case in cases for half in halves if (part := intersect(case, half))]
        if len(cases) > MAX_CASES:
            return None
    return cases


def _representative(case: Intervals, instr: Nondet) -> int:
    value = case[0][0]
    negative = instr.low < 0 and value >> (instr.dst.width - 1)
    return value - (1 << instr.dst.width) if negative else value
