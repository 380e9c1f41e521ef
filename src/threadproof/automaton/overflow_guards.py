"""Assumptions that only keep sums and differences from overflowing, as in

    int plus(int a, int b) { assume(b >= 0 || a >= INT_MIN - b); assume(b <= 0 || a <= INT_MAX - b); return a + b; }

Two threads that add to one variable do not commute with them: one order may pass where the other does not. Without
them they do. Proofs may leave out any assumption (`automaton/dropped.py`), so what is found here need not be right.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.automaton.assumed import assume_what_does_not_abort
from threadproof.automaton.dropped import pure_assumptions
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, Expr, Reg, Select
from threadproof.ir.instr import Assign, edges
from threadproof.ir.program import Function, Program

_EXTREMES = {end for half in (2**31, 2**63) for end in (half - 1, half, -half)}
_ORDER = (CompareOp.SLT, CompareOp.SLE, CompareOp.ULT, CompareOp.ULE)
_Values = dict[str, list[Expr]]


def overflow_guards(program: Program) -> frozenset[str]:
    """The lines where they are."""
    program = assume_what_does_not_abort(program)
    values = {name: _values(function) for name, function in program.functions.items()}
    return frozenset(
        str(instr.loc)
        for function, instr, condition in pure_assumptions(program)
        if _is_guard(condition, values[function.name])
    )


def _values(function: Function) -> _Values:
    """What is assigned to each register, anywhere."""
    found: _Values = {}
    for instr in function.instrs():
        if isinstance(instr, Assign):
            found.setdefault(instr.dst.name, []).append(instr.value)
        for edge in edges(instr):
            for dst, value in edge.moves:
                found.setdefault(dst.name, []).append(value)
    return found


def _is_guard(condition: Expr, values: _Values) -> bool:
    """Whether all it is made of are comparisons with signs and with the ends of a type, not only with signs."""
    kinds = [_is_test(part) for part in _comparisons(condition, values, set())]
    return None not in kinds and True in kinds


def _comparisons(condition: Expr, values: _Values, seen: set[str]) -> Iterator[Expr]:
    """What a condition is made of."""
    match condition:
        case Const():
            return
        case Reg(name=name) if name in values:
            parts = values[name] if name not in seen else []
            seen.add(name)
        case Convert():
            parts = [condition.operand]
        case Select():
            parts = [condition.condition, condition.then, condition.otherwise]
        case Binary(op=BinaryOp.AND | BinaryOp.OR | BinaryOp.XOR):
            parts = [condition.left, condition.right]
        case Compare(op=CompareOp.EQ | CompareOp.NE, left=Convert() | Reg() as left, right=Const(value=0)):
            parts = [left]
        case _:
            yield condition
            return
    for part in parts:
        yield from _comparisons(part, values, seen)


def _is_test(part: Expr) -> bool | None:
    """True: of a sum, a difference or the ends of a type. False: of a sign. None: of something else."""
    if not isinstance(part, Compare) or part.op not in _ORDER:
        return None
    sides = (part.left, part.right)
    if any(map(_is_extreme, sides)) or _wraps(*sides) or _wraps(*reversed(sides)):
        return True
    numbers = [_signed(side) for side in sides if isinstance(side, Const)]
    return False if any(-1 <= number <= 1 for number in numbers) else None


def _is_extreme(side: Expr) -> bool:
    """The end of a type, or so much more or less than it."""
    match side:
        case Const():
            return _signed(side) in _EXTREMES
        case Binary(op=BinaryOp.ADD | BinaryOp.SUB):
            return any(isinstance(one, Const) and _is_extreme(one) for one in (side.left, side.right))
        case _:
            return False


def _wraps(total: Expr, part: Expr) -> bool:
    """`a + b < a` and the like."""
    return isinstance(total, Binary) and total.op in (BinaryOp.ADD, BinaryOp.SUB) and part in (total.left, total.right)


def _signed(number: Const) -> int:
    return number.value - (1 << number.width if number.value >> (number.width - 1) else 0)
