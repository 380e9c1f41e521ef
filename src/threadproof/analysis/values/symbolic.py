"""Values of a thread's registers as sums: a constant and multiples of symbols.

In single assignment form a register that was assigned an expression *is* that expression, as long as none of the
registers in it is written anew (in a loop). Two equal sums made of registers that did not change in between are equal
numbers: that is how `p->lock` and `p->data` are seen to belong together.

Equal sums are equal numbers whatever wraps. Products and sums are only followed in the width of addresses, and factors
stay small: who concludes from different values of a symbol that addresses differ (`tell_apart`) needs that multiples do
not wrap. Anything else is a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from threadproof.ir.constant import constant
from threadproof.ir.expr import (
    OFFSET_BITS,
    Binary,
    BinaryOp,
    Compare,
    Const,
    Expr,
    FloatCompare,
    PtrAdd,
    Reg,
    children,
    rebuild,
    registers,
    walk,
)
from threadproof.ir.instr import Assign
from threadproof.ir.program import Function
from threadproof.ir.simplify import simplify

MOST_NODES = 60
LARGEST_FACTOR = 1 << 20
FURTHEST = 1 << 31  # a distance that can be made as often as there are threads or rounds without wrapping


def tell_apart(distance: int, size: int) -> bool:
    """Whether all multiples of a distance, save none, are as far from nothing as an access is long."""
    return size <= distance < FURTHEST


class Sum(NamedTuple):
    """`constant` plus each symbol times its factor; symbols are expressions over registers that no assignment made."""

    terms: tuple[tuple[Expr, int], ...]
    constant: int

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        found = dict(self.terms)
        for symbol, times in other.terms:
            found[symbol] = found.get(symbol, 0) + factor * times
        terms = tuple(sorted(((s, t) for s, t in found.items() if t), key=repr))
        return Sum(terms, self.constant + factor * other.constant)

    def minus(self, other: Sum) -> Sum:
        return self.plus(other, -1)

    def times(self, factor: int) -> Sum:
        return Sum((), 0).plus(self, factor)

    def mentions(self) -> frozenset[str]:
        return frozenset(name for symbol, _ in self.terms for name in registers(symbol))


class Symbols:
    """The registers of one function in single assignment form."""

    def __init__(self, function: Function, stable: Mapping[str, Reg] | None = None) -> None:
        """`stable`: registers that are loaded from what never changes, with the symbols that stand for it."""
        self._values: dict[str, Expr] = {
            instr.dst.name: instr.value for instr in function.instrs() if isinstance(instr, Assign)
        }
        self._values.update(stable or {})
        self._sums: dict[Expr, Sum] = {}
        self._full: dict[str, Expr] = {}
        self._sources: dict[str, frozenset[str]] = {}

    def expand(self, expr: Expr) -> Expr:
        """The expression over registers that no assignment made, unless that becomes too long."""
        if isinstance(expr, Reg):
            known = self._full.get(expr.name)
            if known is None:
                self._full[expr.name] = expr  # a register that depends on itself cannot be: stop there
                value = self._values.get(expr.name)
                known = expr if value is None else self._short(self.expand(value), expr)
                self._full[expr.name] = known
            return known
        rebuilt = simplify(rebuild(expr, self.expand))
        return constant(rebuilt) or self._short(rebuilt, expr)

    def _short(self, long: Expr, short: Expr) -> Expr:
        return long if sum(1 for _ in walk(long)) <= MOST_NODES else short

    def sum(self, expr: Expr) -> Sum:
        known = self._sums.get(expr)
        if known is None:
            known = self._sums[expr] = _sum(self.expand(expr))
        return known

    def sources(self, expr: Expr) -> frozenset[str]:
        """Registers no assignment made whose value may be in the value of the expression (comparisons keep none)."""
        if isinstance(expr, Reg):
            known = self._sources.get(expr.name)
            if known is None:
                self._sources[expr.name] = frozenset({expr.name})
                value = self._values.get(expr.name)
                known = frozenset({expr.name}) if value is None else self.sources(value)
                self._sources[expr.name] = known
            return known
        if isinstance(expr, Compare | FloatCompare):
            return frozenset()
        return union(self.sources(child) for child in children(expr))


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(name for one in sets for name in one)


def _sum(expr: Expr) -> Sum:
    match expr:
        case Const():
            value = expr.value - (1 << expr.width) if expr.value >> (expr.width - 1) else expr.value
            return Sum((), value)
        case PtrAdd():
            return _sum(expr.base).plus(_sum(expr.offset))
        case Binary(op=BinaryOp.ADD) if expr.width == OFFSET_BITS:
            return _sum(expr.left).plus(_sum(expr.right))
        case Binary(op=BinaryOp.SUB) if expr.width == OFFSET_BITS:
            return _sum(expr.left).minus(_sum(expr.right))
        case Binary(op=BinaryOp.MUL, right=Const()) if expr.width == OFFSET_BITS:
            return _product(expr, _sum(expr.right).constant)
        case Binary(op=BinaryOp.SHL, right=Const(value=bits)) if expr.width == OFFSET_BITS:
            return _product(expr, 1 << bits)
        case _:
            return Sum(((expr, 1),), 0)


def _product(expr: Binary, factor: int) -> Sum:
    found = _sum(expr.left).times(factor)
    small = all(abs(times) <= LARGEST_FACTOR for _, times in found.terms) and abs(found.constant) < FURTHEST
    return found if small else Sum(((expr, 1),), 0)
