"""C declarations of memory objects: integers, pointers and arrays of them as in the source, all else as plain words.

A record keeps its name and size, not its members: accesses go by offset anyway, and nothing depends on how a compiler
would lay it out. Types are written with the sizes of the program's data model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from threadproof.codegen.sequential.refusal import NoC
from threadproof.ir.ctypes import Array, CType, Encoding, Enumeration, Pointer, Record, Scalar


class Sign(Enum):
    UNSIGNED = "unsigned"
    SIGNED = "signed"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a C value."""

    sign: Sign
    width: int
    name: str = field(default="", compare=False)  # of a type that is declared

    @property
    def text(self) -> str:
        if self.name:
            return self.name
        if self.sign is Sign.POINTER:
            return "void *"
        return (_UNSIGNED if self.sign is Sign.UNSIGNED else _SIGNED)[container(self.width)]


_UNSIGNED = {8: "u8", 16: "u16", 32: "u32", 64: "u64", 128: "u128"}
_SIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}


def container(width: int) -> int:
    """The smallest C width that holds so many bits."""
    return next(size for size in _UNSIGNED if width <= size)


def check_width(width: int, pointer_bits: int) -> None:
    """128 bits are what C has, and not even that for machines of 32 bits."""
    if width > (128 if pointer_bits == 64 else 64):
        raise NoC(f"a value of {width} bits")


def unsigned(width: int) -> Kind:
    return Kind(Sign.UNSIGNED, width)


@dataclass(frozen=True, slots=True)
class Shape:
    """An object of C: an element type, and the sizes of the array around it."""

    type: str  # of the element
    element: Kind | None  # None: words, only accessed by address
    element_size: int
    dimensions: tuple[int, ...] = ()
    typedef: str = ""  # what declares the type, if it is not a basic one
    word: int = 1  # bytes of the words of a record

    def declare(self, name: str) -> str:
        space = "" if self.type.endswith("*") else " "
        return f"{self.type}{space}{name}" + "".join(f"[{n}]" for n in self.dimensions)

    @property
    def strides(self) -> tuple[int, ...]:
        found, size = list[int](), self.element_size
        for count in reversed(self.dimensions):
            found.insert(0, size)
            size *= count
        return tuple(found)


def shape(ctype: CType | None, size: int, align: int, pointer_bits: int) -> Shape:
    dimensions: list[int] = []
    inner = ctype
    while isinstance(inner, Array) and inner.count and inner.bits:
        dimensions.append(inner.count)
        inner = inner.element
    total = size
    for count in dimensions:
        total //= count
    kind = scalar_kind(inner, pointer_bits)
    if kind is not None and kind.width == 8 * total:
        return Shape(kind.text, kind, total, tuple(dimensions))
    if isinstance(inner, Record) and inner.bits == 8 * total and total:
        return _words(inner.name, total, align, tuple(dimensions))
    if size in (1, 2, 4, 8):
        return Shape(unsigned(8 * size).text, unsigned(8 * size), size)
    word = next(n for n in (8, 4, 2, 1) if size % n == 0 and align % n == 0) if size else 1
    return Shape(unsigned(8 * word).text, unsigned(8 * word), word, (max(1, size // word),))


def _words(name: str, size: int, align: int, dimensions: tuple[int, ...]) -> Shape:
    word = next(n for n in (8, 4, 2, 1) if size % n == 0 and align % n == 0)
    plain = re.sub(r"^(struct|union|class)\s+", "", name)
    plain = re.sub(r"\W", "_", plain, flags=re.ASCII).strip("_") or "record"
    type_name = f"{plain}_{size}" if plain[0].isalpha() else f"record_{size}"
    if name.startswith("pthread_") or name.endswith("_t"):
        type_name = plain
    body = f"typedef struct {{ {unsigned(8 * word).text} words[{size // word}]; }} {{name}};"
    return Shape(type_name, None, size, dimensions, body, word)


def scalar_kind(ctype: CType | None, pointer_bits: int) -> Kind | None:
    """The C type of a variable; floating-point numbers are kept as their bits."""
    match ctype:
        case Scalar(name="pthread_t") if ctype.bits in _UNSIGNED:
            return Kind(Sign.UNSIGNED, ctype.bits, "pthread_t")
        case Scalar(encoding=Encoding.SIGNED | Encoding.CHAR) if ctype.bits in _SIGNED:
            return Kind(Sign.SIGNED, ctype.bits)
        case Scalar() if ctype.bits in _UNSIGNED:
            return Kind(Sign.UNSIGNED, ctype.bits)
        case Enumeration() if ctype.bits in _UNSIGNED:
            return Kind(Sign.UNSIGNED, ctype.bits)
        case Pointer() if ctype.bits == pointer_bits:
            return Kind(Sign.POINTER, pointer_bits)
        case _:
            return None
