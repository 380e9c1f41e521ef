"""Expressions as terms, exactly as `semantics.evaluate` computes them; what traps there is a guarded condition here.

Truth values (width 1) are kept as `ite(condition, 1, 0)`, which the rules of `smt` see through, so conditions reach
the solver as Booleans. Only the chosen side of a selection is evaluated: traps of the other do not happen.
"""

from __future__ import annotations

from threadproof.encoding.encoded import Encoded, EncodedTrap, Environment, NotEncoded
from threadproof.encoding.floats import Floats
from threadproof.encoding.pointers import Far, far_pointer, moved
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatUnary,
    GlobalRef,
    MathCall,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
)
from threadproof.ir.instr import UndefinedKind
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_BITWISE = {BinaryOp.AND: Op.BVAND, BinaryOp.OR: Op.BVOR, BinaryOp.XOR: Op.BVXOR}
_DIVISION = {BinaryOp.UDIV: Op.UDIV, BinaryOp.SDIV: Op.SDIV, BinaryOp.UREM: Op.UREM, BinaryOp.SREM: Op.SREM}
_SHIFT = {BinaryOp.SHL: Op.SHL, BinaryOp.LSHR: Op.LSHR, BinaryOp.ASHR: Op.ASHR}
_BINARY = {BinaryOp.ADD: Op.ADD, BinaryOp.SUB: Op.SUB, BinaryOp.MUL: Op.MUL, **_BITWISE, **_DIVISION, **_SHIFT}


def value(terms: Terms, environment: Environment, expr: Expr) -> Encoded:
    return _Encoding(terms, environment).encoded(expr, Far.REFUSED)


def address(terms: Terms, environment: Environment, expr: Expr) -> Encoded:
    """`expr` as what is about to be read or written: far outside its object, it is out of bounds."""
    return _Encoding(terms, environment).encoded(expr, Far.OUT_OF_BOUNDS)


def condition(terms: Terms, environment: Environment, expr: Expr) -> Encoded:
    """A width-1 expression as a Boolean."""
    found = value(terms, environment, expr)
    return Encoded(terms.eq(found.value, terms.bv(1, 1)), found.traps, found.definitions)


class _Encoding:
    def __init__(self, terms: Terms, environment: Environment) -> None:
        self._terms = terms
        self._environment = environment
        self._guard: Term = terms.true  # under which the running part is evaluated
        self._traps: list[EncodedTrap] = []
        self._floats = Floats(terms, self._trap)

    def encoded(self, expr: Expr, far: Far) -> Encoded:
        found = self._ptr_add(expr, far) if isinstance(expr, PtrAdd) else self._value(expr)
        return Encoded(found, tuple(self._traps), tuple(self._floats.definitions))

    def _trap(self, when: Term, what: UndefinedKind | NotEncoded) -> None:
        reached = self._terms.and_(self._guard, when)
        if reached is not self._terms.false:
            self._traps.append(EncodedTrap(reached, what))

    def _value(self, expr: Expr) -> Term:
        match expr:
            case Const():
                return self._terms.bv(expr.value, expr.width)
            case Reg():
                return self._environment.registers[expr.name]
            case GlobalRef():
                return self._terms.bv(self._environment.layout.address(expr.name), expr.width)
            case TlsRef():
                offset = self._terms.bv(self._environment.layout.tls[expr.name], expr.width)
                return self._terms.add(self._environment.tls, offset)
            case Binary():
                return self._binary(expr)
            case Compare():
                return self._bit(self._compare(expr))
            case Convert():
                return self._convert(expr)
            case Select():
                return self._select(expr)
            case PtrAdd():
                return self._ptr_add(expr, Far.REFUSED)
            case FloatBinary():
                return self._floats.binary(expr, self._value(expr.left), self._value(expr.right))
            case FloatUnary():
                return self._floats.unary(expr, self._value(expr.operand))
            case FloatCompare():
                return self._bit(self._floats.compare(expr, self._value(expr.left), self._value(expr.right)))
            case FloatConvert():
                return self._floats.convert(expr, self._value(expr.operand))
            case MathCall():
                return self._floats.call(expr, tuple(self._value(arg) for arg in expr.args))

    def _bit(self, truth: Term) -> Term:
        return self._terms.ite(truth, self._terms.bv(1, 1), self._terms.bv(0, 1))

    def _truth(self, bit: Term) -> Term:
        return self._terms.eq(bit, self._terms.bv(1, 1))

    def _binary(self, expr: Binary) -> Term:
        left, right = self._value(expr.left), self._value(expr.right)
        terms, width = self._terms, expr.width
        if expr.op in _DIVISION:
            self._trap(terms.eq(right, terms.bv(0, width)), UndefinedKind.DIVISION_BY_ZERO)
        elif expr.op in _SHIFT:
            self._trap(terms.ule(terms.bv(width, width), right), UndefinedKind.OVERSIZED_SHIFT)
        elif expr.op in _BITWISE and width == 1:
            return self._bit(self._junction(expr.op, self._truth(left), self._truth(right)))
        return terms.make(_BINARY[expr.op], (left, right))

    def _junction(self, op: BinaryOp, left: Term, right: Term) -> Term:
        if op is BinaryOp.XOR:
            return self._terms.ne(left, right)
        return self._terms.and_(left, right) if op is BinaryOp.AND else self._terms.or_(left, right)

    def _compare(self, expr: Compare) -> Term:
        left, right = self._value(expr.left), self._value(expr.right)
        match expr.op:
            case CompareOp.EQ:
                return self._terms.eq(left, right)
            case CompareOp.NE:
                return self._terms.ne(left, right)
            case CompareOp.ULT:
                return self._terms.ult(left, right)
            case CompareOp.ULE:
                return self._terms.ule(left, right)
            case CompareOp.SLT:
                return self._terms.slt(left, right)
            case CompareOp.SLE:
                return self._terms.sle(left, right)

    def _convert(self, expr: Convert) -> Term:
        operand = self._value(expr.operand)
        match expr.op:
            case ConvertOp.ZEXT:
                return self._terms.zext(operand, expr.width)
            case ConvertOp.SEXT:
                return self._terms.sext(operand, expr.width)
            case ConvertOp.TRUNC:
                return self._terms.extract(operand, expr.width - 1, 0)

    def _select(self, expr: Select) -> Term:
        chosen, outer = self._truth(self._value(expr.condition)), self._guard
        self._guard = self._terms.and_(outer, chosen)
        then = self._value(expr.then)
        self._guard = self._terms.and_(outer, self._terms.not_(chosen))
        otherwise = self._value(expr.otherwise)
        self._guard = outer
        return self._terms.ite(chosen, then, otherwise)

    def _ptr_add(self, expr: PtrAdd, far: Far) -> Term:
        """`p[i].x` is two additions to one base: what counts is where the last one ends."""
        base, parts = expr.base, [expr.offset]
        while isinstance(base, PtrAdd):
            parts.insert(0, base.offset)
            base = base.base
        start, offsets = self._value(base), [self._value(part) for part in parts]
        where = moved(self._terms, self._environment.layout.plan, self._environment.zones(base), start, offsets)
        for trap in far_pointer(where, far):
            self._trap(trap.condition, trap.what)
        return where.address
