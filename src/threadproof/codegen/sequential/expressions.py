"""Expressions as readable C: the bit-vector algebra of `ir` with the types and conversions that C needs.

Invariants: nothing printed here overflows a signed type, whatever the values; sums, differences and products are
unsigned, and C's conversions bring them back. What is undefined in the program (division by zero, a shift that is too
wide) is undefined in the same place of the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.shapes import Kind, Shape, Sign, container, unsigned
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
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    GlobalRef,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    may_trap,
)

_ARITHMETIC = {BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*"}
_BITWISE = {BinaryOp.AND: "&", BinaryOp.OR: "|", BinaryOp.XOR: "^"}
_DIVISION = {BinaryOp.UDIV: "/", BinaryOp.SDIV: "/", BinaryOp.UREM: "%", BinaryOp.SREM: "%"}
_RELATION = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_FLOAT_NAMES = {
    FloatUnaryOp.SQRT: "__builtin_sqrt",
    FloatUnaryOp.FLOOR: "__builtin_floor",
    FloatUnaryOp.CEIL: "__builtin_ceil",
    FloatUnaryOp.TRUNC: "__builtin_trunc",
}


_CASTS = r"\((?:u8|u16|u32|u64|u128|uptr|int|short|signed char|long long|void \*|char \*)\)"
_PREFIXED = re.compile(rf"(?:{_CASTS}|&|!|\*\(\w+ \*\))*\w[\w\[\]]*")


class Typed(NamedTuple):
    text: str
    kind: Kind
    atom: bool = True  # whether it needs no parentheses

    @property
    def inner(self) -> str:
        """As an operand: casts and other prefixes of a plain name bind tighter than anything it is put into."""
        return self.text if self.atom or _PREFIXED.fullmatch(self.text) else f"({self.text})"


class Object(NamedTuple):
    """A memory object with a C name."""

    name: str
    shape: Shape


class Scope(Protocol):
    """What the names in an expression mean where it is evaluated."""

    pointer_bits: int

    def register(self, reg: Reg) -> Typed: ...

    def object_at(self, address: Expr) -> Object | None:
        """The object whose address the expression is, if it has a C name."""
        ...

    def function_mark(self, name: str) -> str:
        """A C expression for the address of a function."""
        ...


BIT = Kind(Sign.UNSIGNED, 1)


class Printer:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.helpers: set[str] = set()

    # --- as a value of some type -------------------------------------------------------------------------------------

    def unsigned(self, expr: Expr) -> Typed:
        """As a C value of the unsigned type that holds it."""
        return self._as_unsigned(self.value(expr), expr.width)

    def _as_unsigned(self, value: Typed, width: int) -> Typed:
        if value.kind.sign is Sign.UNSIGNED:
            return value
        if value.kind.sign is Sign.POINTER:
            return Typed(f"(uptr){value.inner}", unsigned(width), False)
        return Typed(f"({unsigned(width).text}){value.inner}", unsigned(width), False)

    def _pair(self, left: Expr, right: Expr) -> tuple[Typed, Typed]:
        """Two unsigned operands; a small constant beside a variable needs no suffix."""
        a, b = self.unsigned(left), self.unsigned(right)
        return (_bare(left, a) if not isinstance(right, Const) else a, _bare(right, b))

    def signed(self, expr: Expr) -> Typed:
        if isinstance(expr, Const):
            return _signed_constant(expr)
        value, width = self.value(expr), expr.width
        if value.kind.sign is Sign.SIGNED:
            return value
        kind = Kind(Sign.SIGNED, width)
        if width == 1:
            return Typed(f"-(int){value.inner}", Kind(Sign.SIGNED, 32), False)
        size = container(width)
        if size == width:
            whole = value if value.kind.sign is Sign.UNSIGNED else self._as_unsigned(value, width)
            return Typed(f"({kind.text}){whole.inner}", kind, False)
        wide = Kind(Sign.SIGNED, size)
        text = f"({wide.text})((({unsigned(size).text}){value.inner}) << {size - width}) >> {size - width}"
        return Typed(text, wide, False)

    def pointer(self, expr: Expr) -> Typed:
        """As a C pointer, of whatever type."""
        kind = Kind(Sign.POINTER, self.scope.pointer_bits)
        if isinstance(expr, Const):
            return Typed("0" if not expr.value else f"(void *){_number(expr.value, self.scope.pointer_bits)}", kind)
        if isinstance(expr, PtrAdd):
            return self._sum(expr)
        value = self.value(expr)
        if value.kind.sign is Sign.POINTER:
            return value
        return Typed(f"(void *)(uptr){value.inner}", kind, False)

    def condition(self, expr: Expr) -> str:
        return self.value(expr).text

    def assigned(self, expr: Expr, kind: Kind) -> str:
        """What to write behind `=` for a variable of this type."""
        if kind.sign is Sign.POINTER:
            return self.pointer(expr).text
        if isinstance(expr, Const):
            plain = _signed_constant(expr).text if kind.sign is Sign.SIGNED else _number(expr.value, kind.width)
            return _without_suffix(plain)
        if expr.width == 1:
            return self.value(expr).text
        value = self.value(expr)
        return self._as_unsigned(value, expr.width).text if value.kind.sign is Sign.POINTER else value.text

    # --- by form -----------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Typed:
        if expr.width > 64 and expr.width != 128:
            raise NoC(f"a value of {expr.width} bits")
        match expr:
            case Const():
                return Typed(_number(expr.value, expr.width), unsigned(expr.width))
            case Reg():
                found = self.scope.object_at(expr)
                return self.scope.register(expr) if found is None else self._address(found)
            case GlobalRef() | TlsRef():
                found = self.scope.object_at(expr)
                if found is not None:
                    return self._address(found)
                return Typed(self.scope.function_mark(expr.name), Kind(Sign.POINTER, expr.width), False)
            case Binary():
                return self._bit(expr) if expr.width == 1 else self._binary(expr)
            case Compare():
                return self._compare(expr)
            case Convert():
                return self._convert(expr)
            case Select():
                return self._select(expr)
            case PtrAdd():
                return self._sum(expr)
            case FloatBinary() | FloatUnary() | FloatCompare() | FloatConvert():
                return self._float(expr)

    def _address(self, found: Object) -> Typed:
        kind = Kind(Sign.POINTER, self.scope.pointer_bits)
        return Typed(found.name, kind) if found.shape.dimensions else Typed(f"&{found.name}", kind, False)

    def _bit(self, expr: Binary) -> Typed:
        left, right = self.value(expr.left), self.value(expr.right)
        match expr.op:
            case BinaryOp.XOR if isinstance(expr.right, Const):
                return Typed(f"!{left.inner}", BIT, False) if expr.right.value else left
            case BinaryOp.AND | BinaryOp.OR if not may_trap(expr.right):
                return Typed(f"{left.inner} {_BITWISE[expr.op] * 2} {right.inner}", BIT, False)
            case BinaryOp.AND | BinaryOp.OR | BinaryOp.XOR:
                return Typed(f"{left.inner} {_BITWISE[expr.op]} {right.inner}", BIT, False)
            case BinaryOp.ADD | BinaryOp.SUB:
                return Typed(f"{left.inner} ^ {right.inner}", BIT, False)
            case BinaryOp.MUL:
                return Typed(f"{left.inner} & {right.inner}", BIT, False)
            case _:
                raise NoC("division or shift of single bits")

    def _binary(self, expr: Binary) -> Typed:
        width, kind = expr.width, unsigned(expr.width)
        if expr.op in _ARITHMETIC:
            return self._arithmetic(expr)
        if expr.op in _BITWISE:
            left, right = self._pair(expr.left, expr.right)
            return Typed(f"{left.inner} {_BITWISE[expr.op]} {right.inner}", kind, False)
        if expr.op in (BinaryOp.UDIV, BinaryOp.UREM):
            left, right = self._pair(expr.left, expr.right)
            return Typed(f"{left.inner} {_DIVISION[expr.op]} {right.inner}", kind, False)
        if expr.op in _DIVISION:
            left, right = self.signed(expr.left), self.signed(expr.right)
            return self._narrowed(Typed(f"{left.inner} {_DIVISION[expr.op]} {right.inner}", left.kind, False), width)
        amount = self.unsigned(expr.right)
        if expr.op is BinaryOp.ASHR:
            left = self.signed(expr.left)
            return self._narrowed(Typed(f"{left.inner} >> {amount.inner}", left.kind, False), width)
        left = self.unsigned(expr.left)
        if expr.op is BinaryOp.LSHR:
            return Typed(f"{left.inner} >> {amount.inner}", kind, False)
        wide = left if width in (32, 64, 128) else Typed(f"(u{32 if width < 32 else 64}){left.inner}", kind, False)
        return self._cut(Typed(f"{wide.inner} << {amount.inner}", kind, False), width)

    def _arithmetic(self, expr: Binary) -> Typed:
        """At least one operand is unsigned and as wide as the result; C converts the other."""
        width, kind, op = expr.width, unsigned(expr.width), _ARITHMETIC[expr.op]
        left, right = self.value(expr.left), self.value(expr.right)
        if isinstance(expr.right, Const) and expr.op is BinaryOp.ADD and expr.right.value >> (width - 1):
            right, op = Typed(_number((1 << width) - expr.right.value, width), kind), "-"
        if Sign.POINTER in (left.kind.sign, right.kind.sign):
            left, right = self._as_unsigned(left, width), self._as_unsigned(right, width)
        if width in (32, 64, 128):
            if left.kind.sign is right.kind.sign is Sign.SIGNED:
                left = self._as_unsigned(left, width)
            elif left.kind.sign is right.kind.sign is Sign.UNSIGNED and not isinstance(expr.left, Const):
                right = right._replace(text=_without_suffix(right.text))
            return Typed(f"{left.inner} {op} {right.inner}", kind, False)
        left, right = self._as_unsigned(left, width), self._as_unsigned(right, width)
        wide = "u32" if width < 32 else "u64"
        return self._cut(Typed(f"({wide}){left.inner} {op} {right.inner}", kind, False), width)

    def _cut(self, value: Typed, width: int) -> Typed:
        """The low bits of an unsigned value computed in a wider type."""
        if width in (32, 64, 128):
            return value
        if width in (8, 16):
            return Typed(f"(u{width}){value.inner}", unsigned(width), False)
        return Typed(f"{value.inner} & {_number((1 << width) - 1, width)}", unsigned(width), False)

    def _narrowed(self, value: Typed, width: int) -> Typed:
        """A signed result whose type has grown by C's promotions, or by a width C does not know."""
        if width in (32, 64, 128):
            return value._replace(kind=Kind(Sign.SIGNED, width))
        if width in (8, 16):
            kind = Kind(Sign.SIGNED, width)
            return Typed(f"({kind.text}){value.inner}", kind, False)
        size = container(width)
        return self._cut(Typed(f"({unsigned(size).text}){value.inner}", unsigned(width), False), width)

    def _compare(self, expr: Compare) -> Typed:
        match expr.op:
            case CompareOp.EQ | CompareOp.NE:
                return self._equal(expr)
            case CompareOp.ULT | CompareOp.ULE:
                left, right = self._pair(expr.left, expr.right)
            case CompareOp.SLT | CompareOp.SLE:
                left, right = self.signed(expr.left), self.signed(expr.right)
        return Typed(f"{left.inner} {expr.op.value[:-1]} {right.inner}", BIT, False)

    def _equal(self, expr: Compare) -> Typed:
        left, right = self.value(expr.left), self.value(expr.right)
        signs = {left.kind.sign, right.kind.sign}
        if Sign.POINTER in signs:
            if isinstance(expr.right, Const) and not expr.right.value:
                right = Typed("0", right.kind)
            elif signs != {Sign.POINTER}:
                left, right = self._as_unsigned(left, 0), self._as_unsigned(right, 0)
            else:
                left, right = self._plain(left), self._plain(right)
        elif isinstance(expr.right, Const) and left.kind.sign is Sign.SIGNED:
            right = _signed_constant(expr.right)
        elif isinstance(expr.right, Const) and not isinstance(expr.left, Const):
            right = _bare(expr.right, right)
        elif len(signs) > 1:
            left, right = self._as_unsigned(left, expr.left.width), self._as_unsigned(right, expr.left.width)
        return Typed(f"{left.inner} {expr.op.value} {right.inner}", BIT, False)

    def _plain(self, pointer: Typed) -> Typed:
        """Pointers to different types are compared as `void *`."""
        return pointer if pointer.text.isidentifier() else Typed(f"(void *){pointer.inner}", pointer.kind, False)

    def _convert(self, expr: Convert) -> Typed:
        target = expr.width
        match expr.op:
            case ConvertOp.ZEXT:
                inner = self.unsigned(expr.operand)
                if expr.operand.width == 1 and not inner.atom and target <= 64:
                    one, zero = _number(1, target), _number(0, target)
                    return Typed(f"{inner.inner} ? {one} : {zero}", unsigned(target), False)
                return Typed(f"({unsigned(target).text}){inner.inner}", unsigned(target), False)
            case ConvertOp.SEXT:
                inner, kind = self.signed(expr.operand), Kind(Sign.SIGNED, target)
                if container(target) == target:
                    return Typed(f"({kind.text}){inner.inner}", kind, False)
                wide = unsigned(container(target)).text
                return self._cut(Typed(f"({wide}){inner.inner}", unsigned(target), False), target)
            case ConvertOp.TRUNC:
                inner = self.unsigned(expr.operand)
                if target == 1:
                    return Typed(f"{inner.inner} & 1", BIT, False)
                cut = Typed(f"({unsigned(target).text}){inner.inner}", unsigned(target), False)
                return cut if container(target) == target else self._cut(cut, target)

    def _select(self, expr: Select) -> Typed:
        condition = self.value(expr.condition)
        then, otherwise = self.value(expr.then), self.value(expr.otherwise)
        if Sign.POINTER in (then.kind.sign, otherwise.kind.sign):
            then, otherwise = self._void(self.pointer(expr.then)), self._void(self.pointer(expr.otherwise))
            kind = then.kind
        elif then.kind == otherwise.kind:
            kind = then.kind
        else:
            kind = unsigned(expr.width)
            then, otherwise = self._as_unsigned(then, expr.width), self._as_unsigned(otherwise, expr.width)
        return Typed(f"{condition.inner} ? {then.inner} : {otherwise.inner}", kind, False)

    def _void(self, pointer: Typed) -> Typed:
        return Typed(f"(void *){pointer.inner}", pointer.kind, False)

    # --- places ------------------------------------------------------------------------------------------------------

    def _sum(self, expr: PtrAdd) -> Typed:
        """Pointer arithmetic: `&a[i]` where the object is an array of that, else bytes."""
        kind = Kind(Sign.POINTER, self.scope.pointer_bits)
        element = self.element(expr)
        if element is not None:
            return Typed(f"&{element[0]}", kind, False)
        base = self.pointer(expr.base)
        whole = base.text if base.text.startswith("(char *)") else f"(char *){base.inner}"
        if isinstance(expr.offset, Const):
            offset = _signed_constant(expr.offset).text.removesuffix("ll")
            return Typed(f"{whole} {'-' if offset[0] == '-' else '+'} {offset.lstrip('-')}", kind, False)
        return Typed(f"{whole} + {self.signed(expr.offset).inner}", kind, False)

    def element(self, address: Expr) -> tuple[str, Shape] | None:
        """The element of a named array, or the whole of a named object, that an address is the place of."""
        base, constant, indices = _decomposed(address)
        found = self.scope.object_at(base)
        if found is None:
            return None
        shape, text = found.shape, found.name
        strides = shape.strides
        by_stride = {scale: index for index, scale in indices}
        if len(by_stride) != len(indices) or not set(by_stride) <= set(strides) or len(set(strides)) != len(strides):
            return None
        for stride, count in zip(strides, shape.dimensions, strict=True):
            number, constant = divmod(constant, stride) if constant >= 0 else (-1, constant)
            if number < 0 or number >= count:
                return None
            index = by_stride.get(stride)
            text += f"[{number}]" if index is None else f"[{self._index(index, number)}]"
        return (text, shape) if constant == 0 else None

    def _index(self, index: Expr, plus: int) -> str:
        match index:
            case Convert(op=ConvertOp.SEXT):
                text = self.signed(index.operand)
            case Convert(op=ConvertOp.ZEXT):
                text = self.unsigned(index.operand)
            case _:
                text = self.signed(index)
        return f"{text.inner} + {plus}" if plus else text.text

    def place(self, address: Expr, size: int) -> Typed:
        """The memory of `size` bytes there, as something that can be read and assigned."""
        element = self.element(address)
        if element is not None and element[1].element is not None and element[1].element_size == size:
            return Typed(element[0], element[1].element)
        if size not in (1, 2, 4, 8, 16):
            raise NoC(f"an access of {size} bytes")
        kind = unsigned(8 * size)
        return Typed(f"*({kind.text} *){self._argument(address)}", kind, False)

    def _argument(self, address: Expr) -> str:
        return self.pointer(address).inner

    # --- floating point ----------------------------------------------------------------------------------------------

    def _number(self, expr: Expr) -> str:
        if expr.width not in (32, 64):
            raise NoC(f"{expr.width}-bit floating point")
        self.helpers.add(f"f{expr.width}")
        return f"as_float{expr.width}({self.unsigned(expr).text})"

    def _bits(self, text: str, width: int) -> Typed:
        if width not in (32, 64):
            raise NoC(f"{width}-bit floating point")
        self.helpers.add(f"f{width}")
        return Typed(f"bits_of{width}({text})", unsigned(width))

    def _float(self, expr: FloatBinary | FloatUnary | FloatCompare | FloatConvert) -> Typed:
        match expr:
            case FloatBinary():
                left, right = self._number(expr.left), self._number(expr.right)
                if expr.op is FloatOp.REM:
                    return self._bits(f"__builtin_fmod({left}, {right})", expr.width)
                return self._bits(f"{left} {expr.op.value[1:]} {right}", expr.width)
            case FloatUnary(op=FloatUnaryOp.NEG):
                return self._bits(f"-{self._number(expr.operand)}", expr.width)
            case FloatUnary(op=FloatUnaryOp.ABS):
                inner = self.unsigned(expr.operand)
                return Typed(f"{inner.inner} & {_number((1 << (expr.width - 1)) - 1, expr.width)}", inner.kind, False)
            case FloatUnary():
                return self._bits(f"{_FLOAT_NAMES[expr.op]}({self._number(expr.operand)})", expr.width)
            case FloatCompare():
                return self._float_compare(expr)
            case FloatConvert():
                return self._float_convert(expr)

    def _float_compare(self, expr: FloatCompare) -> Typed:
        left, right = self._number(expr.left), self._number(expr.right)
        unordered = f"__builtin_isunordered({left}, {right})"
        match expr.predicate:
            case "true" | "false":
                return Typed(str(int(expr.predicate == "true")), BIT)
            case "uno":
                return Typed(unordered, BIT)
            case "ord":
                return Typed(f"!{unordered}", BIT, False)
            case "oeq" | "une":
                return Typed(f"{left} {_RELATION[expr.predicate[1:]]} {right}", BIT, False)
            case predicate:
                relation = f"{left} {_RELATION[predicate[1:]]} {right}"
                ordered = f"!{unordered} && {relation}" if predicate[0] == "o" else f"{unordered} || {relation}"
                return Typed(ordered, BIT, False)

    def _float_convert(self, expr: FloatConvert) -> Typed:
        match expr.op:
            case FloatConvertOp.FLOAT_TO_FLOAT:
                return self._bits(self._number(expr.operand), expr.width)
            case FloatConvertOp.SIGNED_TO_FLOAT:
                return self._bits(self.signed(expr.operand).text, expr.width)
            case FloatConvertOp.UNSIGNED_TO_FLOAT:
                return self._bits(self.unsigned(expr.operand).text, expr.width)
            case FloatConvertOp.FLOAT_TO_SIGNED:
                kind = Kind(Sign.SIGNED, expr.width)
                return self._narrowed(Typed(f"({kind.text}){self._number(expr.operand)}", kind, False), expr.width)
            case FloatConvertOp.FLOAT_TO_UNSIGNED:
                kind = unsigned(expr.width)
                return self._cut(Typed(f"({kind.text}){self._number(expr.operand)}", kind, False), expr.width)


