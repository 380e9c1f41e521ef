"""Expressions as readable C: the bit-vector algebra of `ir` with the types and conversions that C needs."""

from __future__ import annotations

from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.values import integers, places
from threadproof.codegen.sequential.values.floats import float_value
from threadproof.codegen.sequential.values.scalars import CKind, Sign, check_width, unsigned
from threadproof.codegen.sequential.values.typed import (
    Typed,
    ValueScope,
    as_unsigned,
    number,
    signed_constant,
    without_suffix,
)
from threadproof.ir.expr import (
    Binary,
    Compare,
    Const,
    Convert,
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


class Printer:
    """Prints expressions with the names of a scope."""

    def __init__(self, scope: ValueScope) -> None:
        self.scope = scope

    # --- as a value of some type -------------------------------------------------------------------------------------

    def unsigned(self, expr: Expr) -> Typed:
        """As a C value of the unsigned type that holds it."""
        return as_unsigned(self.value(expr), expr.width)

    def signed(self, expr: Expr) -> Typed:
        return signed_constant(expr) if isinstance(expr, Const) else integers.signed(self.value(expr), expr.width)

    def pointer(self, expr: Expr) -> Typed:
        """As a C pointer, of whatever type."""
        kind = CKind(Sign.POINTER, self.scope.pointer_bits)
        if isinstance(expr, Const):
            return Typed("0" if not expr.value else f"(void *){number(expr.value, self.scope.pointer_bits)}", kind)
        value = self.value(expr)
        if value.kind.sign is Sign.POINTER:
            return value
        return Typed(f"(void *)(uptr){value.inner}", kind, False)

    def condition(self, expr: Expr) -> str:
        return self.value(expr).text

    def assigned(self, expr: Expr, kind: CKind) -> str:
        """What to write behind `=` for a variable of this type."""
        if kind.sign is Sign.POINTER:
            return self.pointer(expr).text
        if isinstance(expr, Const):
            plain = signed_constant(expr).text if kind.sign is Sign.SIGNED else number(expr.value, kind.width)
            return without_suffix(plain)
        value = self.value(expr)
        return as_unsigned(value, expr.width).text if value.kind.sign is Sign.POINTER else value.text

    def place(self, address: Expr, size: int) -> Typed:
        """The memory of `size` bytes there, as something that can be read and assigned."""
        return places.place(self, address, size)

    # --- by form -----------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Typed:
        check_width(expr.width, self.scope.pointer_bits)
        match expr:
            case Const():
                return Typed(number(expr.value, expr.width), unsigned(expr.width))
            case Reg() | GlobalRef() | TlsRef():
                return self._named(expr)
            case Binary():
                return integers.binary(self, expr)
            case Compare():
                return integers.compare(self, expr)
            case Convert():
                return integers.convert(self, expr)
            case Select():
                return self._select(expr)
            case PtrAdd():
                return places.address(self, expr)
            case FloatBinary() | FloatUnary() | FloatCompare() | FloatConvert():
                return float_value(self, expr)
            case MathCall():
                raise NoC(f"the function {expr.name}")

    def _named(self, expr: Reg | GlobalRef | TlsRef) -> Typed:
        kind = CKind(Sign.POINTER, self.scope.pointer_bits)
        found = self.scope.object_at(expr)
        if found is not None:
            return Typed(found.address, kind, bool(found.shape.dimensions))
        if isinstance(expr, Reg):
            return self.scope.register(expr)
        return Typed(self.scope.function_mark(expr.name), kind, False)

    def _select(self, expr: Select) -> Typed:
        condition = self.value(expr.condition)
        then, otherwise = self.value(expr.then), self.value(expr.otherwise)
        if Sign.POINTER in (then.kind.sign, otherwise.kind.sign):
            then, otherwise = self._void(expr.then), self._void(expr.otherwise)
        elif then.kind != otherwise.kind:
            then, otherwise = as_unsigned(then, expr.width), as_unsigned(otherwise, expr.width)
        return Typed(f"{condition.inner} ? {then.inner} : {otherwise.inner}", then.kind, False)

    def _void(self, expr: Expr) -> Typed:
        pointer = self.pointer(expr)
        return Typed(f"(void *){pointer.inner}", pointer.kind, False)
