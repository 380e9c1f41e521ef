"""The ranges of reads as clauses, and when they are looked for.

They are held against random executions first (`walks.py`), since no checker of proofs knows them.
A read that does not happen has the value that the order of its event gives it (`reads.py`), which is anywhere: so what
is known of a read holds only if it happens.
"""

from __future__ import annotations

from threadproof.core.memory_model import MemoryModel
from threadproof.domains.intervals import BitInterval
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.ranges import ReadRanges
from threadproof.engines.bmc.order.spread import Spread
from threadproof.engines.bmc.order.walks import contradict
from threadproof.engines.bmc.unwinding.events import Cell, CellPart
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms


class KnownRanges:
    def __init__(self, world: Unwound) -> None:
        self._world = world
        self._found: ReadRanges | None = None
        self.refuted = False  # an execution contradicts what was counted out: nothing of it is believed

    def look(self, order: EventOrder, cells: set[Cell]) -> None:
        if self._world.model is not MemoryModel.SC or self.refuted:
            return
        if self._found is None or not cells <= self._found.cells:
            known = self._found.cells if self._found is not None else frozenset[Cell]()
            self._found = ReadRanges(self._world, order, known | cells, order.loose)
            self.refuted = contradict(self._world, self._found)
            self._found = None if self.refuted else self._found

    def of(self, terms: Terms, read: CellPart) -> tuple[list[Term], bool]:
        """Clauses about the value of a read that happens, and whether more is to be said."""
        spread: Spread = self._found.of(read) if self._found is not None else frozenset()
        if not spread:
            return [], True
        if isinstance(spread, frozenset) and len(spread) == 1:  # instead of all else that is said of it
            return [terms.eq(read.value, terms.bv(min(spread), read.value.width))], False
        least, most = spread.unsigned_hull if isinstance(spread, BitInterval) else (min(spread), max(spread))
        event = read.event
        happens = terms.all(event.guard if event.arrives is None else event.arrives)
        return [terms.implies(happens, clause) for clause in _narrow(terms, read, least, most)], True


def _narrow(terms: Terms, read: CellPart, least: int, most: int) -> list[Term]:
    """As a number of fewer bits, since what is made of it is narrow for the solver then, too; and its ends."""
    width, bits = read.value.width, max(most.bit_length(), 1)
    found = [] if bits >= width else [terms.eq(terms.extract(read.value, width - 1, bits), terms.bv(0, width - bits))]
    ends = [terms.ule(terms.bv(least, width), read.value), terms.ule(read.value, terms.bv(most, width))]
    return found + [end for end in ends if end is not terms.true and most < 1 << (width - 1)]