def _number(value: int, width: int) -> str:
    if width > 64 and value >> 64:
        return f"((u128){_number(value >> 64, 64)} << 64 | {_number(value & (1 << 64) - 1, 64)})"
    suffix = "" if width <= 16 else "u" if width <= 32 else "ull"
    return f"{value}{suffix}"


def _bare(expr: Expr, value: Typed) -> Typed:
    return value._replace(text=_without_suffix(value.text)) if isinstance(expr, Const) else value


def _without_suffix(text: str) -> str:
    """A literal that an `int` holds needs none."""
    digits = text.rstrip("ul")
    return digits if digits.isdigit() and int(digits) < 1 << 31 else text


def _signed_constant(const: Const) -> Typed:
    value = const.value - (1 << const.width) if const.value >> (const.width - 1) and const.width > 1 else const.value
    kind = Kind(Sign.SIGNED, max(const.width, 8))
    suffix = "ll" if const.width > 32 else ""
    if value == -(1 << (const.width - 1)) and const.width in (32, 64):
        return Typed(f"(-{(1 << (const.width - 1)) - 1}{suffix} - 1)", kind)
    return Typed(f"{value}{suffix}", kind, value >= 0)


def _decomposed(address: Expr) -> tuple[Expr, int, list[tuple[Expr, int]]]:
    """Base, constant offset, and indices with their scales."""
    constant, indices = 0, list[tuple[Expr, int]]()
    while isinstance(address, PtrAdd):
        match address.offset:
            case Const(value=value, width=width):
                constant += value - (1 << width) if value >> (width - 1) else value
            case Binary(op=BinaryOp.MUL, left=index, right=Const(value=scale)):
                indices.append((index, scale))
            case index:
                indices.append((index, 1))
        address = address.base
    return address, constant, indices
