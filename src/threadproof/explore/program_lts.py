"""The transition system of a program, by the reference semantics.

A step is one visible step of a thread, then the private ones (`Pending.LOCAL`) of it and of a thread it created, with
every answer to their choices. Threads made before there is a second one touch nothing that matters to others.

Spinning: a thread that comes back to a situation of its own (frames, private memory) and has only read in between has
done nothing. It is stopped (`StopReason.SPINS`): an execution in which it goes on and reads something else later is the
same as one in which it reads only then. Stateful searches leave it running and close the cycle instead.
Where waits on condition variables may end spuriously, a thread that has waited on the way has done nothing either: it
has the mutex as before, and a signal that came meanwhile tells nothing, since without it the wait could end as well. It
is stopped after a read only, so that to stop it changes nothing for the others but that it does not go on, and the
detour must begin with the wait: what was read before it and is used after it tells more than one long wait would.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from typing import Any, NamedTuple, assert_never

from threadproof.core.schedule import Move
from threadproof.explore.lts import EVERYTHING, Action, Footprint, LtsStep, Stopped, StopReason
from threadproof.ir.program import Program
from threadproof.semantics.choices import every_step
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    Answered,
    AssumptionFailed,
    Blocked,
    Choose,
    Effect,
    Failed,
    Finished,
    Happening,
    Moved,
    NotSupported,
    Stuck,
    UndefinedBehaviour,
    footprint,
)
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import Pending, Phase, State, live_threads
from threadproof.semantics.violations import accesses, why_cut
from threadproof.sync.facts import FACTS, WAITS_FOR_THREAD, Act, Attempt, Family
from threadproof.sync.footprint import Mode, Touch, thread_place

MAX_PRIVATE = 200
"""Private steps after one visible one, thousands of instructions each; a thread that makes more is given up."""


class Spinning(Enum):
    STOPS = "stops"
    GOES_ON = "goes on"


class LtsState(NamedTuple):
    """A state of the system: no thread of it stands before private computation, except main at the very start."""

    state: State
    stopped: tuple[tuple[int, Stopped], ...] = ()
    trails: tuple[tuple[int, tuple[Hashable, ...]], ...] = ()
    """Per thread, its situations since it last did more than read (only if spinning stops)."""
    held: tuple[tuple[tuple[int, int], int], ...] = ()
    """Per thread and read-write lock, how often the thread holds it for reading."""


class _Partial(NamedTuple):
    """A step under construction."""

    point: LtsState
    moves: tuple[Move, ...]
    effects: tuple[Effect, ...]
    unknown: bool  # whether it touched what the effects do not tell


class ProgramLTS:
    def __init__(
        self, program: Program, spurious: Spurious = Spurious.OFF, spinning: Spinning = Spinning.STOPS
    ) -> None:
        self.machine = Machine(program, Granularity.VISIBLE, spurious, Solo.EVER)
        self.cut: dict[str, None] = {}  # why not everything was looked at, in the order met
        self._spinning = spinning
        self._constants = program_constants(program)
        layout = program.layout()
        self._private_globals = [
            (layout.globals[name], layout.globals[name] + program.globals[name].size)
            for name in sorted(program.unshared)
            if name in layout.globals
        ]

    def initial(self) -> LtsState:
        return LtsState(self.machine.initial())

    def threads(self, state: LtsState) -> tuple[int, ...]:
        gone = dict(state.stopped)
        return tuple(number for number in live_threads(state.state) if number not in gone)

    def stopped(self, state: LtsState) -> frozenset[Stopped]:
        return frozenset(why for _, why in state.stopped)

    def key(self, state: LtsState) -> Hashable:
        return (state.state.key(), state.stopped, state.trails, state.held)

    def shown(self, state: LtsState) -> Hashable:
        """Memory, and where each thread stands. Registers are left out: which of the threads that met at a barrier
        came last is in them, and nobody asks."""
        threads = tuple(
            (number, thread.phase, thread.result, tuple((frame.function, frame.pc) for frame in thread.frames))
            for number, thread in sorted(state.state.threads.items())
        )
        return (frozenset(state.state.memory.items()), threads, state.stopped)

    # --- steps -------------------------------------------------------------------------------------------------------

    def steps(self, state: LtsState, thread: int) -> tuple[LtsStep[LtsState], ...]:
        parts = [
            part
            for first in self._outcomes(_Partial(state, (), (), False), thread)
            for part in self._private(first, ())
        ]
        return tuple(self._finished_step(state, thread, part, len(parts)) for part in parts)

    def waits_for(self, state: LtsState, thread: int) -> Footprint:
        outcome = self.machine.step(state.state, thread)
        if not isinstance(outcome, Blocked):
            return ()
        joins = outcome.operation == WAITS_FOR_THREAD
        return (Touch(thread_place(outcome.address) if joins else outcome.address, 1, Mode.WRITE),)

    def _finished_step(self, before: LtsState, thread: int, part: _Partial, siblings: int) -> LtsStep[LtsState]:
        new = tuple(number for number in part.point.state.threads if number not in before.state.threads)
        alone = len(before.state.threads) == 1
        touched = () if alone else EVERYTHING if part.unknown else footprint(part.effects)
        target = part.point
        if self._spinning is Spinning.STOPS:
            target = self._watched(before, part, thread, touched)
        mine = () if alone else tuple(accesses(part.effects))
        return LtsStep(Action(thread, part.moves), touched, target, new, mine, siblings)

    def _private(self, part: _Partial, seen: tuple[State, ...]) -> Iterator[_Partial]:
        """Go on with what nobody notices; `seen` are the states on the way."""
        point = part.point
        local = [n for n in self.threads(point) if point.state.threads[n].pending is Pending.LOCAL]
        if not local:
            yield part
        elif point.state in seen:
            yield part._replace(point=_stop(point, local[0], Stopped(StopReason.SPINS)))
        elif len(seen) == MAX_PRIVATE:
            self.cut["a thread computes for very long without doing anything others could notice"] = None
            yield part._replace(
                point=_stop(point, local[0], Stopped(StopReason.UNSUPPORTED, "long private computation"))
            )
        else:
            for further in self._outcomes(part, local[0]):
                yield from self._private(further, (*seen, point.state))

    def _outcomes(self, part: _Partial, number: int) -> Iterator[_Partial]:
        """Every way to make one step of the machine."""
        for move, outcome in every_step(self.machine, part.point.state, number, self._constants, self._leaves_out):
            if not isinstance(outcome, Blocked):
                yield self._entered(part, number, move, outcome)

    def _leaves_out(self, choice: Choose) -> None:
        self.cut[why_cut(choice)] = None

    def _entered(self, part: _Partial, number: int, move: Move, outcome: Answered) -> _Partial:
        assert not isinstance(outcome, Blocked)
        effects = (*part.effects, *outcome.effects)
        unknown = part.unknown or isinstance(outcome, UndefinedBehaviour | NotSupported | Stuck)
        point, why = self._holding(part.point, number, outcome.effects), _why(outcome)
        if isinstance(outcome, Moved):
            point = point._replace(state=outcome.state)
        elif isinstance(outcome, Finished) and outcome.state.threads[number].phase is Phase.FINISHED:
            point = point._replace(state=outcome.state)  # the last thread ended, which is no act of its own
        elif why is not None:
            point = _stop(point, number, why)
        return _Partial(point, (*part.moves, move), effects, unknown)

    def _holding(self, point: LtsState, thread: int, effects: tuple[Effect, ...]) -> LtsState:
        """Read-locks by who holds them. Unlocking commutes with unlocking and with other readers as long as every
        thread unlocks what it holds, which the lock, a counter, does not know.
        Where one does not, nothing is proved."""
        held = dict(point.held)
        for effect in effects:
            facts = FACTS.get(effect.text) if isinstance(effect, Happening) else None
            if not isinstance(effect, Happening) or facts is None or facts.family is not Family.RWLOCK:
                continue
            unlocks = facts.releases is not None
            modes = {e.mode for e in effects if isinstance(e, Touch) and e.address == effect.address}
            mine = held.pop((thread, effect.address), 0)
            if unlocks and Mode.WRITE not in modes and not mine:
                self.cut["a read-write lock is unlocked by a thread that does not hold it"] = None
            mine += 0 if Mode.SHARE not in modes else -1 if unlocks else 1
            if mine > 0:
                held[thread, effect.address] = mine
        return point._replace(held=tuple(sorted(held.items())))

    # --- spinning ----------------------------------------------------------------------------------------------------

    def _waits(self, effects: tuple[Effect, ...], *halves: Act) -> bool:
        """Whether the step is half of a wait that may end spuriously (one of these, if named)."""
        done = [FACTS[effect.text] for effect in effects if isinstance(effect, Happening) and effect.text in FACTS]
        acts = {facts.act for facts in done if facts.attempt is Attempt.NO}
        either = halves or (Act.ENQUEUE, Act.WAKE)
        return self.machine.static.spurious is Spurious.ON and not acts.isdisjoint(either)

    def _watched(self, before: LtsState, part: _Partial, thread: int, touched: Footprint) -> LtsState:
        point = part.point
        trails = dict(point.trails)
        seen = trails.pop(thread, None) or (self._situation(before.state, thread),)
        reads = all(touch.mode is Mode.READ for touch in touched)
        if self._waits(part.effects, Act.ENQUEUE):
            seen = (self._situation(before.state, thread),)
        if thread in self.threads(point) and (reads or self._waits(part.effects)):
            here = self._situation(point.state, thread)
            if reads and here in seen:
                return _stop(point, thread, Stopped(StopReason.SPINS))
            trails[thread] = (*seen, here)
        return point._replace(trails=tuple(sorted(trails.items(), key=lambda item: item[0])))

    def _situation(self, state: State, number: int) -> Hashable:
        """All that the thread's future depends on besides what it reads of shared memory."""
        thread = state.threads[number]
        layout = self.machine.layout
        start, end = layout.arena(thread.id), layout.heap_start(thread.id)
        private = frozenset(
            item
            for item in state.memory.items()
            if start <= item[0] < end or any(a <= item[0] < b for a, b in self._private_globals)
        )
        return (thread, private)


def _stop(point: LtsState, thread: int, why: Stopped) -> LtsState:
    trails = tuple(trail for trail in point.trails if trail[0] != thread)
    stopped = tuple(sorted((*point.stopped, (thread, why)), key=lambda item: item[0]))
    return point._replace(stopped=stopped, trails=trails)


def _why(outcome: Any) -> Stopped | None:
    """Why the thread stops, None if it has moved."""
    match outcome:
        case Moved():
            return None
        case Finished():
            return Stopped(StopReason.EXIT, outcome.kind.value)
        case Failed():
            return Stopped(StopReason.FAILED, outcome.kind.value, outcome.loc.line)
        case UndefinedBehaviour():
            return Stopped(StopReason.UNDEFINED, outcome.kind.value, outcome.loc.line)
        case AssumptionFailed() | Stuck():
            return Stopped(StopReason.ASSUMPTION, "", outcome.loc.line)
        case NotSupported():
            return Stopped(StopReason.UNSUPPORTED, outcome.construct, outcome.loc.line)
        case _:
            assert_never(outcome)
