"""Records with the names of their members, where a compiler lays them out like the original's.

Invariants: every member has its offset and every record its size; the text asserts both. Unions, bit-fields and
whatever else does not fit have no members here, and their accesses go by offset.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from threadproof.codegen.sequential.values.scalars import CKind, scalar_kind, unsigned
from threadproof.ir.ctypes import CArray, CRecord, Encoding, Member, Scalar
from threadproof.sync.operations import MUTEX_FIELDS

_MACROS = frozenset(["ALL", "MEETS", "ANYTHING", "KEYS", "abort", "unix", "linux", "i386"])


class RecordField(NamedTuple):
    """A member: one value, or several of a kind."""

    name: str
    offset: int
    kind: CKind
    length: int | None  # of an array

    @property
    def step(self) -> int:
        return self.kind.width // 8

    @property
    def size(self) -> int:
        return self.step * (1 if self.length is None else self.length)

    @property
    def declaration(self) -> str:
        space = "" if self.kind.text.endswith("*") else " "
        return f"{self.kind.text}{space}{self.name}{'' if self.length is None else f'[{self.length}]'};"


_NONE = RecordField("", -1, unsigned(8), None)
"""For what is no member of its own: it fits nowhere."""


def fields(record: CRecord, pointer_bits: int) -> tuple[RecordField, ...]:
    """The members with what lies between them; none if a compiler would lay them out in another way."""
    found = tuple(_fields(_with_state(record, pointer_bits), pointer_bits))
    return found if found and _fits(found, record.bits // 8, pointer_bits) else ()


def _with_state(record: CRecord, pointer_bits: int) -> CRecord:
    """A mutex is what the operations on it make of its words."""
    if record.name != "pthread_mutex_t":
        return record
    number = Scalar("unsigned int", 32, Encoding.UNSIGNED)
    offsets = [(f.name, f.offset64 if pointer_bits == 64 else f.offset32) for f in MUTEX_FIELDS]
    return CRecord(record.name, tuple(Member(name, 8 * at, number, 32) for name, at in offsets), record.bits)


def _fields(record: CRecord, pointer_bits: int) -> Iterator[RecordField]:
    end = 0
    for member in record.members:
        if member.offset_bits % 8 or member.bits % 8 or member.bits != member.type.bits or member.name in _MACROS:
            yield _NONE
            return
        offset = member.offset_bits // 8
        field = _field(member, offset, pointer_bits)
        if offset < end or not field.size:
            yield _NONE
            return
        if offset > _aligned(end, _alignment(field, pointer_bits)):
            yield RecordField(f"gap_{end}", end, unsigned(8), offset - end)
        yield field
        end = offset + field.size
    if _aligned(end, 8) < record.bits // 8:
        yield RecordField(f"gap_{end}", end, unsigned(8), record.bits // 8 - end)


def _field(member: Member, offset: int, pointer_bits: int) -> RecordField:
    """Arrays of numbers as such; other members as words."""
    name = member.name or f"part_{offset}"
    kind = scalar_kind(member.type, pointer_bits)
    if kind is not None:
        return RecordField(name, offset, kind, None)
    if isinstance(member.type, CArray):
        kind = scalar_kind(member.type.element, pointer_bits)
        if kind is not None and kind.width * member.type.count == member.bits:
            return RecordField(name, offset, kind, member.type.count)
    size = member.bits // 8
    word = next(n for n in (8, 4, 2, 1) if offset % n == 0 and size % n == 0)
    return RecordField(name, offset, unsigned(8 * word), size // word)


def _alignment(field: RecordField, pointer_bits: int) -> int:
    """Machines of 32 bits align nothing to more than four bytes inside a record."""
    return min(field.step, 16 if pointer_bits == 64 else 4)


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _fits(found: tuple[RecordField, ...], size: int, pointer_bits: int) -> bool:
    end, most = 0, 1
    for field in found:
        alignment = _alignment(field, pointer_bits)
        if _aligned(end, alignment) != field.offset:
            return False
        end, most = field.offset + field.size, max(most, alignment)
    return _aligned(end, most) == size


def declaration(found: tuple[RecordField, ...], size: int) -> str:
    """A type definition, with `{name}` for its name, and a line with what it relies on."""
    named = [field for field in found if field.offset and not field.name.startswith("gap_")]
    offsets = [f"__builtin_offsetof({{name}}, {field.name}) == {field.offset}" for field in named]
    body = " ".join(field.declaration for field in found)
    relies = " && ".join([f"sizeof({{name}}) == {size}", *offsets])
    return f'typedef struct {{ {body} }} {{name}};\n_Static_assert({relies}, "as in the original");'
