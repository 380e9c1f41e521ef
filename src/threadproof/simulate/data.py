"""Typed data of a state: the bits of a variable, its parts, and how a C programmer would write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from threadproof.ir.ctypes import (
    CArray,
    CPointer,
    CRecord,
    CType,
    Encoding,
    Enumeration,
    Scalar,
    show_value,
    signed,
)
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.naming import Names
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import State
from threadproof.sync.objects import SYNC_TYPES

MAX_ELEMENTS = 8
THREAD_TYPES = ("pthread_t", "thrd_t")


@dataclass(frozen=True, slots=True)
class Datum:
    """`bits` bits of content, least significant first; `unknown` has ones where nothing was chosen yet."""

    content: int
    unknown: int
    bits: int
    ctype: CType | None
    address: int | None = None  # None: it lives in a register

    def part(self, offset: int, bits: int, ctype: CType | None) -> Datum:
        mask = (1 << bits) - 1
        where = None if self.address is None else self.address + offset // 8
        return Datum(self.content >> offset & mask, self.unknown >> offset & mask, bits, ctype, where)

    def member(self, name: str) -> Datum | None:
        """A member by name, looking through anonymous structures and unions."""
        if not isinstance(self.ctype, CRecord):
            return None
        for member in self.ctype.members:
            if member.name == name:
                return self.part(member.offset_bits, member.bits, member.type)
            if not member.name:
                found = self.part(member.offset_bits, member.bits, member.type).member(name)
                if found is not None:
                    return found
        return None

    def element(self, index: int) -> Datum | None:
        if not isinstance(self.ctype, CArray) or not 0 <= index < self.ctype.count:
            return None
        size = self.ctype.bits // self.ctype.count
        return self.part(index * size, size, self.ctype.element)

    def number(self) -> int | float | None:
        """The value as C computes with it; None for aggregates and while it is arbitrary."""
        if self.unknown or isinstance(self.ctype, CArray | CRecord):
            return None
        match self.ctype:
            case Scalar(encoding=Encoding.FLOAT) if self.bits in (32, 64):
                return float(show_value(self.content, self.ctype, self.bits))
            case Scalar(encoding=Encoding.FLOAT):
                return None  # wider than what Python computes with
            case Scalar(encoding=Encoding.UNSIGNED | Encoding.BOOL) | CPointer():
                return self.content
            case _:
                return signed(self.content, self.bits)


def read(view: MemoryView, address: int, bits: int, ctype: CType | None) -> Datum | None:
    """What lies at an address now; None if nothing does."""
    size = (bits + 7) // 8
    try:
        data, mask = view.raw(view.find(address), address, size)
    except (Trap, Unsupportable):
        return None
    unknown = 0 if mask is None else int.from_bytes(bytes(0xFF if m else 0 for m in mask), "little")
    return Datum(int.from_bytes(data, "little"), unknown, bits, ctype, address)


def is_scalar(datum: Datum) -> bool:
    return datum.ctype is not None and not isinstance(datum.ctype, CArray | CRecord)


def part_at(datum: Datum, offset: int, accept: Callable[[Datum], bool]) -> Datum | None:
    """The outermost part that begins at bit `offset` and is accepted."""
    if offset == 0 and accept(datum):
        return datum
    match datum.ctype:
        case CArray(count=count, bits=bits) if count and bits:
            size = bits // count
            element = datum.element(offset // size)
            return None if element is None else part_at(element, offset % size, accept)
        case CRecord(members=members):
            for member in members:
                if member.offset_bits <= offset < member.offset_bits + member.bits:
                    inner = datum.part(member.offset_bits, member.bits, member.type)
                    found = part_at(inner, offset - member.offset_bits, accept)
                    if found is not None:
                        return found
            return None
        case _:
            return None


def is_sync(ctype: CType | None) -> bool:
    return ctype is not None and not isinstance(ctype, CPointer | CArray) and ctype.name in SYNC_TYPES


def holds_only_sync(ctype: CType | None) -> bool:
    return holds_only_sync(ctype.element) if isinstance(ctype, CArray) else is_sync(ctype)


def show(names: Names, state: State, datum: Datum) -> str:
    """`3`, `{1, 2}`, `{v = 3, next = NULL}`; `?` is a value that will be chosen when it is first read."""
    match datum.ctype:
        case CArray(count=count):
            return _array(names, state, datum, count)
        case CRecord() if not is_sync(datum.ctype):
            return "{" + ", ".join(_members(names, state, datum, datum.ctype)) + "}"
        case CRecord():
            return "(a lock)"
        case _ if datum.unknown:
            return "?"
        case Scalar(name=name) if name in THREAD_TYPES:
            return names.thread(state, datum.content) if datum.content else "0"
        case Scalar() | Enumeration() | CPointer():
            return names.value(state, datum.content, datum.ctype, datum.bits)
        case _:
            return hex(datum.content)


def _array(names: Names, state: State, datum: Datum, count: int) -> str:
    text = _text(datum, count)
    if text is not None:
        return text
    shown = [
        show(names, state, element)
        for index in range(min(count, MAX_ELEMENTS))
        if (element := datum.element(index)) is not None
    ]
    rest = [f"... {count} in all"] if count > MAX_ELEMENTS else []
    return "{" + ", ".join([*shown, *rest]) + "}"


def _text(datum: Datum, count: int) -> str | None:
    """Characters that are printable up to a zero read as a string."""
    element = datum.ctype.element if isinstance(datum.ctype, CArray) else None
    if not isinstance(element, Scalar) or element.encoding is not Encoding.CHAR or datum.unknown:
        return None
    data = datum.content.to_bytes(count, "little").split(b"\0")[0]
    return f'"{data.decode("ascii")}"' if data and all(32 <= byte < 127 for byte in data) else None


def _members(names: Names, state: State, datum: Datum, record: CRecord) -> Iterator[str]:
    for member in record.members[:MAX_ELEMENTS]:
        value = show(names, state, datum.part(member.offset_bits, member.bits, member.type))
        yield f"{member.name} = {value}" if member.name else value
    if len(record.members) > MAX_ELEMENTS:
        yield "..."
