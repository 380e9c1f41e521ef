"""Replays a schedule step by step and says whether it ends in a violation of the property.

Nothing of the engine that found the schedule is used: a fresh machine, the schedule's moves, and the rules of
`semantics.violations`. What happened on the way is recorded as a `Trace`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import name, number
from threadproof.core.trace import About, CallStack, Event, EventKind, Trace, TraceStep
from threadproof.evidence.callers import with_program_lines
from threadproof.evidence.events import Narrator
from threadproof.ir.program import Program
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.domains import program_constants
from threadproof.semantics.guide import played
from threadproof.semantics.leaks import bad_end, lost_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Access, AccessKind, Blocked, Choose, Moved, Outcome, UndefinedBehaviour
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Obj, State, live_threads
from threadproof.semantics.violations import Violation, first_race, of_outcome, spurious_for
from threadproof.semantics.weak import machine_under

TOLD = 50
"""Threads of a deadlock that are told of one by one."""


class Sought(Enum):
    """What the end of a schedule is to show."""

    VIOLATION = "a violation of the property"
    UNDEFINED = "undefined behaviour that the property does not ask about"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A violation with its trace; `violated` is memory safety's sub-property."""

    trace: Trace
    violated: str


def machine_for(program: Program, prop: Property, model: MemoryModel = MemoryModel.SC) -> Machine:
    """The machine every engine and the replay use for a property."""
    return machine_under(model, program, Granularity.VISIBLE, spurious_for(prop, program))


def replay_schedule(
    program: Program,
    prop: Property,
    schedule: Schedule,
    model: MemoryModel = MemoryModel.SC,
    sought: Sought = Sought.VIOLATION,
) -> Trace | None:
    """The trace of a violation, or None if the schedule does not show one."""
    found = Replay(machine_for(program, prop, model), prop, sought).run(schedule)
    return None if found is None else found.trace


class Replay:
    def __init__(self, machine: Machine, prop: Property, sought: Sought = Sought.VIOLATION) -> None:
        self._machine = machine
        self._property = prop
        self._sought = sought
        self._narrator = Narrator(machine)
        self._ended: State | None = None  # the last state there is

    def run(self, schedule: Schedule) -> Replayed | None:
        self._narrator = Narrator(self._machine)
        path = list(played(self._machine, schedule))
        if not path:
            return self._state_violation((), self._machine.initial(), []) if self._sought is Sought.VIOLATION else None
        if isinstance(path[-1].outcome, Blocked | Choose):
            return None
        for state in (*(made.before for made in path), getattr(path[-1].outcome, "state", None)):
            if state is not None:
                self._narrator.names.see(state)  # first of all: names depend on what is still to come
        steps = [self._narrator.step(*made) for made in path]
        self._ended = getattr(path[-1].outcome, "state", None) or path[-1].before
        return self._last(schedule[: len(path)], path[-1].before, path[-1].outcome, steps)

    def _last(self, schedule: Schedule, state: State, outcome: Outcome, steps: list[TraceStep]) -> Replayed | None:
        outcome = self._in_user_code(schedule[-1], state, outcome)
        if self._sought is Sought.UNDEFINED:
            return self._undefined(schedule, outcome, steps)
        violation = of_outcome(self._property, outcome)
        if violation is not None:
            return self._replayed(schedule, steps, violation, ())
        if isinstance(outcome, Moved):
            return self._state_violation(schedule, outcome.state, steps)
        if not _on_their_way(getattr(outcome, "state", None) or state):
            return self._leak(schedule, steps, bad_end(self._machine, self._property, outcome), outcome.loc)
        return None

    def _undefined(self, schedule: Schedule, outcome: Outcome, steps: list[TraceStep]) -> Replayed | None:
        if not isinstance(outcome, UndefinedBehaviour):
            return None
        what = f"undefined behaviour: {outcome.kind.value}" + (f" ({outcome.detail})" if outcome.detail else "")
        return self._replayed(schedule, steps, Violation(f"{what} at {outcome.loc}", outcome.loc), ())

    def _in_user_code(self, move: Move, state: State, outcome: Outcome) -> Outcome:
        """A fault inside a library function is told at the program's call of it."""
        if isinstance(outcome, Moved):
            return outcome
        ended = getattr(outcome, "state", None) or state
        if isinstance(outcome, UndefinedBehaviour) and outcome.about is not None:
            outcome = replace(outcome, detail=self._narrator.names.object(ended, outcome.about))
        return replace(outcome, loc=self._narrator.user_loc(ended, number(move.thread), outcome.loc))

    def _state_violation(self, schedule: Schedule, state: State, steps: list[TraceStep]) -> Replayed | None:
        match self._property:
            case Property.NO_DATA_RACE:
                return self._race(schedule, state, steps)
            case _ if _on_their_way(state):
                return None
            case Property.NO_DEADLOCK:
                return self._deadlock(schedule, state, steps)
            case Property.VALID_MEMSAFETY:
                loc = steps[-1].loc if steps else NOWHERE
                return self._leak(schedule, steps, lost_block(self._machine, state), loc)
            case _:
                return None

    # --- violations that are states -------------------------------------------------------------------------------

    def _leak(self, schedule: Schedule, steps: list[TraceStep], lost: Obj | None, loc: SourceLoc) -> Replayed | None:
        if lost is None:
            return None
        what = f"{self._narrator.names.heap.title(lost)} ({self._narrator.names.heap.story(lost)})"
        if self._property is Property.VALID_MEMCLEANUP:
            cause = f"memory is left: nobody has freed {what} when the program ends"
            return self._replayed(schedule, steps, Violation(cause, loc), ())
        cause = f"memory is lost: nothing points any more to {what}"
        return self._replayed(schedule, steps, Violation(cause, loc, "valid-memtrack"), ())

    def _race(self, schedule: Schedule, state: State, steps: list[TraceStep]) -> Replayed | None:
        machine, constants = with_program_lines(self._machine), program_constants(self._machine.program)
        footprints = {n: found for n in live_threads(state) if (found := next_accesses(machine, state, n, constants))}
        race = first_race(footprints)
        if race is None:
            return None
        a, first, b, second = race
        place, _ = self._narrator.names.place(state, first.address)
        sides = [
            f"{name(state.threads[n].id)} {_doing(access)} {place} at {access.loc}, "
            f"{_locks(self._narrator.locks_held(state, n))}"
            for n, access in ((a, first), (b, second))
        ]
        cause = f"data race on {place}: {sides[0].split(',')[0]} while {sides[1].split(',')[0]}"
        details = (*sides, "nothing orders the two accesses: either may come first")
        found = self._replayed(schedule, steps, Violation(cause, first.loc), details)
        return replace(found, trace=replace(found.trace, about=About(first.address, first.size, place)))

    def _deadlock(self, schedule: Schedule, state: State, steps: list[TraceStep]) -> Replayed | None:
        threads = live_threads(state)
        waits = [(n, self._machine.step(state, n)) for n in threads]
        if not threads or not all(isinstance(outcome, Blocked) for _, outcome in waits):
            return None
        details = tuple(
            self._narrator.waits_for(state, n, outcome) for n, outcome in waits[:TOLD] if isinstance(outcome, Blocked)
        )
        details += (f"{len(waits) - TOLD:,} more threads wait",) if len(waits) > TOLD else ()
        first, at = next((n, outcome.loc) for n, outcome in waits if isinstance(outcome, Blocked))
        loc = self._narrator.user_loc(state, first, at)
        return self._replayed(schedule, steps, Violation("deadlock: " + "; ".join(details), loc), details)

    def _stacks(self) -> tuple[CallStack, ...]:
        state = self._ended
        return () if state is None else tuple(self._narrator.stack(state, n) for n in live_threads(state)[:TOLD])

    def _replayed(
        self, schedule: Schedule, steps: list[TraceStep], violation: Violation, details: tuple[str, ...]
    ) -> Replayed:
        if steps:
            end = Event(EventKind.END, violation.cause, violation.loc)
            last = steps[-1]
            steps = [*steps[:-1], replace(last, events=(*last.events, end))]
        trace = Trace(
            schedule, tuple(steps), violation.cause, violation.loc, details, self._machine.model, self._stacks()
        )
        return Replayed(trace, violation.violated)


