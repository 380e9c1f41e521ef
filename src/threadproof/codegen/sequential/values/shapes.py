"""C declarations of memory objects: integers, pointers and arrays of them as in the source, records with the names of
their members where these are known, all else as plain words. Types are written with the sizes of the data model."""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadproof.codegen.sequential.values.records import RecordField, declaration, fields
from threadproof.codegen.sequential.values.scalars import CKind, scalar_kind, unsigned
from threadproof.ir.ctypes import CArray, CRecord, CType


@dataclass(frozen=True, slots=True)
class CShape:
    """An object of C: an element type, and the sizes of the array around it."""

    type: str  # of the element
    element: CKind | None  # None: words, only accessed by address
    element_size: int
    dimensions: tuple[int, ...] = ()
    typedef: str = ""  # what declares the type, if it is not a basic one
    word: int = 1  # bytes of the words of a record
    fields: tuple[RecordField, ...] = ()  # the members of a record, if they are known

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


def shape(ctype: CType | None, size: int, align: int, pointer_bits: int) -> CShape:
    dimensions: list[int] = []
    inner = ctype
    while isinstance(inner, CArray) and inner.count and inner.bits:
        dimensions.append(inner.count)
        inner = inner.element
    total = size
    for count in dimensions:
        total //= count
    kind = scalar_kind(inner, pointer_bits)
    if kind is not None and kind.width == 8 * total:
        return CShape(kind.text, kind, total, tuple(dimensions))
    if isinstance(inner, CRecord) and inner.bits == 8 * total and total:
        return _record(inner, total, align, tuple(dimensions), pointer_bits)
    if size in (1, 2, 4, 8):
        return CShape(unsigned(8 * size).text, unsigned(8 * size), size)
    word = next(n for n in (8, 4, 2, 1) if size % n == 0 and align % n == 0) if size else 1
    return CShape(unsigned(8 * word).text, unsigned(8 * word), word, (max(1, size // word),))


def _record(record: CRecord, size: int, align: int, dimensions: tuple[int, ...], pointer_bits: int) -> CShape:
    plain = re.sub(r"^(struct|union|class)\b\s*", "", record.name)
    plain = re.sub(r"\W", "_", plain, flags=re.ASCII).strip("_") or "record"
    known = fields(record, pointer_bits)
    if known:
        return CShape(plain, None, size, dimensions, declaration(known, size), fields=known)
    word = next(n for n in (8, 4, 2, 1) if size % n == 0 and align % n == 0)
    body = f"typedef struct {{ {unsigned(8 * word).text} words[{size // word}]; }} {{name}};"
    return CShape(plain, None, size, dimensions, body, word)
