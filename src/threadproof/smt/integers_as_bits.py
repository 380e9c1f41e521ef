"""Integer formulas over the variables of `Integers` as bit-vector formulas that hold of the same states.

Every integer has bounds, since the bit-vectors it comes from have. Each comparison is balanced (nothing is
subtracted) and made in as many bits as all its parts need, so nothing wraps: `x - y <= 0` of two ints is `x <= y` in
32 bits, `x + y < z` is a comparison of 33.
"""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.smt.integers import Integers, Signedness, bounds
from threadproof.smt.linear import balanced
from threadproof.smt.term import BOOL, INT, Array, BitVec, Op, Term, in_order
from threadproof.smt.terms import Terms

Bounds = tuple[int, int]


class NoBits(Exception):
    """An integer formula that says nothing about bit-vectors."""


def as_bits(integers: Integers, formula: Term) -> Term:
    """What an integer formula says about the bit-vectors that `integers` wrote as integers."""
    return _Bits(integers).formula(formula)


class _Bits:
    def __init__(self, integers: Integers) -> None:
        self._integers = integers
        self._terms: Terms = integers.terms
        self._formulas: dict[Term, Term] = {}
        self._bounds: dict[Term, Bounds] = {}

    def formula(self, formula: Term) -> Term:
        for part in in_order((formula,), self._formulas):
            if part.op is Op.INT_TO_BV:
                raise NoBits("a bit-vector made of an integer")
            if part.sort is BOOL:
                self._formulas[part] = self._condition(part)
        return self._formulas[formula]

    def _condition(self, part: Term) -> Term:
        match part.op:
            case Op.INT_LT | Op.EQ if part.args[0].sort is INT:
                return self._compared(balanced(self._terms, part.op, *part.args))
            case Op.VAR | Op.TRUE | Op.FALSE:
                return part
            case _ if all(arg.sort is BOOL for arg in part.args):
                return self._terms.make(part.op, tuple(self._formulas[arg] for arg in part.args), part.params)
            case _:
                raise NoBits(f"{part.op} of {part.args[0].sort}")

    # --- comparisons ------------------------------------------------------------------------------------------------

    def _compared(self, part: Term) -> Term:
        if part.op not in (Op.INT_LT, Op.EQ):
            return part  # a constant
        parts = list(_integers(part.args))
        ends = [self._bound(one) for one in parts]
        low, high = min(end[0] for end in ends), max(end[1] for end in ends)
        sign = Signedness.SIGNED if low < 0 else Signedness.UNSIGNED
        width = _width(low, high, sign)
        written: dict[Term, Term] = {}
        for one in parts:
            written[one] = self._written(one, [written[arg] for arg in one.args if arg.sort is INT], width)
        op = Op.EQ if part.op is Op.EQ else Op.SLT if sign is Signedness.SIGNED else Op.ULT
        return self._terms.make(op, tuple(written[arg] for arg in part.args))

    def _written(self, part: Term, args: list[Term], width: int) -> Term:
        terms = self._terms
        match part.op:
            case Op.INTEGER:
                return terms.bv(part.value, width)
            case Op.INT_ADD | Op.INT_SUB | Op.INT_MUL:
                return terms.make(_MODULAR[part.op], tuple(args))
            case Op.INT_MOD | Op.INT_DIV:
                return self._divided(part, args)
            case Op.ITE:
                return terms.ite(self._inner(part.args[0]), *args)
            case Op.VAR:
                bits, sign = self._integers.origins[part]
                return self._extended(bits, sign, width)
            case Op.UBV_TO_INT | Op.SBV_TO_INT:
                return self._extended(part.args[0], _sign(part), width)
            case _:
                bits, sign = self._applied(part, args)
                return self._extended(bits, sign, width)

    def _inner(self, condition: Term) -> Term:
        """A condition inside a number: it came before, or a comparison was balanced and it stands alone."""
        if condition not in self._formulas:
            self._formulas[condition] = self.formula(condition)
        return self._formulas[condition]

    def _divided(self, part: Term, args: list[Term]) -> Term:
        """Rounded down, also below zero."""
        terms, (number, divisor) = self._terms, args
        if self._bound(part.args[0])[0] >= 0:
            return terms.make(Op.UREM if part.op is Op.INT_MOD else Op.UDIV, (number, divisor))
        rest = terms.make(Op.SREM, (number, divisor))
        below = terms.slt(rest, terms.bv(0, rest.width))
        if part.op is Op.INT_MOD:
            return terms.ite(below, terms.add(rest, divisor), rest)
        quotient = terms.make(Op.SDIV, (number, divisor))
        return terms.ite(below, terms.sub(quotient, terms.bv(1, rest.width)), quotient)

    def _applied(self, part: Term, args: list[Term]) -> tuple[Term, Signedness]:
        function, terms = part.args[0], self._terms
        array = self._integers.arrays.get(function)
        if array is not None:
            assert isinstance(array.sort, Array)
            sign = Signedness.SIGNED if function.name.endswith(f"!{Signedness.SIGNED.value}") else Signedness.UNSIGNED
            return terms.select(array, self._cut(args[0], array.sort.index)), sign
        shape = self._integers.opaque[function]
        cut = [self._cut(arg, of.width) for arg, of in zip(args, shape.args, strict=True)]
        return terms.make(shape.op, tuple(cut), shape.params), Signedness.UNSIGNED

    def _cut(self, bits: Term, width: int) -> Term:
        """The index of an array, or an operand, is within bounds (see `_bound`): its lowest bits are all."""
        return self._terms.extract(bits, width - 1, 0) if bits.width >= width else self._terms.zext(bits, width)

    def _extended(self, bits: Term, sign: Signedness, width: int) -> Term:
        if bits.width > width:
            raise NoBits("a number in too few bits")
        return self._terms.sext(bits, width) if sign is Signedness.SIGNED else self._terms.zext(bits, width)

    # --- bounds -----------------------------------------------------------------------------------------------------

    def _bound(self, part: Term) -> Bounds:
        for one in _integers((part,)):
            if one not in self._bounds:
                low, high = self._bound_of(one)
                least, most = self._integers.views.get(one, (low, high))
                self._bounds[one] = (max(low, least), min(high, most))
        return self._bounds[part]

    def _bound_of(self, part: Term) -> Bounds:
        args = [self._bounds[arg] for arg in part.args if arg.sort is INT]
        match part.op, args:
            case Op.INTEGER, _:
                return part.value, part.value
            case Op.INT_ADD, [(a, b), (c, d)]:
                return a + c, b + d
            case Op.INT_SUB, [(a, b), (c, d)]:
                return a - d, b - c
            case Op.INT_MUL, [(a, b), (c, d)]:
                products = [a * c, a * d, b * c, b * d]
                return min(products), max(products)
            case Op.INT_DIV, [(a, b), _]:
                return a // part.args[1].value, b // part.args[1].value
            case Op.INT_MOD, _:
                return 0, part.args[1].value - 1
            case Op.ITE, [(a, b), (c, d)]:
                return min(a, c), max(b, d)
            case ((Op.UBV_TO_INT | Op.SBV_TO_INT), _):
                return bounds(part.args[0].width, _sign(part))
            case Op.VAR, _ if part in self._integers.origins:
                bits, sign = self._integers.origins[part]
                return bounds(bits.width, sign)
            case Op.APPLY, _:
                return self._bound_of_call(part, args)
            case _:
                raise NoBits(f"the integer {part}")

    def _bound_of_call(self, part: Term, args: list[Bounds]) -> Bounds:
        """Only of arguments that are bit-vectors read without a sign."""
        function = part.args[0]
        array, shape = self._integers.arrays.get(function), self._integers.opaque.get(function)
        if array is not None and isinstance(array.sort, Array):
            widths, result = [array.sort.index], array.sort.element
        elif shape is not None and isinstance(shape.sort, BitVec):
            widths, result = [arg.width for arg in shape.args], shape.sort.width
        else:
            raise NoBits(f"the function {function.name}")
        for (low, high), width in zip(args, widths, strict=True):
            if low < 0 or high >> width:
                raise NoBits("an argument that is no bit-vector")
        signed = array is not None and function.name.endswith(f"!{Signedness.SIGNED.value}")
        return bounds(result, Signedness.SIGNED if signed else Signedness.UNSIGNED)


_MODULAR = {Op.INT_ADD: Op.ADD, Op.INT_SUB: Op.SUB, Op.INT_MUL: Op.MUL}


def _sign(conversion: Term) -> Signedness:
    return Signedness.UNSIGNED if conversion.op is Op.UBV_TO_INT else Signedness.SIGNED


def _integers(roots: Iterable[Term]) -> list[Term]:
    """The integer parts of a comparison, operands first, but not those inside of conditions."""
    seen: set[Term] = set()
    work = [root for root in roots if root.sort is INT]
    while work:
        part = work.pop()
        if part not in seen:
            seen.add(part)
            work.extend(arg for arg in part.args if arg.sort is INT)
    return sorted(seen, key=lambda part: part.id)


def _width(low: int, high: int, sign: Signedness) -> int:
    """Bits that hold all from `low` to `high`."""
    if sign is Signedness.UNSIGNED:
        return max(1, high.bit_length())
    return max((-low - 1).bit_length() if low < 0 else 0, high.bit_length() if high > 0 else 0) + 1
