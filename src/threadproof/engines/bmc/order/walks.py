"""Random executions of an unwound program, event by event: what is counted out of reads is held against them.

Nothing is used here of what the counting rests on: no clocks, no nodes, no order of events but that of each thread. A
thread makes its next event when it can, inputs are drawn, reads have what memory holds. Sequential consistency only.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from threadproof.engines.bmc.order.ranges import ReadRanges
from threadproof.engines.bmc.unwinding.events import Cell, CellPart, EventRole, UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.meaning import Value, apply
from threadproof.smt.term import BitVec, Op, Term, in_order, not_known, variables

Seen = tuple[CellPart, int]
WALKS, EVENTS = 12, 12_000
"""So many walks, if they make no more events than that."""
TRIES = 20  # for a value that the program allows a variable


def contradict(world: Unwound, ranges: ReadRanges) -> bool:
    """Whether some read has a value in an execution that it cannot have."""
    if not ranges:
        return False
    walked = WalkedProgram(world)
    walks = min(WALKS, EVENTS // max(sum(len(thread.events) for thread in world.threads.values()), 1))
    seen = (pair for seed in range(walks) for pair in walked.reads(Random(seed)))
    return not all(ranges.allow(part, value) for part, value in seen)


class WalkedProgram:
    """What all walks of an unwound program share."""

    def __init__(self, world: Unwound) -> None:
        self.world = world
        self.about: dict[Term, list[Term]] = {}  # of each variable, what is demanded of it
        for definition in world.definitions:
            for variable in variables((definition,)):
                self.about.setdefault(variable, []).append(definition)
        self.joined: dict[UnwoundEvent, list[UnwoundThread]] = {}
        """Whose end a join may wait for."""
        for wait in world.waits:
            if wait.child is not None:
                self.joined.setdefault(wait.event, []).append(wait.child)
        for _, last, join in world.demands:
            self.joined.setdefault(join, []).append(world.threads[last.thread])
        self.movers = [number for number, thread in world.threads.items() if thread.events]
        events = [event for thread in world.threads.values() for event in thread.events]
        terms = in_order(term for event in events for term in (*event.guard, *(p.value for p in event.writes)))
        self.constants: dict[int, list[int]] = {}
        for term in terms:
            if term.op is Op.VALUE:
                self.constants.setdefault(term.width, []).append(term.value)

    def reads(self, rng: Random) -> list[Seen]:
        """What the reads of one execution have; nothing if the values drawn for variables are impossible."""
        walk = _Walk(self, rng)
        found = list(walk.reads())
        return found if not walk.is_odd and all(map(walk.holds, self.world.definitions)) else []


class _Walk:
    def __init__(self, program: WalkedProgram, rng: Random) -> None:
        self._program, self._world, self._rng = program, program.world, rng
        self._at = dict.fromkeys(self._world.threads, 0)
        self._known: dict[Term, Value] = {}
        self._memory: dict[Cell, int] = {}
        self._held: set[int] = set()
        self._over: set[UnwoundEvent] = set()
        self.is_odd = False  # a variable was asked for before it was read
        self._inside: tuple[int, int] | None = None  # who is in an atomic block, and in which

    def reads(self) -> Iterator[Seen]:
        moved = True
        while moved:
            ready = [number for number in self._program.movers if self._may_move(number)]
            self._rng.shuffle(ready)
            moved = False
            for number in ready:
                event = self._world.threads[number].events[self._at[number]]
                moved = self._passes(event)
                if not moved:
                    known = len(self._known)
                    yield from self._look(event)
                    moved = self._happens(event)
                    while not moved and len(self._known) > known:
                        self._known.popitem()  # it looks again later
                if moved:
                    break

    def _may_move(self, number: int) -> bool:
        thread = self._world.threads[number]
        over = self._at[number] == len(thread.events)
        if over and self._inside is not None and self._inside[0] == number:
            self._inside = None
        begun = thread.fork is None or thread.fork in self._over
        return begun and not over and (self._inside is None or self._inside[0] == number)

    # --- one event ---------------------------------------------------------------------------------------------------

    def _passes(self, event: UnwoundEvent) -> bool:
        """Whether it is not reached on this path, or an atomic block ends before it."""
        if not all(map(self.holds, event.guard if event.arrives is None else event.arrives)):
            self._at[event.thread] += 1
            return True
        if self._inside is not None and self._inside[1] != event.block:
            self._inside = None
            return True
        return False

    def _look(self, event: UnwoundEvent) -> Iterator[Seen]:
        for part in event.reads:
            if part.value.op is Op.VAR and self.holds(part.when):
                value = self._memory.get(part.cell)
                if value is None:
                    value = self._number(self._world.initial[part.cell])
                self.is_odd = self.is_odd or self._known.setdefault(part.value, value) != value
                yield part, value

    def _happens(self, event: UnwoundEvent) -> bool:
        """Makes it, unless it waits."""
        if not self._obtains(event) or not all(map(self.holds, event.guard)):
            return False
        written = [(part.cell, self._number(part.value)) for part in event.writes if self.holds(part.when)]
        self._memory.update(written)
        if event.kind is EventRole.LOCK:
            self._held.add(event.mutex)
        elif event.kind is EventRole.UNLOCK:
            self._held.discard(event.mutex)
        self._inside = (event.thread, event.block) if event.block else self._inside
        self._over.add(event)
        self._at[event.thread] += 1
        return True

    def _obtains(self, event: UnwoundEvent) -> bool:
        if event.kind is EventRole.LOCK:
            assert event.acquired is not None
            if event.mutex in self._held or event.acquired.op is not Op.VAR:
                return False
            self._known[event.acquired] = 1
        elif event.kind is EventRole.JOIN:
            if not all(map(self._is_over, self._program.joined.get(event, ()))):
                return False
            for literal in event.guard:
                if literal.op is Op.VAR and literal.name.startswith("joined.") and literal not in self._known:
                    self._known[literal] = 1
                    if not all(map(self.holds, self._program.about.get(literal, ()))):
                        return False
        return True

    def _is_over(self, thread: UnwoundThread) -> bool:
        return self._at[thread.number] == len(thread.events) or thread.fork not in self._over

    # --- values ------------------------------------------------------------------------------------------------------

    def holds(self, term: Term) -> bool:
        return self._value(term) == 1

    def _number(self, term: Term) -> int:
        value = self._value(term)
        assert isinstance(value, int)
        return value

    def _value(self, term: Term) -> Value:
        if term not in self._known:
            for part in not_known(term, self._known):
                if part.op is Op.VAR:
                    self._draw(part)
                else:
                    self._known[part] = apply(part, [self._known[arg] for arg in part.args])
        return self._known[term]

    def _draw(self, variable: Term) -> None:
        alone = [d for d in self._program.about.get(variable, ()) if variables((d,)) == [variable]]
        width = variable.sort.width if isinstance(variable.sort, BitVec) else 1
        drawn = [self._drawn(width) for _ in range(TRIES if alone else 1)]
        value = next((value for value in drawn if _allowed(alone, variable, value)), drawn[0])
        self._known[variable] = value

    def _drawn(self, width: int) -> int:
        known = self._program.constants.get(width, [0])
        near = self._rng.choice(known) + self._rng.choice((0, 0, 0, 1, -1))
        return (near if self._rng.randrange(4) else self._rng.getrandbits(width)) % (1 << width)


def _allowed(demands: list[Term], variable: Term, value: int) -> bool:
    known: dict[Term, Value] = {variable: value}
    for part in in_order(demands, known):
        known[part] = apply(part, [known[arg] for arg in part.args])
    return all(known[demand] == 1 for demand in demands)
