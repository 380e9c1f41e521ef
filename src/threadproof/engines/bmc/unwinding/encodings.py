"""Encoded expressions, kept over all rounds of an unwinding: most are asked for again with the same operands.

What an expression comes to depends on the terms in its registers, the thread's base of thread-local storage, and the
objects that the bases of its pointer additions may point to; these are the key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.encoding.encoded import Encoded, Environment, Zone
from threadproof.encoding.expressions import value
from threadproof.engines.bmc.unwinding.objects import UnwoundObject
from threadproof.engines.bmc.unwinding.places import TargetPlaces
from threadproof.engines.bmc.unwinding.state import Registers
from threadproof.ir.expr import Expr, PtrAdd, TlsRef, registers, walk
from threadproof.ir.layout import Layout
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

Encode = Callable[[Terms, Environment, Expr], Encoded]
_Key = tuple[Term | frozenset[UnwoundObject], ...]


@dataclass(slots=True, eq=False)
class _Shape:
    """What an expression depends on, and what it came to before. It holds the expression: numbers of objects
    (`id`) are used again once nobody does."""

    expr: Expr
    registers: tuple[str, ...]
    bases: tuple[Expr, ...]
    tls: bool
    known: dict[tuple[Encode, _Key], Encoded]


class Encodings:
    def __init__(self, terms: Terms, layout: Layout) -> None:
        self._terms = terms
        self._layout = layout
        self._shapes: dict[int, _Shape] = {}

    def encoded(self, how: Encode, expr: Expr, registers: Registers, tls: Term, places: TargetPlaces) -> Encoded:
        shape = self._shapes.get(id(expr))
        if shape is None:
            shape = self._shapes[id(expr)] = _shape(expr)
        key: _Key = tuple([registers[name] for name in shape.registers])
        if shape.tls:
            key = (*key, tls)
        if shape.bases:
            bases = [self.encoded(value, base, registers, tls, places).value for base in shape.bases]
            key = (*key, *map(places.owners, bases))
        found = shape.known.get((how, key))
        if found is None:
            found = how(self._terms, self._environment(registers, tls, places), expr)
            shape.known[how, key] = found
        return found

    def _environment(self, registers: Registers, tls: Term, places: TargetPlaces) -> Environment:
        def zones(base: Expr) -> list[Zone]:
            return places.zones(self.encoded(value, base, registers, tls, places).value)

        return Environment(self._layout, registers, tls, zones)


def _shape(expr: Expr) -> _Shape:
    parts = list(walk(expr))
    bases = dict.fromkeys(id(base) for base in map(_base, parts) if base is not None)
    by_id = {id(part): part for part in parts}
    tls = any(isinstance(part, TlsRef) for part in parts)
    return _Shape(expr, tuple(dict.fromkeys(registers(expr))), tuple(by_id[base] for base in bases), tls, {})


def _base(expr: Expr) -> Expr | None:
    """What the last of a row of pointer additions starts from."""
    if not isinstance(expr, PtrAdd):
        return None
    while isinstance(expr, PtrAdd):
        expr = expr.base
    return expr
