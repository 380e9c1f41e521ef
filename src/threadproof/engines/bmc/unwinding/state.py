"""One thread at one point of its unwinding, and how paths meet again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.unwinding.events import Cell, Clock, UnwoundEvent
from threadproof.engines.bmc.unwinding.guards import Guard, common_prefix, merged
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

Registers = dict[str, Term]

BLOCK = -1
"""The section that is an atomic block; others are named by the address of their mutex."""


@dataclass(frozen=True, slots=True)
class Cached:
    """A shared cell during a section in which nobody else can touch it; written back at the end if `dirty`."""

    section: int
    value: Term
    dirty: bool


@dataclass(slots=True)
class PathState:
    guard: Guard
    memory: dict[Cell, Term]  # cells only this thread writes; absent: as at first
    clock: Clock
    held: frozenset[int]
    sections: dict[int, UnwoundEvent] = field(
        default_factory=dict[int, UnwoundEvent]
    )  # the event each began with, in order
    cached: dict[Cell, Cached] = field(default_factory=dict[Cell, Cached])
    block: int = 0  # the atomic block it is in
    depth: int = 0

    def copy(self) -> PathState:
        return PathState(
            self.guard,
            dict(self.memory),
            dict(self.clock),
            self.held,
            dict(self.sections),
            dict(self.cached),
            self.block,
            self.depth,
        )


@dataclass(slots=True)
class Arrival:
    state: PathState
    registers: Registers


Fetch = Callable[[UnwoundEvent, Cell], Term]
"""The value of a cell when a section began."""
Flush = Callable[[PathState, int], None]
"""Ends the caching of a section."""


class Merging:
    def __init__(self, terms: Terms, initial: Mapping[Cell, Term], fetch: Fetch, flush: Flush) -> None:
        self._terms = terms
        self._initial = initial
        self._fetch = fetch
        self._flush = flush

    def merged(self, arrivals: list[Arrival], live: frozenset[str]) -> Arrival:
        """All paths that lead to one place as one; those that parted last meet first."""
        while len(arrivals) > 1:
            shared = [common_prefix(a.state.guard, b.state.guard) for a, b in pairwise(arrivals)]
            at = max(range(len(shared)), key=lambda index: (shared[index], index))
            arrivals[at : at + 2] = [self._pair(arrivals[at], arrivals[at + 1], live)]
        return arrivals[0]

    def _pair(self, a: Arrival, b: Arrival, live: frozenset[str]) -> Arrival:
        if a.state.depth != b.state.depth:
            raise CannotEncode("an atomic block that is left on one path only")
        self._agree(a.state, b.state)
        guard, first = merged(self._terms, a.state.guard, b.state.guard)
        registers: Registers = {}
        for name in live:
            x, y = a.registers.get(name), b.registers.get(name)
            if x is None or y is None:
                x = y = x or y
            if x is not None and y is not None:
                registers[name] = self._either(first, x, y)
        clock = {t: min(count, b.state.clock[t]) for t, count in a.state.clock.items() if t in b.state.clock}
        state = PathState(
            guard,
            self._memory(first, a.state.memory, b.state.memory),
            clock,
            a.state.held & b.state.held,
            a.state.sections,
            self._cached(first, a.state, b.state),
            a.state.block,
            a.state.depth,
        )
        return Arrival(state, registers)

    def _either(self, first: Term, x: Term, y: Term) -> Term:
        return x if x is y else self._terms.ite(first, x, y)

    def _memory(self, first: Term, a: dict[Cell, Term], b: dict[Cell, Term]) -> dict[Cell, Term]:
        memory = dict(a)
        for cell, y in b.items():
            x = a.get(cell)
            if x is not y:
                memory[cell] = self._terms.ite(first, self._initial[cell] if x is None else x, y)
        for cell, x in a.items():
            if cell not in b:
                memory[cell] = self._terms.ite(first, x, self._initial[cell])
        return memory

    def _agree(self, a: PathState, b: PathState) -> None:
        """Sections that did not begin with the same event end where paths meet."""
        for section in [s for s in (*a.sections, *b.sections) if a.sections.get(s) is not b.sections.get(s)]:
            for state in (a, b):
                if section in state.sections:
                    if section == BLOCK:
                        raise CannotEncode("atomic blocks that meet")
                    self._flush(state, section)

    def _cached(self, first: Term, a: PathState, b: PathState) -> dict[Cell, Cached]:
        cached: dict[Cell, Cached] = {}
        for cell in dict.fromkeys((*a.cached, *b.cached)):
            x, y = a.cached.get(cell), b.cached.get(cell)
            section = (x or y).section  # type: ignore[union-attr]
            if x is not None and y is not None and x.section != y.section:
                raise CannotEncode("a cell that two locks protect in turn")
            old = None if x is not None and y is not None else self._fetch(a.sections[section], cell)
            one = x.value if x is not None else old
            two = y.value if y is not None else old
            assert one is not None
            assert two is not None
            dirty = (x is not None and x.dirty) or (y is not None and y.dirty)
            cached[cell] = Cached(section, self._either(first, one, two), dirty)
        return cached
