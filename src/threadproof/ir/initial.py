"""Initial values of globals, in the notation of C initialisers.

The image is bytes and relocations; the C type, where the debug information gives one, says how to read them.
Long runs are cut: this is for people, the bytes themselves are in the program.
"""

from __future__ import annotations

from threadproof.ir.ctypes import (
    CArray,
    CPointer,
    CRecord,
    CType,
    Encoding,
    Enumeration,
    Member,
    Opaque,
    Scalar,
    show_value,
)
from threadproof.ir.program import GlobalVar, Relocation

_ITEMS = 8
_CHARS = 40
_ESCAPES = {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


def show_initial(variable: GlobalVar) -> str:
    image = variable.image[: variable.size].ljust(variable.size, b"\0")
    relocations = {relocation.offset: relocation for relocation in variable.relocations}
    return _value(image, relocations, 0, variable.ctype)


def _value(image: bytes, relocations: dict[int, Relocation], start: int, ctype: CType | None) -> str:
    """The value that `image` holds; `start` is its offset in the whole object, for the relocations."""
    single = isinstance(ctype, Scalar | Enumeration | CPointer)
    if not single and not any(image) and not _inside(relocations, start, len(image)):
        return "zeros"
    match ctype:
        case Scalar() | Enumeration() | CPointer():
            if start in relocations:
                return _reference(relocations[start])
            size = ctype.bits // 8
            number = int.from_bytes(image[:size], "little")
            return show_value(number, ctype, ctype.bits)
        case CArray(element=Scalar(bits=8, encoding=Encoding.CHAR)):
            return _string(image)
        case CArray(count=count, bits=bits) if count and bits // count >= 8:
            size = bits // count // 8
            offsets = range(0, min(len(image), count * size), size)
            last = _last_interesting(image, relocations, start, size)
            shown = [o for o in offsets if o <= last][:_ITEMS]
            items = [_value(image[o : o + size], relocations, start + o, ctype.element) for o in shown]
            rest = "... {} more" if last >= len(shown) * size else "{} x 0"
            return _braces(items, len(offsets) - len(shown), rest)
        case CRecord():
            members = _apart(ctype.members)
            items = [f".{m.name} = {_member(image, relocations, start, m)}" for m in members[:_ITEMS]]
            return _braces(items, len(members) - len(items), "... {} more")
        case CArray() | Opaque() | None:
            return _raw(image, relocations, start)


def _apart(members: tuple[Member, ...]) -> list[Member]:
    """Of members that share bytes, as in a union, the first."""
    chosen, end = list[Member](), 0
    for member in members:
        if member.offset_bits >= end:
            chosen.append(member)
            end = member.offset_bits + member.bits
    return chosen


def _inside(relocations: dict[int, Relocation], start: int, size: int) -> list[int]:
    """Offsets of the relocations in that part of the object."""
    return [offset for offset in sorted(relocations) if start <= offset < start + size]


def _member(image: bytes, relocations: dict[int, Relocation], start: int, member: Member) -> str:
    ctype, bits = member.type, member.bits
    if isinstance(ctype, Scalar | Enumeration) and (member.offset_bits % 8 or bits < ctype.bits):
        number = int.from_bytes(image, "little") >> member.offset_bits & ((1 << bits) - 1)
        return show_value(number, ctype, bits)
    offset = member.offset_bits // 8
    return _value(image[offset : offset + (bits + 7) // 8], relocations, start + offset, ctype)


def _last_interesting(image: bytes, relocations: dict[int, Relocation], start: int, size: int) -> int:
    """Offset of the last element that is not zero: what follows need not be listed."""
    pointers = [offset - start for offset in _inside(relocations, start, len(image))]
    return max(0, len(image.rstrip(b"\0")) - 1, *pointers) // size * size


def _braces(items: list[str], left_out: int, rest: str) -> str:
    """`rest` says what was left out, with a place for how many."""
    return "{" + ", ".join([*items, rest.format(left_out)] if left_out else items) + "}"


def _string(image: bytes) -> str:
    text = image.rstrip(b"\0")
    shown = "".join(_ESCAPES.get(b, chr(b) if 32 <= b < 127 else f"\\x{b:02x}") for b in text[:_CHARS])
    return f'"{shown}"' + ("..." if len(text) > _CHARS else "")


def _raw(image: bytes, relocations: dict[int, Relocation], start: int) -> str:
    inside = _inside(relocations, start, len(image))
    pointers = [f"+{offset - start}: {_reference(relocations[offset])}" for offset in inside]
    if len(image) in (1, 2, 4, 8) and not pointers:
        return str(int.from_bytes(image, "little"))
    data = f"{image[: 2 * _ITEMS].hex(' ')}{' ...' if len(image) > 2 * _ITEMS else ''}"
    return "{" + ", ".join([f"bytes {data}", *pointers[:_ITEMS]]) + "}"


def _reference(relocation: Relocation) -> str:
    if not relocation.addend:
        return f"&{relocation.target}"
    return f"&{relocation.target} {'+' if relocation.addend > 0 else '-'} {abs(relocation.addend)}"
