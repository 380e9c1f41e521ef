"""Locks that a thread certainly holds at a location. Two threads that stand where both hold one lock are in no state.

Paper: S. Savage et al., Eraser, TOCS 1997 (locksets), here as a must-analysis of the automaton.
Invariants: at a location with a lock in its set, the lock's word holds the handle of the thread that stands there.
That is so because a lock that is followed is written in three ways only: it is taken (which needs it to be free, or
one's own), given back where it is certainly held, or initialised before there is a second thread.
"""

from __future__ import annotations

from typing import NamedTuple

from threadproof.analysis.footprints.dependence import Beyond, Region, StaticDependence
from threadproof.analysis.points_to import ObjectKind, Offsets, PointsTo, Root, may_overlap
from threadproof.automaton import Letter, Location, ProgramAutomaton, Step
from threadproof.automaton.letters import is_fork
from threadproof.core.graph import reached
from threadproof.independence.answers import Always, LayerName, SwapAnswer
from threadproof.independence.inclusions import Given
from threadproof.independence.pairs import InstanceLetter
from threadproof.ir.expr import Expr
from threadproof.ir.instr import Sync
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, Attempt, LockMode, sync_facts
from threadproof.sync.footprint import Mode


class GlobalLock(NamedTuple):
    """A lock inside a global variable."""

    name: str
    offset: int
    awaits: bool = False  # not held: given back to wait on a condition variable, and taken again when that is over


Held = frozenset[GlobalLock]
_NOTHING: Held = frozenset()


class HeldLocks:
    def __init__(self, program: Program, automaton: ProgramAutomaton, points_to: PointsTo) -> None:
        self._automaton = automaton
        self._points_to = points_to
        self._static = StaticDependence(program, points_to)
        self._at: dict[Location, Held] = {}
        self._followed = _NOTHING
        if points_to.wild:
            return
        for thread in automaton.templates.values():
            self._spread(thread.entry)
        self._followed = self._trusted(self._alone())

    def at(self, location: Location) -> Held:
        found = self._at.get(location, _NOTHING)
        return found & self._followed if found else found

    # --- forwards over letters ---------------------------------------------------------------------------------------

    def _spread(self, entry: Location) -> None:
        thread = self._automaton.templates[entry.template]
        self._at[entry] = _NOTHING
        todo = [entry]
        while todo:
            location = todo.pop()
            for letter in thread.letters_from(location):
                after = self._after(letter, self._at[location])
                before = self._at.get(letter.target)
                now = after if before is None else after & before
                if now != before:
                    self._at[letter.target] = now
                    todo.append(letter.target)

    def _after(self, letter: Letter, held: Held) -> Held:
        for step in letter.steps:
            held = self._behind(step, held)
        return held

    def _behind(self, step: Step, held: Held) -> Held:
        if not isinstance(step.instr, Sync):
            return held
        if step.cancelled:
            return _NOTHING
        facts, args = sync_facts(step.instr), step.instr.args
        if facts.act is Act.INIT:
            return _NOTHING
        if facts.releases is not None:
            given_back = self._lock(step.site.function, args[facts.releases])
            if given_back is None:
                return _NOTHING
            waits = facts.act is Act.ENQUEUE and given_back in held
            return (held - {given_back}) | ({given_back._replace(awaits=True)} if waits else _NOTHING)
        locks = facts.locks
        if locks is None or locks.holder is None or locks.sharing is LockMode.SHARED or locks.failures:
            return held
        taken = self._lock(step.site.function, args[locks.arg])
        if taken is None:
            return held
        if facts.act is Act.WAKE:
            awaited = taken._replace(awaits=True)
            return (held - {awaited}) | {taken} if awaited in held else held
        return held | {taken} if facts.attempt is Attempt.NO else held

    def _lock(self, function: str, address: Expr) -> GlobalLock | None:
        places = self._points_to.expression(function, address)
        if len(places) != 1:
            return None
        [(root, at)] = places
        return GlobalLock(root.name, at.start) if root.kind is ObjectKind.GLOBAL and not at.stride else None

    # --- which locks can be trusted ----------------------------------------------------------------------------------

    def _trusted(self, alone: frozenset[Location]) -> Held:
        every = frozenset(lock for held in self._at.values() for lock in held if not lock.awaits)
        return every - frozenset(lock for lock in every if self._is_broken(lock, alone))

    def _is_broken(self, lock: GlobalLock, alone: frozenset[Location]) -> bool:
        for letter in self._automaton.letters:
            if not any(_may_be(region, lock) for region in letter.writes):
                continue
            held, first = self._at.get(letter.source, _NOTHING), letter.source in alone
            for step in letter.steps:
                if self._may_break(step, held, lock) and not (first and _is_harmless(step, held, lock)):
                    return True
                held, first = self._behind(step, held), first and not is_fork(step.instr)
        return False

    def _may_break(self, step: Step, held: Held, lock: GlobalLock) -> bool:
        """Whether the step may write the lock in a way other than taking it, or giving it back where it is held."""
        function, instr = step.site.function, step.instr
        if not any(_may_be(region, lock) for region in self._static.regions(function, instr)):
            return False
        if not isinstance(instr, Sync):
            return True
        facts = sync_facts(instr)
        match facts.act:
            case Act.LOCK | Act.WAKE | Act.DESTROY:
                return False
            case Act.UNLOCK | Act.ENQUEUE:
                assert facts.releases is not None
                return lock not in held or self._lock(function, instr.args[facts.releases]) != lock
            case _:
                return True

    def _alone(self) -> frozenset[Location]:
        """Where main stands before any thread was created."""
        main = self._automaton.templates[self._automaton.main]
        forks = [letter.target for letter in main.letters if any(is_fork(step.instr) for step in letter.steps)]
        after = reached(forks, lambda at: [letter.target for letter in main.letters_from(at)])
        return frozenset(main.locations) - frozenset(after)


class LocksLayer:
    """Both threads would hold one lock: there is no such state."""

    def __init__(self, held: HeldLocks) -> None:
        self._held = held

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        common = self._held.at(a.letter.source) & self._held.at(b.letter.source)
        return Always(LayerName.LOCKS) if common else None


def _is_harmless(step: Step, held: Held, lock: GlobalLock) -> bool:
    """Before there is a second thread: main does not hold the lock, or is not said to behind the step."""
    return lock not in held or (isinstance(step.instr, Sync) and sync_facts(step.instr).act is Act.INIT)


def _may_be(region: Region, lock: GlobalLock) -> bool:
    if isinstance(region.root, Beyond) or region.mode is Mode.READ:
        return False
    if region.root.kind is ObjectKind.ANYTHING:
        return True
    same = region.root == Root(ObjectKind.GLOBAL, lock.name)
    return same and may_overlap(region.at, region.size, Offsets(lock.offset, 0), 8)
