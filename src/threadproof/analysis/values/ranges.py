"""Parts of an array that loops run through: what lies below a number, and what lies from it on.

In the body of a counted loop the counter is at least what it began with and less than the bound: `a[i]` with `i < M`
in one thread and `a[j]` with `j` counted up from `M` in another are different elements, if both see the same `M`.
Invariants: counters are compared as the numbers the loop's test takes them for, signed or unsigned, and reach the
address widened the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from threadproof.analysis.values.counted_loops import CountedLoop
from threadproof.analysis.values.symbolic import Sum
from threadproof.ir.expr import OFFSET_BITS, CompareOp, Const, Convert, ConvertOp, Expr, Reg, registers

STABLE = "*"  # with which the names of symbols begin that are one number for all threads


class Span(NamedTuple):
    """An address `factor * i + rest` with `low <= i < below`."""

    factor: int
    rest: Sum
    low: Expr
    below: Expr
    order: CompareOp


def span(loops: Mapping[str, CountedLoop], block: str, address: Sum) -> Span | None:
    """Of an access in a block, by the counter of the loop it lies in."""
    loop = loops.get(block)
    if loop is None or block == loop.header or len(loop.firsts) != 1:
        return None
    counting = [(symbol, times) for symbol, times in address.terms if loop.counter.name in set(registers(symbol))]
    if len(counting) != 1 or counting[0][1] <= 0 or not _is_number(counting[0][0], loop):
        return None
    rest = Sum(tuple(term for term in address.terms if term != counting[0]), address.constant)
    return Span(counting[0][1], rest, next(iter(loop.firsts)), loop.bound, loop.order)


def _is_number(symbol: Expr, loop: CountedLoop) -> bool:
    """Whether the symbol is the counter as the loop's test sees it."""
    widening = ConvertOp.SEXT if loop.order is CompareOp.SLT else ConvertOp.ZEXT
    match symbol:
        case Reg():
            return symbol == loop.counter and symbol.width == OFFSET_BITS and loop.order is CompareOp.SLT
        case Convert(op=op, operand=Reg() as operand):
            return operand == loop.counter and op is widening and symbol.width > operand.width
        case _:
            return False


def is_empty(span: Span) -> bool:
    """Whether the loop has no rounds."""
    return isinstance(span.low, Const) and isinstance(span.below, Const) and _at_most(span.below, span.low, span.order)


def runs_below(a: Span, b: Span, size: int) -> bool:
    """Whether all addresses of `a`, with `size` bytes each, lie below those of `b`, in two threads that run at once."""
    if a.factor != b.factor or a.order is not b.order or a.rest.terms != b.rest.terms:
        return False
    if not all(_is_shared(symbol) for symbol, _ in a.rest.terms) or not _at_most(a.below, b.low, a.order):
        return False
    return a.factor + b.rest.constant - a.rest.constant >= size


def _at_most(below: Expr, low: Expr, order: CompareOp) -> bool:
    if isinstance(below, Const) and isinstance(low, Const):
        return _number(below, order) <= _number(low, order)
    return below == low and _is_shared(below)


def _is_shared(expr: Expr) -> bool:
    """Whether two threads that run at once have the same value: addresses, and loads of what neither sees changed."""
    return all(name.startswith(STABLE) for name in registers(expr))


def _number(value: Const, order: CompareOp) -> int:
    negative = order is CompareOp.SLT and value.value >> (value.width - 1)
    return value.value - (1 << value.width) if negative else value.value
