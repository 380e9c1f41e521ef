"""What a read sees: the last write to its cell before it.

If the writes a read may see are in a known order, the value is a choice between them along the order; else each write
has a literal for being the one, and no other write lies between (read-from and from-read; the order of writes is the
order of events). A load sees its own thread's stores before they reach memory (SPARC's value axiom).

Paper: J. Alglave, D. Kroening, M. Tautschnig, Partial Orders for Efficient Bounded Model Checking of Concurrent
Software, CAV 2013. Differs: total order instead of clocks, so coherence needs no literals; single writers need none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.unwinding.events import Cell, CellPart, UnwoundEvent
from threadproof.engines.bmc.unwinding.memory import Hidden
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term

CLAUSES = 1_500_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A write a read may see; None: what the cell holds at first."""

    part: CellPart | None
    happens: Term
    value: Term


class Reads:
    def __init__(self, world: Unwound, order: EventOrder) -> None:
        self._world = world
        self._terms = world.terms
        self._order = order
        self._writes: dict[Cell, list[CellPart]] = {}
        self._spent = 0
        for thread in world.threads.values():
            for event in thread.events:
                for part in event.writes:
                    self._writes.setdefault(part.cell, []).append(part)

    def happens(self, part: CellPart) -> Term:
        return self._terms.and_(self._terms.all(part.event.guard), part.when)

    def axioms(self, read: CellPart) -> Iterator[Term]:
        candidates = self._candidates(read)
        in_a_row = self._in_a_row(candidates)
        if in_a_row is not None:
            yield self._terms.eq(read.value, self._along(read, in_a_row))
            return
        self._spent += len(candidates) ** 2
        if self._spent > CLAUSES:
            raise CannotEncode("too many writes to one place")
        yield from self._read_from(read, candidates)

    # --- candidates ----------------------------------------------------------------------------------------------

    def _candidates(self, read: CellPart) -> list[Candidate]:
        event = read.event
        parts = [p for p in self._writes.get(read.cell, ()) if p.event is not event and self._may_precede(p, read)]
        reader = set(event.guard)
        sure = [p for p in parts if self._precedes(p, read) and self._is_sure(p, reader)]
        hidden = Hidden((p.event.thread, p.order, p.event.clock) for p in sure)
        kept = [p for p in parts if not hidden.covers(p.event.thread, p.order, p.event.index)]
        kept = [p for p in kept if not self._covered(p, read)]
        found = [Candidate(p, self.happens(p), p.value) for p in kept]
        if not sure:
            found.insert(0, Candidate(None, self._terms.true, self._world.initial[read.cell]))
        return found

    def _is_sure(self, part: CellPart, reader: set[Term]) -> bool:
        return part.when is self._terms.true and reader.issuperset(part.event.guard)

    def _may_precede(self, write: CellPart, read: CellPart) -> bool:
        if write.event.thread == read.event.thread:
            return write.order < read.order and write.event.index < read.event.index
        return self._order.known(read.event, write.event) is not True

    def _precedes(self, write: CellPart, read: CellPart) -> bool:
        return write.event.thread == read.event.thread or self._order.known(write.event, read.event) is True

    def _between(self, a: CellPart, b: CellPart) -> bool:
        if a.event.thread == b.event.thread:
            return a.order < b.order
        return self._order.known(a.event, b.event) is True

    def _covered(self, write: CellPart, read: CellPart) -> bool:
        """Overwritten in the same moment."""
        if write.event.thread == read.event.thread:
            return False
        mine = self._order.node(write.event)
        return any(
            other.order > write.order
            and other.event.thread == write.event.thread
            and self._order.node(other.event) == mine
            and self._is_sure(other, set(write.event.guard))
            for other in self._writes[write.cell]
        )

    def _visible(self, write: CellPart, read: CellPart) -> Term:
        if write.event.thread == read.event.thread:
            return self._terms.true
        return self._order.before(write.event, read.event)

    # --- writes in a row -------------------------------------------------------------------------------------------

    def _in_a_row(self, candidates: list[Candidate]) -> list[Candidate] | None:
        """Sorted if all of them are in a known order."""
        parts = sorted(
            (c for c in candidates if c.part is not None),
            key=lambda c: (sum(1 for d in candidates if self._follows(c, d)), c.part.order if c.part else 0),
        )
        # What is known of two holds if both happen, so a third between them says nothing: all pairs are looked at.
        for index, one in enumerate(parts):
            if not all(self._follows(two, one) for two in parts[index + 1 :]):
                return None
        return [c for c in candidates if c.part is None] + parts

    def _follows(self, one: Candidate, two: Candidate) -> bool:
        return one.part is not None and two.part is not None and one is not two and self._between(two.part, one.part)

    def _along(self, read: CellPart, candidates: list[Candidate]) -> Term:
        value = candidates[0].value
        for candidate in candidates:
            if candidate.part is not None:
                seen = self._terms.and_(candidate.happens, self._visible(candidate.part, read))
                value = self._terms.ite(seen, candidate.value, value)
        return value

    # --- read-from ---------------------------------------------------------------------------------------------------

    def _read_from(self, read: CellPart, candidates: list[Candidate]) -> Iterator[Term]:
        terms, event = self._terms, read.event
        literals: list[Term] = []
        stays_behind = [
            (c.part, terms.not_(self._overtakes(c, c.part, read))) for c in candidates if c.part is not None
        ]
        for index, candidate in enumerate(candidates):
            literal = terms.bool_var(f"rf.{event.thread}.{event.index}.{read.cell[0]:x}.{read.cell[1]}.{index}")
            literals.append(literal)
            yield terms.implies(literal, terms.eq(read.value, candidate.value))
            if candidate.part is not None:
                yield terms.implies(literal, candidate.happens)
                yield terms.implies(literal, self._visible(candidate.part, read))
            is_not_it = terms.not_(literal)
            for other, behind in stays_behind:
                if candidate.part is None:
                    yield terms.or_(is_not_it, behind)
                elif other is not candidate.part:
                    earlier = self._earlier(other.event, other, candidate.part)
                    if earlier is not terms.true:
                        yield terms.or_(is_not_it, behind, earlier)
        reached = event.guard if event.arrives is None else event.arrives  # a thread that waits has looked, too
        yield terms.any((terms.not_(terms.all((*reached, read.when))), *literals))

    def _overtakes(self, candidate: Candidate, write: CellPart, read: CellPart) -> Term:
        return self._terms.and_(candidate.happens, self._visible(write, read))

    def _earlier(self, event: UnwoundEvent, other: CellPart, candidate: CellPart) -> Term:
        if other.event is candidate.event:
            return self._terms.bool(other.order < candidate.order)
        if self._order.node(event) == self._order.node(candidate.event):
            return self._terms.bool(other.order < candidate.order)
        return self._order.before(event, candidate.event)
