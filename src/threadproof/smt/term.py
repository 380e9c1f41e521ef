"""Terms: formulas over Booleans, bit-vectors, arrays of bit-vectors, and the IEEE relations on bit patterns; over
integers and functions without a meaning (uninterpreted), too, which z3 alone decides.

A term is made by `terms.Terms` alone, which makes no term twice: two terms of one maker are equal if and only if they
are the same object. Numbers (`id`) count up from 0, so operands have smaller numbers than what is made of them.

Every operation means what SMT-LIB says (x / 0 is all ones, x % 0 is x, an oversized shift leaves the fill). Floats
are bit patterns, and what gives a float is a *relation*: "`r` is a result of `a + b`". SMT-LIB knows one NaN,
machines many; a relation leaves open which one `r` is, where a function would have to choose.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Bool:
    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class BitVec:
    width: int

    def __str__(self) -> str:
        return f"(_ BitVec {self.width})"


@dataclass(frozen=True, slots=True)
class Array:
    """From bit-vectors to bit-vectors."""

    index: int
    element: int

    def __str__(self) -> str:
        return f"(Array (_ BitVec {self.index}) (_ BitVec {self.element}))"


@dataclass(frozen=True, slots=True)
class Int:
    """All integers."""

    def __str__(self) -> str:
        return "Int"


Scalar = Bool | BitVec | Int


@dataclass(frozen=True, slots=True)
class FunctionSort:
    """From scalars to a scalar; only variables are functions."""

    arguments: tuple[Scalar, ...]
    result: Scalar

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.arguments))}) {self.result}"


Sort = Scalar | Array | FunctionSort

BOOL = Bool()
INT = Int()


@cache
def bitvec(width: int) -> BitVec:
    return BitVec(width)


class Op(StrEnum):
    """Operations by their SMT-LIB name where they have one. `>=` and the like are the negation of their opposite."""

    VAR = "var"  # params: name
    TRUE = "true"
    FALSE = "false"
    VALUE = "value"  # params: number, width
    # Booleans; `=` and `ite` for every sort
    NOT = "not"
    AND = "and"  # two or more
    OR = "or"
    EQ = "="
    ITE = "ite"
    # bit-vectors
    BVNOT = "bvnot"
    NEG = "bvneg"
    ADD = "bvadd"
    SUB = "bvsub"
    MUL = "bvmul"
    UDIV = "bvudiv"
    SDIV = "bvsdiv"
    UREM = "bvurem"
    SREM = "bvsrem"
    SHL = "bvshl"
    LSHR = "bvlshr"
    ASHR = "bvashr"
    BVAND = "bvand"
    BVOR = "bvor"
    BVXOR = "bvxor"
    ULT = "bvult"
    SLT = "bvslt"
    CONCAT = "concat"
    EXTRACT = "extract"  # params: high, low
    ZEXT = "zero_extend"  # params: additional bits
    SEXT = "sign_extend"
    # arrays
    SELECT = "select"
    STORE = "store"
    FILL = "const-array"  # params: width of the index
    # integers; divisors are positive constants, so that there is no question how to round
    INTEGER = "integer"  # params: number
    INT_ADD = "+"
    INT_SUB = "-"
    INT_MUL = "*"
    INT_DIV = "div"
    INT_MOD = "mod"
    INT_LT = "<"
    UBV_TO_INT = "ubv_to_int"
    SBV_TO_INT = "sbv_to_int"
    INT_TO_BV = "int_to_bv"  # params: width; modulo 2**width
    # functions
    APPLY = "apply"  # the function, its arguments
    # floats: bit patterns of 32 or 64 bits; the last operand of a relation is the result
    FP_ADD = "fp.add"  # r is a result of a + b, rounded to nearest, ties to even
    FP_SUB = "fp.sub"
    FP_MUL = "fp.mul"
    FP_DIV = "fp.div"
    FP_SQRT = "fp.sqrt"
    FP_ROUND = "fp.roundToIntegral"  # params: rounding mode, RTN, RTP or RTZ
    FP_CAST = "fp.cast"  # r is a rounded to the width of r
    FP_FROM_SIGNED = "fp.from_sbv"  # r is the number a, rounded
    FP_FROM_UNSIGNED = "fp.from_ubv"
    FP_LT = "fp.lt"
    FP_LEQ = "fp.leq"
    FP_EQ = "fp.eq"
    FP_NAN = "fp.isNaN"
    FP_TO_SIGNED = "fp.to_sbv"  # (c, a): a rounded towards zero if c, which must imply that it fits; else 0
    FP_TO_UNSIGNED = "fp.to_ubv"  # params: width of the result


Params = tuple[int | str, ...]


@dataclass(
    eq=False, slots=True, weakref_slot=True
)  # compared by identity; not frozen because that doubles the time to make one
class Term:
    op: Op
    args: tuple[Term, ...]
    params: Params
    sort: Sort
    id: int

    @property
    def width(self) -> int:
        assert isinstance(self.sort, BitVec), self
        return self.sort.width

    @property
    def value(self) -> int:
        """The number a constant stands for; that of a bit-vector has no sign."""
        assert self.op is Op.VALUE or self.op is Op.INTEGER, self
        number = self.params[0]
        assert isinstance(number, int)
        return number

    @property
    def name(self) -> str:
        assert self.op is Op.VAR, self
        return str(self.params[0])

    def __repr__(self) -> str:
        inner = [*map(str, self.params), *(f"#{arg.id}" for arg in self.args)]
        return f"<#{self.id} {self.op} {' '.join(inner)}>"


def in_order(roots: Iterable[Term], known: Container[Term] = ()) -> list[Term]:
    """The roots and all they are made of, operands first, without what is `known` (and what only that is made of).

    Not recursive: terms are thousands of operations deep.
    """
    seen: set[Term] = set()
    work = [term for term in roots if term not in known]
    while work:
        term = work.pop()
        if term not in seen:
            seen.add(term)
            work += [arg for arg in term.args if arg not in known]
    return sorted(seen, key=_number) if len(seen) > 1 else list(seen)


def not_known(term: Term, known: Container[Term]) -> Sequence[Term]:
    """`in_order` of one term that is not known itself; mostly its operands are."""
    return (term,) if all(map(known.__contains__, term.args)) else in_order((term,), known)


_number = attrgetter("id")


def variables(roots: Iterable[Term]) -> list[Term]:
    return [term for term in in_order(roots) if term.op is Op.VAR]
