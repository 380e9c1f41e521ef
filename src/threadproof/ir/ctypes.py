"""C types as the debug information tells them: only for people (names of places, printing of values)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class Encoding(Enum):
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    BOOL = "bool"
    CHAR = "char"  # shown as a number and, if printable, as a character
    FLOAT = "float"


@dataclass(frozen=True, slots=True)
class Scalar:
    name: str
    bits: int
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Enumeration:
    name: str
    bits: int
    constants: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CPointer:
    """`target` is the pointee's name only: types may be cyclic, values of this module are not."""

    target: str
    bits: int


@dataclass(frozen=True, slots=True)
class CArray:
    element: CType
    count: int
    bits: int


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    offset_bits: int
    type: CType
    bits: int  # less than the type's for bit-fields


@dataclass(frozen=True, slots=True)
class CRecord:
    name: str  # "struct node", "union u"
    members: tuple[Member, ...]
    bits: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """void, functions, and whatever the debug information does not describe."""

    name: str
    bits: int = 0


CType = Scalar | Enumeration | CPointer | CArray | CRecord | Opaque


def type_name(ctype: CType) -> str:
    match ctype:
        case CPointer():
            return f"{ctype.target} *"
        case CArray():
            return f"{type_name(ctype.element)}[{ctype.count}]"
        case _:
            return ctype.name


def place(ctype: CType, offset: int, whole: frozenset[str] = frozenset()) -> tuple[str, CType | None]:
    """Path and type of the scalar at byte `offset`: `[2].next`. Members of unions: the first that fits.

    Records named in `whole` are not looked into.
    """
    match ctype:
        case CArray() if ctype.count and ctype.bits:
            size = ctype.bits // ctype.count // 8
            if size and 0 <= offset < size * ctype.count:
                path, found = place(ctype.element, offset % size, whole)
                return f"[{offset // size}]{path}", found
        case CRecord() if ctype.name in whole:
            return "", ctype
        case CRecord():
            for member in ctype.members:
                start, width = member.offset_bits // 8, max(8, member.bits)
                if start <= offset < (member.offset_bits + width + 7) // 8:
                    path, found = place(member.type, offset - start, whole)
                    return (f".{member.name}" if member.name else "") + path, found
        case _:
            if offset == 0:
                return "", ctype
    return (f"+{offset}" if offset else ""), None


def show_value(value: int, ctype: CType | None, bits: int) -> str:
    """A value the way a C programmer would write it."""
    match ctype:
        case Scalar(encoding=Encoding.FLOAT) if bits in (32, 64):
            import struct

            return repr(struct.unpack("<f" if bits == 32 else "<d", value.to_bytes(bits // 8, "little"))[0])
        case Scalar(encoding=Encoding.FLOAT) if bits == 80 and value >> 64 & 0x7FFF != 0x7FFF:
            return _extended(value)
        case Scalar(encoding=Encoding.UNSIGNED | Encoding.BOOL):
            return str(value)
        case Scalar(encoding=Encoding.CHAR) if 32 <= value < 127:
            return f"{value} '{chr(value)}'"
        case Enumeration():
            for name, constant in ctype.constants:
                if constant & ((1 << bits) - 1) == value:
                    return name
            return str(signed(value, bits))
        case CPointer():
            return "NULL" if value == 0 else hex(value)
        case _:
            return str(signed(value, bits))


def _extended(value: int) -> str:
    """A finite long double: as a double where that is the same number, else its digits in base 16."""
    sign, exponent, significand = "-" if value >> 79 else "", value >> 64 & 0x7FFF, value & ((1 << 64) - 1)
    power = max(exponent, 1) - 16383 - 63
    short = significand.bit_length() - (significand & -significand).bit_length() < 53
    if short and (not significand or -1000 < power + 63 < 1000):
        return sign + repr(math.ldexp(significand, power))
    return f"{sign}0x{significand:x}p{power}"


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if bits and value >> (bits - 1) & 1 else value
