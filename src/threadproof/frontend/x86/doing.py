"""One instruction being carried out, and what a row of the tables says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.memory import load, store
from threadproof.frontend.x86.text import Place
from threadproof.ir.expr import Expr

SIZES = {"b": 8, "w": 16, "l": 32, "q": 64}


@dataclass(frozen=True, slots=True)
class Doing:
    """One instruction being carried out."""

    m: X86Machine
    lock: bool
    width: int
    places: tuple[Place, ...]

    def value(self, place: Place) -> Expr:
        if self.m.in_memory(place):
            return load(self.m, place, self.width)
        return self.m.get(place, self.width)

    def put(self, place: Place, value: Expr) -> None:
        if self.m.in_memory(place):
            store(self.m, place, value)
        else:
            self.m.put(place, value)


Row = tuple[bool, tuple[int, ...], Callable[[Doing], None]]
"""Whether it may be locked, numbers of operands, meaning."""
