"""LLVM's types, and their sizes and alignments under a module's data layout."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from threadproof.ir.layout import align_up


class Packing(Enum):
    ALIGNED = "aligned"
    PACKED = "packed"


class Arity(Enum):
    FIXED = "fixed"
    VARIADIC = "variadic"


@dataclass(frozen=True, slots=True)
class IntType:
    bits: int


@dataclass(frozen=True, slots=True)
class FloatType:
    """half, bfloat, float, double, x86_fp80, fp128."""

    name: str
    bits: int


@dataclass(frozen=True, slots=True)
class PtrType:
    pass


@dataclass(frozen=True, slots=True)
class VoidType:
    """void, label, token, metadata: nothing that memory or registers hold."""

    name: str = "void"


@dataclass(frozen=True, slots=True)
class ArrayType:
    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class VectorType:
    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    fields: tuple[Type, ...]
    packing: Packing = Packing.ALIGNED


@dataclass(frozen=True, slots=True)
class NamedType:
    """`%struct.node`: looked up in the module, since definitions may stand in any order."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionType:
    result: Type
    params: tuple[Type, ...]
    arity: Arity = Arity.FIXED


Type = IntType | FloatType | PtrType | VoidType | ArrayType | VectorType | StructType | NamedType | FunctionType

PTR = PtrType()
METADATA = VoidType("metadata")

FLOATS = {
    "half": FloatType("half", 16),
    "bfloat": FloatType("bfloat", 16),
    "float": FloatType("float", 32),
    "double": FloatType("double", 64),
    "x86_fp80": FloatType("x86_fp80", 80),
    "fp128": FloatType("fp128", 128),
    "ppc_fp128": FloatType("ppc_fp128", 128),
}
ARITHMETIC = frozenset(("float", "double", "x86_fp80", "fp128"))
"""The types whose arithmetic has a meaning."""


class UnknownSize(Exception):
    """A type without a size was used as if it had one; its text names the type."""


_DEFAULT_INTS = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
_DEFAULT_FLOATS = {16: 2, 32: 4, 64: 8, 80: 16, 128: 16}


@dataclass(slots=True)
class TypeTable:
    """Sizes of types: `target datalayout` and the module's named types."""

    pointer_bytes: int
    ints: dict[int, int] = field(default_factory=lambda: dict(_DEFAULT_INTS))
    floats: dict[int, int] = field(default_factory=lambda: dict(_DEFAULT_FLOATS))
    named: dict[str, Type | None] = field(default_factory=dict[str, "Type | None"])
    _layouts: dict[Type, tuple[int, int]] = field(default_factory=dict["Type", "tuple[int, int]"])
    _offsets: dict[Type, tuple[int, ...]] = field(default_factory=dict["Type", "tuple[int, ...]"])

    @staticmethod
    def of(datalayout: str, pointer_bytes: int) -> TypeTable:
        """`pointer_bytes` counts only if the layout is empty: LLVM's own default is 64 bits."""
        table = TypeTable(8 if datalayout else pointer_bytes)
        for part in datalayout.split("-"):
            if found := re.fullmatch(r"p(?:0)?:(\d+)(?::.*)?", part):
                table.pointer_bytes = int(found[1]) // 8
            elif found := re.fullmatch(r"([if])(\d+):(\d+)(?::.*)?", part):
                sizes = table.ints if found[1] == "i" else table.floats
                sizes[int(found[2])] = int(found[3]) // 8
        return table

    def resolve(self, type_: Type) -> Type:
        while isinstance(type_, NamedType):
            found = self.named.get(type_.name)
            if found is None:
                raise UnknownSize(f"the incomplete type {type_.name}")
            type_ = found
        return type_

    def bits(self, type_: Type) -> int:
        """Width of a register. An aggregate is the concatenation of its bytes, padding included."""
        match type_:
            case IntType() | FloatType():
                return type_.bits
            case PtrType():
                return 8 * self.pointer_bytes
            case VoidType() | FunctionType():
                return 0
            case VectorType():
                return self.bits(type_.element) * type_.count
            case _:
                return 8 * self.size(type_)

    def size(self, type_: Type) -> int:
        """Bytes from one array element of this type to the next."""
        return self._layout(type_)[0]

    def align(self, type_: Type) -> int:
        return self._layout(type_)[1]

    def offsets(self, type_: StructType) -> tuple[int, ...]:
        """Byte offset of every field, then the end of the last one."""
        known = self._offsets.get(type_)
        if known is None:
            cursor, offsets = 0, list[int]()
            for part in type_.fields:
                if type_.packing is Packing.ALIGNED:
                    cursor = align_up(cursor, self.align(part))
                offsets.append(cursor)
                cursor += self.size(part)
            known = self._offsets[type_] = (*offsets, cursor)
        return known

    def element(self, type_: Type, index: int) -> tuple[int, Type]:
        """Byte offset and type of part `index` of an aggregate."""
        match self.resolve(type_):
            case StructType() as struct if 0 <= index < len(struct.fields):
                return self.offsets(struct)[index], struct.fields[index]
            case ArrayType() | VectorType() as array:
                return index * self.size(array.element), array.element
            case other:
                raise UnknownSize(f"an element of {other}")

    def _layout(self, type_: Type) -> tuple[int, int]:
        known = self._layouts.get(type_)
        if known is None:
            known = self._layouts[type_] = self._compute(type_)
        return known

    def _compute(self, type_: Type) -> tuple[int, int]:
        match type_:
            case IntType():
                align = self._int_align(type_.bits)
                return align_up((type_.bits + 7) // 8, align), align
            case FloatType():
                align = self.floats.get(type_.bits, 16)
                return align_up((type_.bits + 7) // 8, align), align
            case PtrType():
                return self.pointer_bytes, self.pointer_bytes
            case ArrayType():
                size, align = self._layout(type_.element)
                return size * type_.count, align
            case VectorType():
                size = (self.bits(type_.element) * type_.count + 7) // 8
                align = 1 << max(0, size - 1).bit_length()
                return align_up(size, align), align
            case StructType():
                align = max((self.align(part) for part in type_.fields), default=1)
                if type_.packing is Packing.PACKED:
                    align = 1
                return align_up(self.offsets(type_)[-1], align), align
            case NamedType():
                return self._layout(self.resolve(type_))
            case VoidType() | FunctionType():
                return 1, 1  # getelementptr over functions or void counts bytes

    def _int_align(self, bits: int) -> int:
        """The alignment of the next larger integer that the layout names, else of the largest."""
        larger = [known for known in self.ints if known >= bits]
        return self.ints[min(larger)] if larger else self.ints[max(self.ints)]
