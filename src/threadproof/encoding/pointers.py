"""Pointer arithmetic: addresses of the fixed layout, with a case for every object the base may lie in or near to.

A pointer is its address; its object is the one whose zone (`ir.layout`) the address is in, as in
`semantics.memory.ptr_add`. That needs no second component of a pointer: casts, comparisons, unions and memcpy work on
the number they work on elsewhere, and "object and offset" is a case split where an object is asked for. Bases known
from the program text (a global, a local) fold to one case when the term is made.

Differs: the reference keeps a pointer far outside its object as a value apart. Here it is out of bounds if it is used
as an address at once, and unsupported otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from threadproof.encoding.encoded import EncodedTrap, NotEncoded, Zone
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.layout import AddressPlan
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

_FAR = NotEncoded("a pointer far outside its object")
_STRAY = NotEncoded("arithmetic on a pointer to no object")


class Far(Enum):
    """What becomes of a pointer far outside its object."""

    REFUSED = "refused"
    OUT_OF_BOUNDS = "out of bounds"


@dataclass(frozen=True, slots=True)
class MovedPointer:
    """Where a pointer points after arithmetic: `address`, unless one of the conditions holds."""

    address: Term
    far: Term  # further from its object than half a red zone
    from_null: Term  # from no object, a null pointer say, to where objects are
    stray: Term  # several additions to a pointer to no object, one of which might have met one


def far_pointer(where: MovedPointer, far: Far) -> Iterator[EncodedTrap]:
    used = far is Far.OUT_OF_BOUNDS
    yield EncodedTrap(where.stray, _STRAY)
    yield EncodedTrap(where.far, UndefinedKind.OUT_OF_BOUNDS if used else _FAR)
    yield EncodedTrap(where.from_null, UndefinedKind.NULL_DEREFERENCE if used else _FAR)


def moved(terms: Terms, plan: AddressPlan, zones: Sequence[Zone], base: Term, offsets: list[Term]) -> MovedPointer:
    """`base` moved by signed offsets, one after the other."""
    width = base.width
    room = max([width, *(offset.width for offset in offsets)]) + 2 + len(offsets).bit_length()  # no sum overflows
    wide = terms.zext(base, room)
    partial, address = [wide], base
    for offset in offsets:
        partial.append(terms.add(partial[-1], terms.sext(offset, room)))
        address = terms.add(address, _fitted(terms, offset, width))
    near: list[Term] = []
    far: list[Term] = []
    for zone in zones:
        near.append(terms.and_(zone.exists, _within(terms, plan, zone, wide)))
        far.append(terms.and_(near[-1], terms.not_(_within(terms, plan, zone, partial[-1]))))
    nowhere = terms.not_(terms.any(near))
    from_null, stray = _from_nowhere(terms, plan, partial)
    return MovedPointer(address, terms.any(far), terms.and_(nowhere, from_null), terms.and_(nowhere, stray))


def _fitted(terms: Terms, offset: Term, width: int) -> Term:
    return terms.sext(offset, width) if offset.width <= width else terms.extract(offset, width - 1, 0)


def _within(terms: Terms, plan: AddressPlan, zone: Zone, wide: Term) -> Term:
    """start - half <= address < start + size + half"""
    half, room = plan.red_zone // 2, wide.width
    start = terms.zext(zone.start, room)
    low = terms.add(start, terms.bv(-half, room))
    high = terms.add(terms.add(start, terms.zext(zone.size, room)), terms.bv(half, room))
    return terms.and_(terms.sle(low, wide), terms.slt(wide, high))


def _from_nowhere(terms: Terms, plan: AddressPlan, partial: list[Term]) -> tuple[Term, Term]:
    """Arithmetic on a pointer to no object, given its value before and after each addition. First: a small number
    (null, say) that ends among the addresses of objects still points to none of them. Second: of several additions an
    earlier one may have wrapped around or met an object; then what the result points to is not known."""
    code, zero = terms.bv(plan.code, partial[0].width), terms.bv(0, partial[0].width)
    small = terms.slt(partial[0], code)
    beyond = terms.any(terms.sle(code, place) for place in partial[1:])
    wrapped = terms.any(terms.slt(place, zero) for place in partial[1:-1])
    several = terms.bool(len(partial) > 2)
    return terms.and_(small, beyond, terms.not_(wrapped)), terms.and_(several, terms.or_(terms.not_(small), wrapped))