def violates(machine: Machine, prop: Property, sought: Sought, state: State, outcome: Outcome, loc: SourceLoc) -> bool:
    """Whether an execution that came to `outcome` shows the violation, or the undefined behaviour, at `loc`; `state` is
    the one it moved to, or the one before what ended it. The same question as `Replay`'s, without words."""
    ends = not isinstance(outcome, Moved)
    if isinstance(outcome, Blocked | Choose):
        return False
    if sought is Sought.UNDEFINED:
        return isinstance(outcome, UndefinedBehaviour)
    violation = of_outcome(prop, outcome)
    if violation is not None:
        return violation.loc == loc or loc.file not in (violation.loc.file, "") or violation.loc.file == RUNTIME
    match prop:
        case Property.NO_DATA_RACE if not ends:
            constants = program_constants(machine.program)
            footprints = {n: next_accesses(machine, state, n, constants) for n in live_threads(state)}
            return first_race({n: found for n, found in footprints.items() if found}) is not None
        case Property.NO_DEADLOCK if not ends and not _on_their_way(state):
            threads = live_threads(state)
            return bool(threads) and all(isinstance(machine.step(state, n), Blocked) for n in threads)
        case Property.VALID_MEMSAFETY if not ends and not _on_their_way(state):
            return lost_block(machine, state) is not None
        case _ if ends and not _on_their_way(getattr(outcome, "state", None) or state):
            return bad_end(machine, prop, outcome) is not None
        case _:
            return False


def _on_their_way(state: State) -> bool:
    """Whether stores are still buffered: they reach memory by themselves, and may hold the last pointer to a block."""
    return any(thread.buffer for thread in state.threads.values())


def _doing(access: Access) -> str:
    return {AccessKind.READ: "reads", AccessKind.FREE: "frees"}.get(access.kind, "writes")


def _locks(held: list[str]) -> str:
    return "holding " + " and ".join(held) if held else "holding no lock"


__all__ = ["Move", "Replay", "Replayed", "machine_for", "replay_schedule"]
