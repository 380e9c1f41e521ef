"""Rounds of unwinding until what was found is what was relied on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.unwinding.encodings import Encodings
from threadproof.engines.bmc.unwinding.events import Cell, RoundFacts, UnwoundAccess, UnwoundEvent, WriteFact
from threadproof.engines.bmc.unwinding.learning import written
from threadproof.engines.bmc.unwinding.objects import UnwoundObjects
from threadproof.engines.bmc.unwinding.shape import UnwindingShape
from threadproof.engines.bmc.unwinding.spreading import spread
from threadproof.engines.bmc.unwinding.unroll import Unroller
from threadproof.engines.bmc.unwinding.values import Numbers
from threadproof.engines.bmc.unwinding.world import Bounds, MutexUse, NumberedNames, Unwound
from threadproof.ir.program import Program
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act
from threadproof.sync.operations import KIND, MUTEX_FIELDS, extent

ROUNDS = 40
PATIENT = 12
"""Rounds after which sets of values that still change become unknown."""


@dataclass(slots=True)
class Unwinding:
    """Unwinds one program again and again: terms, objects and names stay the same."""

    program: Program
    model: MemoryModel
    terms: Terms
    objects: UnwoundObjects
    names: NumberedNames
    encodings: Encodings
    shapes: dict[str, UnwindingShape] = field(default_factory=dict[str, UnwindingShape])
    facts: RoundFacts = field(default_factory=RoundFacts)  # of the last bound: a good guess for the next

    @staticmethod
    def of(program: Program, model: MemoryModel) -> Unwinding:
        terms, layout = Terms(), program.layout()
        objects, encodings = UnwoundObjects(program, layout), Encodings(terms, layout)
        return Unwinding(program, model, terms, objects, NumberedNames(), encodings)

    def settled(self, bounds: Bounds, budget: Budget) -> Unwound:
        """A world whose facts are its own."""
        facts, unknown = self.facts, set[Cell]()
        for count in range(ROUNDS):
            world = Unwound(self.program, self.terms, self.objects, self.names, facts, bounds, self.model, budget)
            world.unknown = unknown
            Unroller(world, self.shapes, self.encodings).run()
            found = _facts(world)
            if world.facts is facts and _confirms(world, found):
                self.facts = found
                return world
            if count >= PATIENT:
                unknown |= {cell for cell in found.writes if _numbers(found, cell) != _numbers(facts, cell)}
                found = _facts(world)
            facts = spread(world, facts, found)
        raise CannotEncode("what threads write does not settle")


def _confirms(world: Unwound, found: RoundFacts) -> bool:
    """Cells that were first used in this round were cut rightly from the start."""
    return not world.boundaries.come_late and replace(found, boundaries=world.facts.boundaries) == world.facts


def _numbers(facts: RoundFacts, cell: Cell) -> set[Numbers]:
    return {write.numbers for write in facts.writes.get(cell, ())}


def _facts(world: Unwound) -> RoundFacts:
    boundaries = world.boundaries.found()
    ended = frozenset(world.ended) | world.facts.ended
    odd = world.facts.odd | world.odd | _odd_mutexes(world)
    users = dict(world.facts.users)  # who once used a cell counts as a user: rounds settle sooner
    for cell, threads in world.users.items():
        users[cell] = frozenset(threads) | users.get(cell, frozenset())
    if world.boundaries.come_late:
        return replace(world.facts, boundaries=boundaries, ended=ended, odd=world.facts.odd | world.odd)
    detached = world.facts.detached | world.detached
    handles = world.facts.handles | {thread.handle for thread in world.threads.values()}
    return RoundFacts(boundaries, users, _writes(world), ended, _protected(world), handles, detached, odd)


def _protected(world: Unwound) -> dict[Cell, frozenset[int]]:
    """The mutexes that are held at every access that is not ordered with all others."""
    found: dict[Cell, frozenset[int]] = {}
    for cell, touches in world.touches.items():
        if len({touch.thread for touch in touches}) > 1 and any(touch.writes for touch in touches):
            locks: frozenset[int] | None = None
            for touch in _unordered(touches):
                locks = touch.held if locks is None else locks & touch.held
            if locks:
                found[cell] = locks
    return found


def _unordered(touches: list[UnwoundAccess]) -> list[UnwoundAccess]:
    kept: dict[tuple[int, int, frozenset[int]], UnwoundAccess] = {}
    for touch in touches:
        kept.setdefault((touch.thread, touch.index, touch.held), touch)
    some = list(kept.values())
    return [a for a in some if any(a.thread != b.thread and not _ordered(a, b) for b in some)]


def _ordered(a: UnwoundAccess, b: UnwoundAccess) -> bool:
    return b.clock.get(a.thread, 0) > a.index or a.clock.get(b.thread, 0) > b.index


def _writes(world: Unwound) -> dict[Cell, tuple[WriteFact, ...]]:
    found: dict[Cell, list[WriteFact]] = {}
    for thread in world.threads.values():
        for cell, writes in written(world, thread).items():
            found.setdefault(cell, []).extend(writes)
    return {cell: tuple(writes) for cell, writes in found.items()}


# --- mutexes ---------------------------------------------------------------------------------------------------------


def _odd_mutexes(world: Unwound) -> frozenset[int]:
    """Mutexes that need their words: initialised late, of another kind, or touched by other means."""
    size = extent(MUTEX_FIELDS)
    touched = sorted(cell[0] for cell in world.direct if cell[1])
    odd: set[int] = set()
    for mutex, uses in world.mutexes.items():
        by_hand = any(mutex <= address < mutex + size for address in (*touched, *world.table))
        if by_hand or any(use.act is None for use in uses) or not _begins_free(world, mutex, uses):
            odd.add(mutex)
    return frozenset(odd)


def _begins_free(world: Unwound, mutex: int, uses: list[MutexUse]) -> bool:
    owner = world.objects.near(mutex)
    if owner is None:
        return False
    first = [use for use in uses if use.act is Act.INIT]
    if len(first) > 1:
        return False
    others = [use.event for use in uses if use.act is not Act.INIT]
    if first:
        done = set(first[0].event.guard)
        return all(_before(first[0].event, event) and done <= set(event.guard) for event in others)
    offset = mutex - owner.start
    words = owner.initial(offset, min(extent(MUTEX_FIELDS), owner.size - offset))
    kind = KIND.offset64 if world.pointer_bits == 64 else KIND.offset32
    return words is None or (words & ((1 << 64) - 1) == 0 and owner.initial(offset + kind, 4) in (0, None))


def _before(a: UnwoundEvent, b: UnwoundEvent) -> bool:
    if a.thread == b.thread:
        return a.index < b.index
    return b.clock.get(a.thread, 0) > a.index
