"""Addresses and the memory they are the place of: elements of named arrays where they are, else bytes."""

from __future__ import annotations

from typing import NamedTuple

from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.values.scalars import CKind, Sign, check_width, unsigned
from threadproof.codegen.sequential.values.shapes import CShape
from threadproof.codegen.sequential.values.typed import Typed, Values, signed_constant
from threadproof.ir.expr import Binary, BinaryOp, Const, Convert, ConvertOp, Expr, PtrAdd

SIZES = (1, 2, 4, 8, 16)
"""Bytes of the integers there are."""


class Element(NamedTuple):
    """An element of a named array, or the whole of a named object; or so many bytes inside of it."""

    text: str
    shape: CShape
    offset: int

    def part(self, size: int | None) -> Typed | None:
        """What lies there; of a member, whatever its size if none is given."""
        if not self.offset and self.shape.element is not None and self.shape.element_size == size:
            return Typed(self.text, self.shape.element)
        for field in self.shape.fields:
            index, rest = divmod(self.offset - field.offset, field.step)
            if not rest and 0 <= index < (field.length or 1) and size in (None, field.step):
                place = "" if field.length is None else f"[{index}]"
                return Typed(f"{self.text}.{field.name}{place}", field.kind)
        return None


def address(values: Values, expr: PtrAdd) -> Typed:
    """Pointer arithmetic: `&a[i]` where the object is an array of that, else bytes."""
    kind = CKind(Sign.POINTER, values.scope.pointer_bits)
    found = element(values, expr)
    if found is not None and not found.offset:
        return Typed(f"&{found.text}", kind, False)
    if found is not None and (part := found.part(None)) is not None:
        return Typed(f"&{part.text}", kind, False)
    if isinstance(expr.base, Const):  # compilers warn about arithmetic with null pointers
        offset = values.unsigned(expr.offset).inner
        return Typed(f"(char *)((uptr){values.unsigned(expr.base).inner} + (uptr){offset})", kind, False)
    base = values.pointer(expr.base)
    whole = base.text if base.text.startswith("(char *)") else f"(char *){base.inner}"
    if isinstance(expr.offset, Const):
        offset = signed_constant(expr.offset).text.removesuffix("ll")
        return Typed(f"{whole} {'-' if offset[0] == '-' else '+'} {offset.lstrip('-')}", kind, False)
    return Typed(f"{whole} + {values.signed(expr.offset).inner}", kind, False)


def place(values: Values, where: Expr, size: int) -> Typed:
    """The memory of `size` bytes there, as something that can be read and assigned."""
    found = element(values, where)
    if found is not None and (part := found.part(size)) is not None:
        return part
    if size not in SIZES:
        raise NoC(f"an access of {size} bytes")
    check_width(8 * size, values.scope.pointer_bits)
    kind = unsigned(8 * size)
    meant = "volatile " if isinstance(where, Const) else ""  # or compilers warn that they leave it out
    return Typed(f"*({meant}{kind.text} *){values.pointer(where).inner}", kind, False)


def element(values: Values, where: Expr) -> Element | None:
    base, constant, indices = _decomposed(where)
    found = values.scope.object_at(base)
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
        text += f"[{number}]" if index is None else f"[{_index(values, index, number)}]"
    return Element(text, shape, constant) if constant == 0 or shape.fields else None


def _index(values: Values, index: Expr, plus: int) -> str:
    match index:
        case Convert(op=ConvertOp.SEXT):
            text = values.signed(index.operand)
        case Convert(op=ConvertOp.ZEXT):
            text = values.unsigned(index.operand)
        case _:
            text = values.signed(index)
    return f"{text.inner} + {plus}" if plus else text.text


def _decomposed(where: Expr) -> tuple[Expr, int, list[tuple[Expr, int]]]:
    """Base, constant offset, and indices with their scales."""
    constant, indices = 0, list[tuple[Expr, int]]()
    while isinstance(where, PtrAdd):
        match where.offset:
            case Const(value=value, width=width):
                constant += value - (1 << width) if value >> (width - 1) else value
            case Binary(op=BinaryOp.MUL, left=index, right=Const(value=scale)):
                indices.append((index, scale))
            case index:
                indices.append((index, 1))
        where = where.base
    return where, constant, indices
