"""The formula of an unwound program, made on demand: only what a question depends on.

A question is a term; the axioms of the reads it mentions bring in other reads, and so on. Exclusion of sections and
the order come with it. Leaving out reads that nothing depends on leaves out no execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order.exclusion import exclusion, slots
from threadproof.engines.bmc.order.known_ranges import KnownRanges
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.partly import waits_for_stores
from threadproof.engines.bmc.order.reads import Reads
from threadproof.engines.bmc.order.symmetry import firsts
from threadproof.engines.bmc.unwinding.events import Cell, CellPart, UnwoundEvent
from threadproof.engines.bmc.unwinding.world import Ends, Unwound
from threadproof.smt.term import Op, Term, in_order


class Formula:
    def __init__(self, world: Unwound) -> None:
        self.world = world
        self.order = EventOrder(world, slots(world))
        self.reads = Reads(world, self.order)
        self._reads: dict[Term, CellPart] = {}
        self._seen: set[Term] = set()
        self._asserted: set[Term] = set()
        self._began = False
        self._symmetric: list[tuple[UnwoundEvent, UnwoundEvent]] | None = None
        self._definitions: dict[Term, list[Term]] = {}
        self.ranges: KnownRanges = KnownRanges(world)
        for thread in world.threads.values():
            for event in thread.events:
                for part in event.reads:
                    if part.value.op is Op.VAR and part.value.name.startswith("r."):
                        self._reads[part.value] = part
        for definition in world.definitions:
            for variable in in_order((definition,)):
                if variable.op is Op.VAR:
                    self._definitions.setdefault(variable, []).append(definition)

    def again(self) -> Formula:
        """The same formula with nothing asserted yet; pairs of events that were asked about stay known."""
        fresh = Formula(self.world)
        fresh.order.knows(self.order)
        fresh._symmetric = self._symmetric = self._firsts()
        fresh.ranges = self.ranges
        return fresh

    def _firsts(self) -> list[tuple[UnwoundEvent, UnwoundEvent]]:
        if self._symmetric is None:
            treats_alike = not self.world.heap and self.world.bounds.ends is Ends.NOTHING
            self._symmetric = list(firsts(self.world)) if treats_alike else []
        return self._symmetric

    def needed(self, roots: Iterable[Term]) -> Iterator[Term]:
        """What must be asserted besides, that was not yet."""
        work = list(roots)
        if not self._began:
            self.ranges.look(self.order, self._cells(work))
            self._began = True
            apart = self._new(exclusion(self.world, self.order))
            apart += self._new(self.order.before(a, b) for a, b in self._firsts())
            apart += self._new(
                self.world.terms.implies(when, self.order.before(a, b)) for when, a, b in self.world.demands
            )
            if self.world.model is not MemoryModel.SC:
                apart += self._new(waits_for_stores(self.world, self.order))
            yield from apart
            work.extend(apart)
        while work:
            fresh: list[Term] = []
            for variable in in_order(work, self._seen):
                self._seen.add(variable)
                if variable.op is Op.VAR:
                    fresh.extend(self._new(self._definitions.get(variable, ())))
                    part = self._reads.get(variable)
                    if part is not None:
                        fresh.extend(self._new(self._axioms(part)))
            yield from fresh
            work = fresh
        yield from self._new(self.order.axioms())

    def known(self, roots: Iterable[Term]) -> list[Term]:
        """What is known of the values of the reads that the roots themselves mention; nothing else is asserted."""
        roots = list(roots)
        self.ranges.look(self.order, self._cells(roots))
        found: list[Term] = []
        seen: set[Term] = set()
        while roots:
            variables = [v for v in in_order(roots, seen) if v.op is Op.VAR]
            seen.update(variables)
            roots = [definition for v in variables for definition in self._definitions.get(v, ())]
            for part in (self._reads[v] for v in variables if v in self._reads):
                found.extend(self.ranges.of(self.world.terms, part)[0])
        return found

    def _axioms(self, part: CellPart) -> list[Term]:
        known, narrow = self.ranges.of(self.world.terms, part)
        return known if not narrow else [*known, *self.reads.axioms(part)]

    def _cells(self, roots: Iterable[Term]) -> set[Cell]:
        """Of all reads that the roots depend on, through whatever is written there and whether it is."""
        written: dict[Cell, list[Term]] = {}
        for thread in self.world.threads.values():
            for event in thread.events:
                for part in event.writes:
                    written.setdefault(part.cell, []).extend((part.value, part.when, *event.guard))
        found: set[Cell] = set()
        seen: set[Term] = set()
        work = list(roots)
        while work:
            variables = [v for v in in_order(work, seen) if v.op is Op.VAR]
            work = [definition for v in variables for definition in self._definitions.get(v, ()) if v not in seen]
            seen.update(variables)
            fresh = {self._reads[v].cell for v in variables if v in self._reads} - found
            found |= fresh
            work.extend(term for cell in fresh for term in written.get(cell, ()))
        return found

    def _new(self, clauses: Iterable[Term]) -> list[Term]:
        found: list[Term] = []
        for clause in clauses:
            if clause not in self._asserted and clause is not self.world.terms.true:
                self._asserted.add(clause)
                found.append(clause)
        return found
