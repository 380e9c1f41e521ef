"""Terms as C expressions over the program's own names: invariants that a person, a compiler or a validator reads.

The expression has the value of the term and no undefined behaviour: arithmetic is done without sign and converted
back, divisors and shift amounts that may be out of range are guarded. Every bit-vector is written in one of two views,
signed or unsigned, and asked for in the one that needs no conversion. What C has no type or operator for (odd widths,
whole arrays, float relations, integers without bounds) is `Unprintable`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.smt.meaning import to_signed
from threadproof.smt.term import BOOL, INT, BitVec, Op, Term

_TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}
_EQUAL = {True: "==", False: "!="}
_LESS = {True: "<", False: ">="}
_MIRRORED = {"<": ">", ">=": "<=", "==": "==", "!=": "!="}
_LOGIC = (Op.AND, Op.OR, Op.ITE)
_ARITHMETIC = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.BVAND: "&", Op.BVOR: "|", Op.BVXOR: "^"}
_DIVISION = {Op.UDIV: "/", Op.UREM: "%"}
_SHIFTS = {Op.SHL: "<<", Op.LSHR: ">>", Op.ASHR: ">>"}


class Unprintable(Exception):
    """A term that is no C expression."""


@dataclass(frozen=True, slots=True)
class CName:
    """How the program writes a variable, and whether its type (of its elements, of its results) has a sign."""

    text: str
    signed: bool


Names = Callable[[Term], CName]


def in_c(formula: Term, names: Names) -> str:
    """A Boolean term as a condition."""
    return _Printer(names).condition(formula, True)


def _type(width: int, signed: bool) -> str:
    if width not in _TYPES:
        raise Unprintable(f"a number of {width} bits")
    return f"{'signed' if width == 8 else ''} {_TYPES[width]}".strip() if signed else f"unsigned {_TYPES[width]}"


def _cast(text: str, width: int, signed: bool) -> str:
    return f"(({_type(width, signed)}){text})"


def _unwrapped(text: str) -> str:
    """Without a pair of brackets that encloses everything."""
    depth = 0
    for place, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth and place < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


class _Printer:
    def __init__(self, names: Names) -> None:
        self._names = names

    # --- Booleans -----------------------------------------------------------------------------------------------------

    def condition(self, term: Term, positive: bool) -> str:
        """The term, or its negation if not `positive`."""
        match term.op:
            case Op.TRUE | Op.FALSE:
                return str(int((term.op is Op.TRUE) == positive))
            case Op.NOT:
                return self.condition(term.args[0], not positive)
            case Op.VAR:
                return f"{'' if positive else '!'}{self._names(term).text}"
            case Op.AND | Op.OR:
                joint = " && " if (term.op is Op.AND) == positive else " || "
                return joint.join(self._operand(arg, positive) for arg in term.args)
            case Op.ITE:
                chosen, then, otherwise = term.args
                ways = f"{self._operand(then, positive)} : {self._operand(otherwise, positive)}"
                return f"{self._operand(chosen, True)} ? {ways}"
            case Op.APPLY:
                return f"{'' if positive else '!'}{self._called(term)}"
            case Op.EQ | Op.INT_LT if term.args[0].sort is INT:
                raise Unprintable("integers without bounds; `as_bits` gives them some")
            case Op.EQ if term.args[0].sort == BOOL:
                left, right = (self.condition(arg, True) for arg in term.args)
                return f"!({left}) {_EQUAL[positive]} !({right})"
            case Op.EQ:
                return self._compared(term, _EQUAL[positive], all(self._has_sign(arg) for arg in term.args))
            case Op.ULT | Op.SLT:
                return self._compared(term, _LESS[positive], term.op is Op.SLT)
            case _:
                raise Unprintable(f"the condition {term.op}")

    def _operand(self, term: Term, positive: bool) -> str:
        """A condition inside another: brackets where people, or the compiler, need them."""
        inner = term.args[0] if term.op is Op.NOT else term
        text = self.condition(term, positive)
        return f"({text})" if inner.op in _LOGIC else text

    def _compared(self, term: Term, operator: str, signed: bool) -> str:
        """Constants on the right."""
        left, right = term.args
        if left.op is Op.VALUE:
            left, right, operator = right, left, _MIRRORED[operator]
        return f"{self.number(left, signed)} {operator} {self.number(right, signed)}"

    def _has_sign(self, term: Term) -> bool:
        """Whether the signed view is the natural one."""
        match term.op:
            case Op.VALUE | Op.SEXT | Op.SDIV | Op.SREM | Op.ASHR:
                return True
            case Op.VAR:
                return self._names(term).signed
            case Op.SELECT | Op.APPLY:
                return self._has_sign(term.args[0])
            case _:
                return all(self._has_sign(arg) for arg in term.args if isinstance(arg.sort, BitVec))

    # --- numbers ------------------------------------------------------------------------------------------------------

    def number(self, term: Term, signed: bool) -> str:
        """An expression of type intN_t, or uintN_t, with the bits of the term."""
        _type(term.width, signed)
        match term.op:
            case Op.VALUE:
                return _constant(term.value, term.width, signed)
            case Op.VAR | Op.SELECT:
                return self._named(term, signed)
            case Op.APPLY:
                called, natural = self._called(term), self._has_sign(term)
                return called if natural == signed else _cast(called, term.width, signed)
            case Op.ITE:
                condition = self._operand(term.args[0], True)
                then, otherwise = (self.number(arg, signed) for arg in term.args[1:])
                return _cast(f"({condition} ? {then} : {otherwise})", term.width, signed)
            case Op.SEXT | Op.ZEXT:
                return _cast(self.number(term.args[0], term.op is Op.SEXT), term.width, signed)
            case Op.ASHR:
                return _cast(self._shifted(term, True), term.width, signed)
            case Op.SDIV | Op.SREM:
                raise Unprintable(f"{term.op}: signed division has its own rules at the ends")
            case _:
                return self._as(self._unsigned(term), term.width, signed)

    def _named(self, term: Term, signed: bool) -> str:
        if term.op is Op.VAR:
            name = self._names(term)
            return name.text if name.signed == signed else _cast(name.text, term.width, signed)
        array, index = term.args
        if array.op is not Op.VAR:
            raise Unprintable("an array that was written to")
        name = self._names(array)
        element = f"{name.text}[{_unwrapped(self.number(index, self._has_sign(index)))}]"
        return element if name.signed == signed else _cast(element, term.width, signed)

    def _called(self, term: Term) -> str:
        function, *args = term.args
        written = [
            self.condition(arg, True) if arg.sort is BOOL else _unwrapped(self.number(arg, self._has_sign(arg)))
            for arg in args
        ]
        return f"{self._names(function).text}({', '.join(written)})"

    def _as(self, text: str, width: int, signed: bool) -> str:
        """Of an unsigned expression. Narrow types were promoted to int on the way: back."""
        return _cast(text, width, signed) if signed or width < 32 else text

    def _unsigned(self, term: Term) -> str:
        """With the right low bits, in an unsigned type at least as wide as the term and as int."""
        width = max(term.width, 32)
        args = term.args
        match term.op:
            case _ if term.op in _ARITHMETIC:
                left, right = (self._wide(arg, width) for arg in args)
                return f"({left} {_ARITHMETIC[term.op]} {right})"
            case Op.NEG | Op.BVNOT:
                return f"({'-' if term.op is Op.NEG else '~'}{self._wide(args[0], width)})"
            case Op.UDIV | Op.UREM:
                return self._divided(term)
            case Op.SHL | Op.LSHR:
                return self._shifted(term, False)
            case Op.CONCAT:
                high, low = (self._wide(arg, width) for arg in args)
                return f"(({high} << {args[1].width}) | {low})"
            case Op.EXTRACT:
                low = int(term.params[1])
                source = self.number(args[0], False)
                return _cast(f"({source} >> {low})" if low else source, term.width, False)
            case _:
                raise Unprintable(f"the operation {term.op}")

    def _wide(self, term: Term, width: int) -> str:
        text = self.number(term, False)
        return text if term.width == width else _cast(text, width, False)

    def _divided(self, term: Term) -> str:
        """SMT-LIB: x / 0 is all ones, x % 0 is x."""
        left, right = (self.number(arg, False) for arg in term.args)
        quotient = f"({left} {_DIVISION[term.op]} {right})"
        if term.args[1].op is Op.VALUE and term.args[1].value:
            return quotient
        ones = _constant((1 << term.width) - 1, term.width, False)
        return f"({right} == 0 ? {ones if term.op is Op.UDIV else left} : {quotient})"

    def _shifted(self, term: Term, signed: bool) -> str:
        """SMT-LIB: an amount that is too large leaves the fill."""
        value, amount = term.args
        width = max(term.width, 32)
        text = _cast(self.number(value, signed), width, signed)
        shifted = f"({text} {_SHIFTS[term.op]} {{}})"
        if amount.op is Op.VALUE:
            return shifted.format(min(amount.value, term.width - 1)) if signed or amount.value < term.width else "0U"
        by = self.number(amount, False)
        fill = shifted.format(term.width - 1) if signed else "0"
        return f"({by} < {term.width} ? {shifted.format(by)} : {fill})"


def _constant(value: int, width: int, signed: bool) -> str:
    suffix = "LL" if width == 64 else ""
    if not signed:
        return f"{value}U{suffix}"
    number = to_signed(value, width)
    if number == -(1 << (width - 1)):
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}"
