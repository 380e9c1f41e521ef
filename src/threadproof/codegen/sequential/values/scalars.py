"""C types of single values: integers and pointers. Floating-point numbers are kept as their bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from threadproof.codegen.sequential.refusal import NoC
from threadproof.ir.ctypes import CPointer, CType, Encoding, Enumeration, Scalar


class Sign(Enum):
    UNSIGNED = "unsigned"
    SIGNED = "signed"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True)
class CKind:
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


def unsigned(width: int) -> CKind:
    return CKind(Sign.UNSIGNED, width)


def scalar_kind(ctype: CType | None, pointer_bits: int) -> CKind | None:
    """The C type of a variable; floating-point numbers are kept as their bits."""
    match ctype:
        case Scalar(name="pthread_t") if ctype.bits in _UNSIGNED:
            return CKind(Sign.UNSIGNED, ctype.bits, "pthread_t")
        case Scalar(encoding=Encoding.SIGNED | Encoding.CHAR) if ctype.bits in _SIGNED:
            return CKind(Sign.SIGNED, ctype.bits)
        case Scalar() if ctype.bits in _UNSIGNED:
            return CKind(Sign.UNSIGNED, ctype.bits)
        case Enumeration() if ctype.bits in _UNSIGNED:
            return CKind(Sign.UNSIGNED, ctype.bits)
        case CPointer() if ctype.bits == pointer_bits:
            return CKind(Sign.POINTER, pointer_bits)
        case _:
            return None
