"""Which cells an address can mean.

An address with few possible values means those. Otherwise its object is known by its constant part and its elements
are told apart by what the variable part is a multiple of; whatever lies in the object but at none of them is
unsupported, and whatever lies outside is an invalid access, so a wrong guess here can only lose an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from threadproof.encoding.encoded import Zone
from threadproof.engines.bmc.unwinding.objects import UnwoundObject, UnwoundObjects
from threadproof.engines.bmc.unwinding.values import ValueSets
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

ELEMENTS = 300
"""More elements of one array than this are not told apart."""


@dataclass(frozen=True, slots=True)
class Target:
    object: UnwoundObject
    offset: int
    when: Term


@dataclass(frozen=True, slots=True)
class Targets:
    found: list[Target]
    invalid: Term  # the address is in no object, or too near to its end
    unclear: Term  # in an object, but at none of the targets; or not known at all
    beyond: Term  # in a block of unknown size, further than it is looked at


class TargetPlaces:
    def __init__(self, terms: Terms, objects: UnwoundObjects, values: ValueSets) -> None:
        self._terms = terms
        self._objects = objects
        self._values = values
        self._owners: dict[Term, frozenset[UnwoundObject]] = {}
        self._targets: dict[tuple[Term, int], Targets] = {}
        self._count = 0  # of objects when these were found

    def _look_around(self) -> None:
        """What was found before there were more objects is found anew."""
        if self._count != len(self._objects):
            self._count = len(self._objects)
            self._targets.clear()
            self._owners.clear()

    def targets(self, address: Term, size: int) -> Targets:
        self._look_around()
        found = self._targets.get((address, size))
        if found is None:
            found = self._targets[address, size] = self._found_targets(address, size)
        return found

    def _found_targets(self, address: Term, size: int) -> Targets:
        numbers = self._values.of(address)
        if numbers is None:
            return self._elements(address, size)
        terms, found, invalid, beyond = self._terms, list[Target](), list[Term](), list[Term]()
        for number in sorted(numbers):
            when = terms.true if len(numbers) == 1 else terms.eq(address, terms.bv(number, address.width))
            owner = self._objects.near(number)
            if owner is not None and owner.extent is not None and number >= owner.start:
                end = number - owner.start + size
                inside = terms.ule(terms.bv(end, owner.extent.width), owner.extent)
                invalid.append(terms.and_(when, terms.not_(inside)))
                if end > owner.size:
                    beyond.append(terms.and_(when, inside))
                else:
                    found.append(Target(owner, number - owner.start, when))
            elif owner is None or not owner.start <= number <= owner.start + owner.size - size:
                invalid.append(when)
            else:
                found.append(Target(owner, number - owner.start, when))
        return Targets(found, terms.any(invalid), terms.false, terms.any(beyond))

    def _elements(self, address: Term, size: int) -> Targets:
        terms, width = self._terms, address.width
        found: list[Target] = []
        inside: list[Term] = []
        beyond: list[Term] = []
        modulus, remainder = _congruence(address)
        owners = sorted(self.owners(address), key=lambda owner: owner.start)
        for owner in owners:
            offsets = [o for o in _multiples(owner, modulus, remainder) if o <= owner.size - size]
            if len(offsets) > ELEMENTS:
                return Targets([], terms.false, terms.true, terms.false)
            for offset in offsets:
                when = terms.eq(address, terms.bv(owner.start + offset, width))
                found.append(Target(owner, offset, when))
            last = terms.bv(owner.start + owner.size - size, width)
            from_start = terms.ule(terms.bv(owner.start, width), address)
            if owner.extent is not None:
                fits = terms.ule(terms.bv(size, width), owner.extent)
                end = terms.add(terms.bv(owner.start - size, width), owner.extent)
                whole = terms.and_(from_start, fits, terms.ule(address, end))
                beyond.append(terms.and_(whole, terms.ult(last, address)))
                inside.append(whole)
            else:
                inside.append(terms.and_(from_start, terms.ule(address, last)))
        somewhere = terms.any(inside) if owners else terms.true
        hit = terms.any((*(target.when for target in found), *beyond))
        unclear = terms.and_(somewhere, terms.not_(hit))
        return Targets(found, terms.not_(somewhere), unclear, terms.any(beyond))

    def zones(self, base: Term) -> list[Zone]:
        """The objects a pointer may point to or near to."""
        terms, width = self._terms, base.width
        return [
            Zone(terms.true, terms.bv(owner.start, width), owner.extent or terms.bv(owner.size, width))
            for owner in sorted(self.owners(base), key=lambda owner: owner.start)
        ]

    def owners(self, term: Term) -> frozenset[UnwoundObject]:
        """Objects that the constants in an address are addresses of."""
        self._look_around()
        found = self._owners.get(term)
        if found is None:
            found = self._owners[term] = frozenset(self._found_owners(term))
        return found

    def _found_owners(self, term: Term) -> set[UnwoundObject]:
        numbers = self._values.of(term)
        if numbers is not None:
            return {owner for number in numbers if (owner := self._objects.near(number)) is not None}
        owners: set[UnwoundObject] = set()
        match term.op:
            case Op.ITE:
                owners |= self.owners(term.args[1]) | self.owners(term.args[2])
            case Op.ADD | Op.SUB | Op.BVAND | Op.BVOR:
                for arg in term.args:
                    owners |= self.owners(arg)
            case _:
                pass
        return owners


def _congruence(term: Term) -> tuple[int, int]:
    """(m, r): the value is r modulo m, as long as nothing wraps; m = 0: it is r."""
    match term.op:
        case Op.VALUE:
            return 0, term.value
        case Op.ADD:
            (m, r), (n, s) = _congruence(term.args[0]), _congruence(term.args[1])
            return gcd(m, n), r + s
        case Op.MUL:
            (m, r), (n, s) = _congruence(term.args[0]), _congruence(term.args[1])
            return gcd(gcd(m * n, m * s), n * r), r * s
        case Op.SHL if term.args[1].op is Op.VALUE and term.args[1].value < 64:
            m, r = _congruence(term.args[0])
            return m << term.args[1].value, r << term.args[1].value
        case Op.CONCAT if term.args[1].op is Op.VALUE:
            low = term.args[1]
            return 1 << low.width, low.value
        case Op.ITE:
            (m, r), (n, s) = _congruence(term.args[1]), _congruence(term.args[2])
            return gcd(gcd(m, n), abs(r - s)), r
        case _:
            return 1, 0


def _multiples(owner: UnwoundObject, modulus: int, remainder: int) -> range:
    if not modulus:
        modulus = 1
    first = (remainder - owner.start) % modulus
    return range(first, owner.size, modulus)
