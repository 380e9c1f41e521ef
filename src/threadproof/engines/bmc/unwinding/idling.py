"""Rounds of loops that change nothing: every execution that makes one is as good as one without it.

A round that only reads (spinning on a flag, looking under a lock) can be left out of any execution. A round that once
gives up a lock it came with and ends with taking it again (waiting for a condition) cannot, but of two in a row that
give up the same lock the second can: what came between happens during the first. Writes count as nothing where they
put back what is there: a test-and-set that finds the lock taken, a compare-and-swap that fails.
"""

from __future__ import annotations

from enum import Enum

from threadproof.engines.bmc.unwinding.events import CellPart, Entry, EventRole, UnwoundEvent
from threadproof.engines.bmc.unwinding.guards import Guard
from threadproof.engines.bmc.unwinding.state import Arrival, PathState
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.ir.instr import CompareExchange, Fence, Load, Rmw, Sync
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term, variables
from threadproof.sync.facts import sync_facts


class Idling(Enum):
    NOTHING = "changed nothing"
    WORKED = "changed something"


Idle = Idling | int
"""Or the mutex that was given up and taken again."""


def idles(world: Unwound, began: Arrival, arrival: Arrival, passed: list[Entry], live: frozenset[str]) -> Idle:
    if not _same(began.state, arrival.state):
        return Idling.WORKED
    if any(arrival.registers.get(name) is not began.registers.get(name) for name in live):
        return Idling.WORKED
    if not all(_harmless(world, entry, arrival.state.guard) for entry in passed):
        return Idling.WORKED
    given_up = [
        event.mutex
        for entry in passed
        for event in entry.events
        if event.kind is EventRole.UNLOCK and event.mutex in began.state.held
    ]
    if not given_up:
        return Idling.NOTHING
    return given_up[0] if len(given_up) == 1 and _ends_with_lock(arrival.state, passed) else Idling.WORKED


def _ends_with_lock(state: PathState, passed: list[Entry]) -> bool:
    """Whether nothing follows taking the lock again: what was read before it is not used after it."""
    last = passed[-1].events[-1] if passed and passed[-1].events else None
    return last is not None and last.kind is EventRole.LOCK and state.guard[-1:] == (last.acquired,)


def _same(a: PathState, b: PathState) -> bool:
    unsaved = [{cell: known for cell, known in state.cached.items() if known.dirty} for state in (a, b)]
    return a.memory == b.memory and a.held == b.held and not a.depth and not b.depth and unsaved[0] == unsaved[1]


def _harmless(world: Unwound, entry: Entry, guard: Guard) -> bool:
    match entry.instr:
        case Load() | Fence():
            return True
        case Rmw() | CompareExchange():
            return all(_silent(world, event, part, guard) for event in entry.events for part in event.writes)
        case Sync():
            facts = sync_facts(entry.instr)
            waits = facts.locks is not None and facts.may_block
            known = (waits or facts.releases is not None) and entry.choice is None
            return known and not any(event.writes for event in entry.events)
        case _:
            return False


def _silent(world: Unwound, event: UnwoundEvent, write: CellPart, guard: Guard) -> bool:
    """Whether the write, if the path goes on to here, puts back the value that was read."""
    read = next((part for part in event.reads if part.cell == write.cell), None)
    if read is None or read.value.op is not Op.VAR:
        return False
    numbers = world.values.of(read.value)
    if numbers is None:
        return world.terms.not_(write.when) in guard
    about = [literal for literal in guard if variables((literal,)) == [read.value]]
    for number in numbers:
        here = Assignment({read.value.name: number})
        if all(here.holds(literal) for literal in about) and not _puts_back(here, write, number, read.value):
            return False
    return True


def _puts_back(here: Assignment, write: CellPart, number: int, read: Term) -> bool:
    if set(variables((write.when,))) <= {read} and not here.holds(write.when):
        return True
    return set(variables((write.when, write.value))) <= {read} and here.number(write.value) == number
