"""What one operation does to values. Booleans are 0 and 1, bit-vectors numbers below 2**width, integers themselves,
arrays `ArrayValue`, functions `FunctionValue`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from threadproof.core.errors import InternalError
from threadproof.smt import ieee
from threadproof.smt.term import Array, Op, Term


@dataclass(frozen=True, slots=True, eq=False)
class ArrayValue:
    """`default` everywhere but at the entries."""

    default: int
    entries: dict[int, int]

    def at(self, index: int) -> int:
        return self.entries.get(index, self.default)

    def with_entry(self, index: int, value: int) -> ArrayValue:
        return ArrayValue(self.default, {**self.entries, index: value})

    def same(self, other: ArrayValue, index_width: int) -> bool:
        """The default means nothing where every index has an entry."""
        named = self.entries.keys() | other.entries.keys()
        rest = self.default == other.default or len(named) == 1 << index_width
        return rest and all(self.at(index) == other.at(index) for index in named)


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue:
    """`default` everywhere but at the entries."""

    default: int
    entries: dict[tuple[int, ...], int]

    def at(self, arguments: tuple[int, ...]) -> int:
        return self.entries.get(arguments, self.default)


Value = int | ArrayValue | FunctionValue
Numbers = list[int]


def apply(term: Term, values: list[Value]) -> Value:
    """The value of `term`, given those of its operands."""
    numeric = _NUMERIC.get(term.op)
    if numeric is not None:  # first, and without a look at the values, since almost everything is
        return numeric(term, cast("Numbers", values))
    match term.op, values:
        case Op.SELECT, [ArrayValue() as array, int(index)]:
            return array.at(index)
        case Op.STORE, [ArrayValue() as array, int(index), int(value)]:
            return array.with_entry(index, value)
        case Op.FILL, [int(value)]:
            return ArrayValue(value, {})
        case Op.EQ, [ArrayValue() as left, ArrayValue() as right]:
            sort = term.args[0].sort
            assert isinstance(sort, Array)
            return int(left.same(right, sort.index))
        case Op.APPLY, [FunctionValue() as function, *arguments]:
            return function.at(tuple(value for value in arguments if isinstance(value, int)))
        case Op.EQ, [left, right]:
            return int(left == right)
        case Op.ITE, [condition, then, otherwise]:
            return then if condition else otherwise
        case _:
            raise InternalError(f"no value of {term!r}")


def to_signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _udiv(a: int, b: int, width: int) -> int:
    return a // b if b else (1 << width) - 1


def _urem(a: int, b: int, width: int) -> int:
    return a % b if b else a


def _sdiv(a: int, b: int, width: int) -> int:
    x, y = to_signed(a, width), to_signed(b, width)
    if not y:
        return 1 if x < 0 else -1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _srem(a: int, b: int, width: int) -> int:
    x, y = to_signed(a, width), to_signed(b, width)
    remainder = abs(x) % abs(y) if y else abs(x)
    return -remainder if x < 0 else remainder


def _shl(a: int, b: int, width: int) -> int:
    return a << b if b < width else 0


def _lshr(a: int, b: int, width: int) -> int:
    return a >> b if b < width else 0


def _ashr(a: int, b: int, width: int) -> int:
    return to_signed(a, width) >> min(b, width)


_TWO: dict[Op, Callable[[int, int, int], int]] = {
    Op.ADD: lambda a, b, w: a + b, Op.SUB: lambda a, b, w: a - b, Op.MUL: lambda a, b, w: a * b,
    Op.UDIV: _udiv, Op.UREM: _urem, Op.SDIV: _sdiv, Op.SREM: _srem, Op.SHL: _shl, Op.LSHR: _lshr, Op.ASHR: _ashr,
    Op.BVAND: lambda a, b, w: a & b, Op.BVOR: lambda a, b, w: a | b, Op.BVXOR: lambda a, b, w: a ^ b,
    Op.ULT: lambda a, b, w: a < b, Op.SLT: lambda a, b, w: to_signed(a, w) < to_signed(b, w),
}  # fmt: skip


def _two(term: Term, values: Numbers) -> int:
    width = term.args[0].width
    return _TWO[term.op](values[0], values[1], width) & ((1 << width) - 1)


def _value(term: Term, values: Numbers) -> int:
    return term.value


def _extract(term: Term, values: Numbers) -> int:
    low = term.params[1]
    assert isinstance(low, int)
    return values[0] >> low & ((1 << term.width) - 1)


def _sign_extend(term: Term, values: Numbers) -> int:
    return to_signed(values[0], term.args[0].width) & ((1 << term.width) - 1)


def _unary(term: Term, values: Numbers) -> int:
    return (~values[0] if term.op is Op.BVNOT else -values[0]) & ((1 << term.width) - 1)


def _float(term: Term, values: Numbers) -> int:
    return int(ieee.holds(term.op, term.params, values, [arg.width for arg in term.args]))


def _to_integer(term: Term, values: Numbers) -> int:
    fits, bits = values
    return ieee.truncated(bits, term.args[1].width) & ((1 << term.width) - 1) if fits else 0


_INTEGER: dict[Op, Callable[[int, int], int]] = {
    Op.INT_ADD: lambda a, b: a + b, Op.INT_SUB: lambda a, b: a - b, Op.INT_MUL: lambda a, b: a * b,
    Op.INT_DIV: lambda a, b: a // b, Op.INT_MOD: lambda a, b: a % b, Op.INT_LT: lambda a, b: int(a < b),
}  # fmt: skip
"""Divisors are positive: SMT-LIB and Python round alike."""


_NUMERIC: dict[Op, Callable[[Term, Numbers], int]] = {
    Op.TRUE: lambda t, v: 1,
    Op.FALSE: lambda t, v: 0,
    Op.VALUE: _value,
    Op.NOT: lambda t, v: 1 - v[0],
    Op.AND: lambda t, v: int(all(v)),
    Op.OR: lambda t, v: int(any(v)),
    Op.BVNOT: _unary,
    Op.NEG: _unary,
    Op.CONCAT: lambda t, v: v[0] << t.args[1].width | v[1],
    Op.EXTRACT: _extract,
    Op.ZEXT: lambda t, v: v[0],
    Op.SEXT: _sign_extend,
    **dict.fromkeys(_TWO, _two),
    **{op: _float for op in Op if op.startswith("fp.")},
    Op.FP_TO_SIGNED: _to_integer,
    Op.FP_TO_UNSIGNED: _to_integer,
    Op.INTEGER: _value,
    **{op: lambda t, v: _INTEGER[t.op](v[0], v[1]) for op in _INTEGER},
    Op.UBV_TO_INT: lambda t, v: v[0],
    Op.SBV_TO_INT: lambda t, v: to_signed(v[0], t.args[0].width),
    Op.INT_TO_BV: lambda t, v: v[0] & ((1 << t.width) - 1),
}
