"""C values: their text with its type, the objects they lie in, and constants among them."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from threadproof.codegen.sequential.values.scalars import CKind, Sign, container, unsigned
from threadproof.codegen.sequential.values.shapes import CShape
from threadproof.ir.expr import Const, Expr, Reg

_CASTS = r"\((?:u8|u16|u32|u64|u128|uptr|int|short|signed char|long long|void \*|char \*)\)"
_PREFIXED = re.compile(rf"(?:{_CASTS}|&|!|\*\(\w+ \*\))*\w[\w\[\].]*")

BIT = unsigned(1)


class Typed(NamedTuple):
    text: str
    kind: CKind
    atom: bool = True  # whether it needs no parentheses

    @property
    def inner(self) -> str:
        """As an operand: casts and other prefixes of a plain name bind tighter than anything it is put into."""
        return self.text if self.atom or _PREFIXED.fullmatch(self.text) else f"({self.text})"


class Object(NamedTuple):
    """A memory object with a C name."""

    name: str
    shape: CShape

    @property
    def address(self) -> str:
        return self.name if self.shape.dimensions else f"&{self.name}"


class ValueScope(Protocol):
    """What the names in an expression mean where it is evaluated."""

    pointer_bits: int

    def register(self, reg: Reg) -> Typed: ...

    def object_at(self, address: Expr) -> Object | None:
        """The object whose address the expression is, if it has a C name."""
        ...

    def function_mark(self, name: str) -> str:
        """A C expression for the address of a function."""
        ...


class Values(Protocol):
    """An expression as a C value: of whatever type, or of one that is asked for."""

    scope: ValueScope

    def value(self, expr: Expr) -> Typed: ...

    def unsigned(self, expr: Expr) -> Typed: ...

    def signed(self, expr: Expr) -> Typed: ...

    def pointer(self, expr: Expr) -> Typed: ...


def as_unsigned(value: Typed, width: int) -> Typed:
    if value.kind.sign is Sign.UNSIGNED:
        return value
    cast = "uptr" if value.kind.sign is Sign.POINTER else unsigned(width).text
    return Typed(f"({cast}){value.inner}", unsigned(width), False)


def cut(value: Typed, width: int) -> Typed:
    """The low bits of an unsigned value computed in a wider type."""
    if width in (32, 64, 128):
        return value
    if width in (8, 16):
        return Typed(f"(u{width}){value.inner}", unsigned(width), False)
    return Typed(f"{value.inner} & {number((1 << width) - 1, width)}", unsigned(width), False)


def narrowed(value: Typed, width: int) -> Typed:
    """A signed result whose type has grown by C's promotions, or by a width C does not know."""
    if width in (32, 64, 128):
        return value._replace(kind=CKind(Sign.SIGNED, width))
    if width in (8, 16):
        kind = CKind(Sign.SIGNED, width)
        return Typed(f"({kind.text}){value.inner}", kind, False)
    return cut(Typed(f"({unsigned(container(width)).text}){value.inner}", unsigned(width), False), width)


# --- constants -------------------------------------------------------------------------------------------------------


def number(value: int, width: int) -> str:
    if width > 64 and value >> 64:
        return f"((u128){number(value >> 64, 64)} << 64 | {number(value & (1 << 64) - 1, 64)})"
    suffix = "" if width <= 16 else "u" if width <= 32 else "ull"
    return f"{value}{suffix}"


def bare(expr: Expr, value: Typed) -> Typed:
    """A constant beside a variable, whose type it takes, needs no suffix."""
    return value._replace(text=without_suffix(value.text)) if isinstance(expr, Const) else value


def without_suffix(text: str) -> str:
    """A literal that an `int` holds needs none."""
    digits = text.rstrip("ul")
    return digits if digits.isdigit() and int(digits) < 1 << 31 else text


def signed_constant(const: Const) -> Typed:
    value = const.value - (1 << const.width) if const.value >> (const.width - 1) and const.width > 1 else const.value
    kind = CKind(Sign.SIGNED, max(const.width, 8))
    suffix = "ll" if const.width > 32 else ""
    if const.width > 64 and not -(1 << 63) < value < 1 << 63:
        return Typed(f"({kind.text}){number(value % (1 << 128), 128)}", kind, False)
    if value == -(1 << (const.width - 1)) and const.width in (32, 64):
        return Typed(f"(-{(1 << (const.width - 1)) - 1}{suffix} - 1)", kind)
    if not -(1 << 63) < value < 1 << 63:
        return Typed(f"({kind.text}){number(const.value, const.width)}", kind, False)
    return Typed(f"{value}{suffix}", kind, value >= 0)
