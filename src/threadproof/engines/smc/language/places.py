"""From a variable through members, elements and pointers to the scalar a query reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language import syntax as s
from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, Encoding, Enumeration, Scalar, type_name
from threadproof.ir.program import Program


@dataclass(frozen=True, slots=True)
class QueryPlace:
    """Something with an address and a type; `title` is what the user wrote so far."""

    title: str
    base: e.Base
    offset: e.Term
    shift: int  # bits behind the byte at offset: bit-fields
    ctype: CType | None
    bits: int = 0  # of a bit-field


class Complains(Protocol):
    def fail(self, at: s.QuerySpan, why: str) -> Exception: ...

    def unknown(self, at: s.QuerySpan, what: str, asked: str, known: Iterable[str]) -> Exception: ...

    def term(self, expr: s.Expr) -> e.Term: ...


class Types:
    """Types by name, because a pointer knows only the name of what it points to; and the enumeration constants."""

    def __init__(self, program: Program) -> None:
        self.by_name: dict[str, CType] = {}
        self.constants: dict[str, int] = {}
        for variable in program.globals.values():
            self._add(variable.ctype)
        for function in program.functions.values():
            for local in function.variables.values():
                self._add(local.ctype)

    def _add(self, ctype: CType | None) -> None:
        if ctype is None:
            return
        self.by_name.setdefault(type_name(ctype), ctype)
        match ctype:
            case CArray():
                self._add(ctype.element)
            case CRecord():
                for member in ctype.members:
                    self._add(member.type)
            case Enumeration():
                self.constants.update(ctype.constants)
            case _:
                pass


def of_parts(who: Complains, types: Types, place: QueryPlace, parts: tuple[s.NamePart, ...], at: s.QuerySpan) -> e.Term:
    for part in parts:
        match part.kind:
            case s.PartKind.MEMBER:
                place = _member(who, place, part)
            case s.PartKind.ARROW:
                place = _member(who, _target(who, types, place, part), part)
            case s.PartKind.ELEMENT:
                place = _element(who, types, place, part)
            case s.PartKind.LOCAL:
                raise who.fail(part.at, "'::' comes directly after the function's name")
    return _scalar(who, place, at)


def _member(who: Complains, place: QueryPlace, part: s.NamePart) -> QueryPlace:
    if not isinstance(place.ctype, CRecord):
        hint = " (a pointer: write ->)" if isinstance(place.ctype, CPointer) else ""
        raise who.fail(part.at, f"{place.title} has no members{hint}")
    for member in place.ctype.members:
        if member.name == part.name:
            shift = member.offset_bits % 8
            return QueryPlace(
                f"{place.title}.{part.name}",
                place.base,
                _plus(place.offset, e.Num(member.offset_bits // 8)),
                shift,
                member.type,
                member.bits,
            )
    raise who.unknown(
        part.at, f"member of {place.ctype.name}", part.name, [member.name for member in place.ctype.members]
    )


def _target(who: Complains, types: Types, place: QueryPlace, part: s.NamePart) -> QueryPlace:
    if not isinstance(place.ctype, CPointer):
        raise who.fail(part.at, f"{place.title} is no pointer")
    target = types.by_name.get(place.ctype.target)
    if target is None:
        raise who.fail(part.at, f"the type {place.ctype.target} that {place.title} points to is not known")
    return QueryPlace(f"(*{place.title})", e.PointerBase(_scalar(who, place, part.at)), e.Num(0), 0, target)


def _element(who: Complains, types: Types, place: QueryPlace, part: s.NamePart) -> QueryPlace:
    assert part.index is not None
    index = who.term(part.index)
    if e.is_float(index):
        raise who.fail(part.at, "an index is an integer")
    if isinstance(place.ctype, CPointer):
        place = _target(who, types, place, part)
        assert place.ctype is not None
        element, count = place.ctype, None
    elif isinstance(place.ctype, CArray):
        element, count = place.ctype.element, place.ctype.count
    else:
        raise who.fail(part.at, f"{place.title} is no array")
    if count is not None and isinstance(index, e.Num) and not 0 <= index.value < count:
        raise who.fail(part.at, f"{place.title} has {count} elements, 0 to {count - 1}")
    size = element.bits // 8
    title = f"{place.title}[{index.value if isinstance(index, e.Num) else '...'}]"
    return replace(place, title=title, offset=_plus(place.offset, _times(index, size)), ctype=element, bits=0)


def _scalar(who: Complains, place: QueryPlace, at: s.QuerySpan) -> e.Term:
    match place.ctype:
        case Scalar():
            encoding = place.ctype.encoding
            if encoding is Encoding.FLOAT and place.ctype.bits not in (32, 64):
                raise who.fail(at, f"{place.title} is a {place.ctype.name}: only float and double can be read")
            if encoding is Encoding.CHAR:  # the debug information's one word for both kinds
                encoding = Encoding.UNSIGNED if place.ctype.name.startswith("u") else Encoding.SIGNED
        case Enumeration():
            encoding = Encoding.SIGNED
        case CPointer():
            encoding = Encoding.UNSIGNED
        case CArray():
            raise who.fail(
                at, f"{place.title} is an array of {place.ctype.count} elements: say which one, as in {place.title}[0]"
            )
        case CRecord():
            names = ", ".join(member.name for member in place.ctype.members)
            raise who.fail(at, f"{place.title} is a {place.ctype.name}: say which member ({names})")
        case _:
            raise who.fail(at, f"the type of {place.title} is not known")
    return e.Mem(place.base, place.offset, place.shift, place.bits or place.ctype.bits, encoding)


def _plus(left: e.Term, right: e.Term) -> e.Term:
    if isinstance(left, e.Num) and isinstance(right, e.Num):
        return e.Num(left.value + right.value)
    return e.Bin("+", left, right)


def _times(index: e.Term, size: int) -> e.Term:
    return e.Num(index.value * size) if isinstance(index, e.Num) else e.Bin("*", index, e.Num(size))
