"""Bit-vector formulas as integer formulas, and back: a way to *candidates* (interpolants, invariants) that bits do
not give.

`Integers.formula` writes every bit-vector as an integer that is congruent to it, and wraps it around only where its
size matters (comparisons, divisions, extensions) and its range does not fit. With `Wrapping.EXACT` that has the same
models as the formula given, up to what has no integer form (bit operations, products of variables), which becomes a
function without a meaning: so unsatisfiable integers are unsatisfiable bits. With `Wrapping.IGNORED` sums are taken
not to wrap: a guess.

`integers_as_bits.as_bits` goes back: each comparison is made in as many bits as it takes that nothing wraps, so it
holds of the same states.

Differs from Ultimate's integer translation, which believes integers and asks again with bits when it gave up: here
whoever uses a candidate proves it with bits, always.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from threadproof.smt.meaning import to_signed
from threadproof.smt.term import BOOL, INT, Array, BitVec, FunctionSort, Op, Term, in_order
from threadproof.smt.terms import Terms


class Signedness(Enum):
    SIGNED = "signed"
    UNSIGNED = "unsigned"


class Wrapping(Enum):
    EXACT = "exact"
    IGNORED = "ignored"


class NoIntegers(Exception):
    """A formula that has no integer form: whole arrays compared, floats."""


class BoundedInteger(NamedTuple):
    """An integer term congruent to a bit-vector, and between what bounds it lies."""

    term: Term
    low: int
    high: int


def bounds(width: int, sign: Signedness) -> tuple[int, int]:
    half = 1 << (width - 1)
    return (-half, half - 1) if sign is Signedness.SIGNED else (0, 2 * half - 1)


Signs = Callable[[Term], Signedness]
"""How the program reads a variable (of an array: its elements)."""


class Integers:
    def __init__(
        self, terms: Terms, signs: Signs = lambda variable: Signedness.SIGNED, wrapping: Wrapping = Wrapping.EXACT
    ) -> None:
        self.terms = terms
        self.facts: list[Term] = []  # bounds of the integers that variables and functions stand for
        self.origins: dict[Term, tuple[Term, Signedness]] = {}  # of integer variables: the bit-vector
        self.arrays: dict[Term, Term] = {}  # of functions: the array that is read
        self.opaque: dict[Term, Term] = {}  # of functions: an operation they stand for
        self.views: dict[Term, tuple[int, int]] = {}  # of what was wrapped around: its bounds
        self._signs = signs
        self._wrapping = wrapping
        self._formulas: dict[Term, Term] = {}
        self._numbers: dict[Term, BoundedInteger] = {}
        self._bounded: set[Term] = set()
        self._done: set[Term] = set()

    def formula(self, formula: Term) -> Term:
        """A Boolean term over integers. What it needs of its variables is added to `facts`."""
        self._write(formula)
        return self._formulas[formula]

    def number(self, bits: Term, sign: Signedness) -> Term:
        """The integer that a bit-vector is, read with or without a sign."""
        self._write(bits)
        return self._view(bits, sign).term

    def _write(self, root: Term) -> None:
        for part in in_order((root,), self._done):
            if part.sort is BOOL:
                self._formulas[part] = self._condition(part)
            elif isinstance(part.sort, BitVec):
                self._numbers[part] = self._number(part)
            self._done.add(part)  # not before: one that has no integer form has none the next time either

    # --- Booleans ---------------------------------------------------------------------------------------------------

    def _condition(self, part: Term) -> Term:
        make = self.terms.make
        match part.op:
            case Op.VAR | Op.TRUE | Op.FALSE:
                return part
            case Op.NOT | Op.AND | Op.OR:
                return make(part.op, tuple(self._formulas[arg] for arg in part.args))
            case Op.ITE | Op.EQ if part.args[-1].sort is BOOL:
                return make(part.op, tuple(self._formulas[arg] for arg in part.args))
            case Op.EQ if isinstance(part.args[0].sort, BitVec):
                return self._equal(part.args[0], part.args[1])
            case Op.ULT | Op.SLT:
                sign = Signedness.SIGNED if part.op is Op.SLT else Signedness.UNSIGNED
                return make(Op.INT_LT, tuple(self._view(arg, sign).term for arg in part.args))
            case _:
                raise NoIntegers(f"{part.op} of {part.args[0].sort}")

    def _equal(self, a: Term, b: Term) -> Term:
        """In the first view that both fit as they are."""
        x, y = self._numbers[a], self._numbers[b]
        for sign in Signedness:
            low, high = bounds(a.width, sign)
            if min(x.low, y.low) >= low and max(x.high, y.high) <= high:
                return self.terms.eq(x.term, y.term)
        sign = Signedness.SIGNED if min(x.low, y.low) < 0 else Signedness.UNSIGNED
        return self.terms.eq(self._view(a, sign).term, self._view(b, sign).term)

    # --- numbers ----------------------------------------------------------------------------------------------------

    def _number(self, part: Term) -> BoundedInteger:
        args = [self._numbers.get(arg) for arg in part.args]
        match part.op, args:
            case Op.VAR, _:
                return self._variable(part)
            case Op.VALUE, _:
                return self._constant(to_signed(part.value, part.width))
            case ((Op.ADD | Op.SUB | Op.NEG | Op.BVNOT), _):
                return self._settled(self._sum(part), part.width)
            case Op.ITE, [_, BoundedInteger() as then, BoundedInteger() as otherwise]:
                chosen = self.terms.ite(self._formulas[part.args[0]], then.term, otherwise.term)
                return BoundedInteger(chosen, min(then.low, otherwise.low), max(then.high, otherwise.high))
            case Op.CONCAT, [BoundedInteger() as high, _]:
                low = self._view(part.args[1], Signedness.UNSIGNED)
                return self._plus(self._times(high, 1 << part.args[1].width), low)
            case Op.EXTRACT, [BoundedInteger() as whole]:
                return self._divided(whole, 1 << int(part.params[1]))
            case Op.ZEXT, _:
                return self._view(part.args[0], Signedness.UNSIGNED)
            case Op.SEXT, _:
                return self._view(part.args[0], Signedness.SIGNED)
            case Op.SELECT, _:
                return self._read(part)
            case _:
                return self._by_constant(part) or self._opaque(part)

    def _sum(self, part: Term) -> BoundedInteger:
        first = self._numbers[part.args[0]]
        match part.op:
            case Op.ADD:
                return self._plus(first, self._numbers[part.args[1]])
            case Op.SUB:
                return self._plus(first, self._times(self._numbers[part.args[1]], -1))
            case _:
                return self._plus(self._times(first, -1), self._constant(-1 if part.op is Op.BVNOT else 0))

    def _by_constant(self, part: Term) -> BoundedInteger | None:
        """Operations whose right side is a constant that makes them linear."""
        left, right = part.args
        if right.op is not Op.VALUE:
            return None
        first, value = self._numbers[left], right.value
        match part.op:
            case Op.MUL:
                return self._settled(self._times(first, to_signed(value, part.width)), part.width)
            case Op.SHL if value < part.width:
                return self._settled(self._times(first, 1 << value), part.width)
            case Op.UDIV if value:
                return self._divided(self._view(left, Signedness.UNSIGNED), value)
            case Op.UREM if value:
                return self._rest(self._view(left, Signedness.UNSIGNED), value)
            case Op.LSHR if value < part.width:
                return self._divided(self._view(left, Signedness.UNSIGNED), 1 << value)
            case Op.ASHR:
                return self._divided(self._view(left, Signedness.SIGNED), 1 << min(value, part.width))
            case Op.SDIV | Op.SREM if value:
                return self._truncated(part.op, self._view(left, Signedness.SIGNED), to_signed(value, part.width))
            case Op.BVAND if (value & (value + 1)) == 0:  # the lowest bits
                return self._rest(first, value + 1)
            case Op.BVAND if value | (value - 1) == (1 << part.width) - 1:  # all but the lowest bits
                return self._plus(first, self._times(self._rest(first, value & -value), -1))
            case _:
                return None

    def _truncated(self, op: Op, number: BoundedInteger, divisor: int) -> BoundedInteger:
        """Division that rounds towards zero."""
        positive, negative = number, self._times(number, -1)
        if op is Op.SDIV:
            ways = [self._divided(side, abs(divisor)) for side in (positive, negative)]
            ways = [
                self._times(way, sign * (1 if divisor > 0 else -1)) for way, sign in zip(ways, (1, -1), strict=True)
            ]
        else:
            ways = [self._rest(positive, abs(divisor)), self._times(self._rest(negative, abs(divisor)), -1)]
        below = self.terms.less(number.term, self.terms.integer(0))
        most = max(abs(number.low), abs(number.high))
        return BoundedInteger(self.terms.ite(below, ways[1].term, ways[0].term), -most, most)

    # --- leaves -----------------------------------------------------------------------------------------------------

    def _variable(self, part: Term) -> BoundedInteger:
        sign = self._signs(part)
        variable = self.terms.int_var(f"{part.name}!{sign.value}")
        self.origins[variable] = (part, sign)
        return self._within(variable, part.width, sign)

    def _read(self, part: Term) -> BoundedInteger:
        """What is read through stores is a choice; the rest is a function of the index."""
        array, index = part.args
        at = self._view(index, Signedness.UNSIGNED).term
        written: list[tuple[Term, BoundedInteger]] = []
        while array.op is Op.STORE:
            here = self.terms.eq(at, self._view(array.args[1], Signedness.UNSIGNED).term)
            written.append((here, self._numbers[array.args[2]]))
            array = array.args[0]
        result = self._numbers[array.args[0]] if array.op is Op.FILL else self._cell(array, at)
        for here, number in reversed(written):
            low, high = min(result.low, number.low), max(result.high, number.high)
            result = BoundedInteger(self.terms.ite(here, number.term, result.term), low, high)
        return result

    def _cell(self, array: Term, index: Term) -> BoundedInteger:
        if array.op is not Op.VAR or not isinstance(array.sort, Array):
            raise NoIntegers("a choice between arrays")
        sign = self._signs(array)
        function = self.terms.var(f"{array.name}!{sign.value}", FunctionSort((INT,), INT))
        self.arrays[function] = array
        return self._within(self.terms.apply(function, index), array.sort.element, sign)

    def _opaque(self, part: Term) -> BoundedInteger:
        """What has no linear form, as a function of its operands."""
        if not all(isinstance(arg.sort, BitVec) for arg in part.args):
            raise NoIntegers(f"{part.op}")
        shape = "!".join(map(str, (part.op, *part.params, *(arg.width for arg in part.args))))
        function = self.terms.var(f"op!{shape}", FunctionSort((INT,) * len(part.args), INT))
        self.opaque[function] = part
        args = [self._view(arg, Signedness.UNSIGNED).term for arg in part.args]
        return self._within(self.terms.apply(function, *args), part.width, Signedness.UNSIGNED)

    def _within(self, term: Term, width: int, sign: Signedness) -> BoundedInteger:
        low, high = bounds(width, sign)
        if term not in self._bounded:
            self._bounded.add(term)
            ends = (
                self.terms.at_most(self.terms.integer(low), term),
                self.terms.at_most(term, self.terms.integer(high)),
            )
            self.facts.append(self.terms.all(ends))
        return BoundedInteger(term, low, high)

    # --- arithmetic with bounds -------------------------------------------------------------------------------------

    def _constant(self, value: int) -> BoundedInteger:
        return BoundedInteger(self.terms.integer(value), value, value)

    def _plus(self, a: BoundedInteger, b: BoundedInteger) -> BoundedInteger:
        return BoundedInteger(self.terms.make(Op.INT_ADD, (a.term, b.term)), a.low + b.low, a.high + b.high)

    def _times(self, a: BoundedInteger, factor: int) -> BoundedInteger:
        ends = sorted((a.low * factor, a.high * factor))
        return BoundedInteger(self.terms.make(Op.INT_MUL, (a.term, self.terms.integer(factor))), *ends)

    def _divided(self, a: BoundedInteger, divisor: int) -> BoundedInteger:
        quotient = self.terms.make(Op.INT_DIV, (a.term, self.terms.integer(divisor)))
        return BoundedInteger(quotient, a.low // divisor, a.high // divisor)

    def _rest(self, a: BoundedInteger, divisor: int) -> BoundedInteger:
        if a.low >= 0 and a.high < divisor:
            return a
        return BoundedInteger(self.terms.make(Op.INT_MOD, (a.term, self.terms.integer(divisor))), 0, divisor - 1)

    def _settled(self, number: BoundedInteger, width: int) -> BoundedInteger:
        """Where wrapping is ignored, a sum is taken to be what its bits say: signed if it may be negative."""
        if self._wrapping is Wrapping.EXACT:
            return number
        low, high = bounds(width, Signedness.SIGNED if number.low < 0 else Signedness.UNSIGNED)
        return BoundedInteger(number.term, max(low, number.low), min(high, number.high))

    def _view(self, bits: Term, sign: Signedness) -> BoundedInteger:
        """The number that the bits are, read with or without a sign."""
        found = self._wrapped(bits, sign)
        if self._wrapping is Wrapping.EXACT:
            self.views[found.term] = bounds(bits.width, sign)
        return found

    def _wrapped(self, bits: Term, sign: Signedness) -> BoundedInteger:
        number, (low, high), size = self._numbers[bits], bounds(bits.width, sign), 1 << bits.width
        if low <= number.low and number.high <= high:
            return number
        terms = self.terms
        if number.high <= high and low - size <= number.low:
            below = terms.less(number.term, terms.integer(low))
            return BoundedInteger(
                terms.ite(below, self._plus(number, self._constant(size)).term, number.term), low, high
            )
        if low <= number.low and number.high <= high + size:
            above = terms.less(terms.integer(high), number.term)
            return BoundedInteger(
                terms.ite(above, self._plus(number, self._constant(-size)).term, number.term), low, high
            )
        moved = self._rest(self._plus(number, self._constant(-low)), size)
        return self._plus(moved, self._constant(low))._replace(low=low, high=high)
