"""From a counterexample to the waypoints of a witness: the statements, branches and calls of its execution, in order.

The schedule is played once more, by a machine that reports what it comes by (`watching.py`). Before a statement, the
witness says which values the global variables have that the statement names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from threadproof.core.property import Property
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import MAIN, ThreadId, number
from threadproof.core.trace import Trace
from threadproof.evidence.callers import with_program_lines
from threadproof.ir.ctypes import Scalar
from threadproof.ir.program import Lifetime, Program
from threadproof.semantics.domains import program_constants
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Moved
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import first_race
from threadproof.witness.constraints import WaypointConstraints
from threadproof.witness.model import Segment, SourcePosition, Waypoint, WaypointKind
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.watching import Sight, SightKind, WatchedMachine

MOST = 4_000
"""Waypoints of a witness. Of a longer execution, those before and after changes of threads are kept."""


@dataclass(frozen=True, slots=True)
class PassedWaypoint:
    """A waypoint that the execution passes. `creates`: the call that the waypoint is about creates this thread."""

    waypoint: Waypoint
    creates: str = ""
    starts: str = ""  # a thread comes to its first statement: this is its function


@dataclass(frozen=True, slots=True)
class WitnessedRun:
    passed: tuple[PassedWaypoint, ...]
    target: Segment
    enters: str = ""  # the function of the first target's thread, if nothing before it tells of that thread


def witnessed_run(program: Program, prop: Property, trace: Trace, files: Sequence[str]) -> WitnessedRun:
    return _Recorder(program, prop, SourceTexts(files)).run(trace)


class _Recorder:
    def __init__(self, program: Program, prop: Property, texts: SourceTexts) -> None:
        self._watched = WatchedMachine(program, prop, texts)
        self._property = prop
        self._texts = texts
        self._constraints = WaypointConstraints(self._watched.machine, prop)
        self._numbers: dict[ThreadId, str] = {MAIN: "0"}
        self._passed: list[PassedWaypoint] = []
        self._started: set[ThreadId] = set()
        self._created = 0
        self._globals = {
            variable.c_name
            for variable in program.globals.values()
            if isinstance(variable.ctype, Scalar) and variable.lifetime is Lifetime.PROGRAM and variable.c_name
        }

    def run(self, trace: Trace) -> WitnessedRun:
        state = self._watched.machine.initial()
        last = MAIN
        for move in trace.schedule:
            if move.flush is not None:
                continue
            last = move.thread
            outcome = self._watched.step(state, number(move.thread), move.choices, self._see)
            if isinstance(outcome, Moved):
                self._name_new(outcome.state)
                state = outcome.state
        target = self._target(trace, state, last)
        passed, enters = self._passed, self._function_of(target[0].thread, state)
        if passed and not passed[-1].creates and passed[-1].waypoint.kind is WaypointKind.ASSUMPTION:
            end = passed[-1].waypoint
            if any(_same_place(end.position, one.position) and end.thread == one.thread for one in target):
                enters = passed.pop().starts or enters  # the target says it
        return WitnessedRun(tuple(_thinned(passed)), target, enters)

    def _function_of(self, name: str | None, state: State) -> str:
        """Of a thread that was not seen yet."""
        for thread in state.threads.values():
            if self._numbers.get(thread.id) == name and thread.id not in self._started and thread.frames:
                return thread.frames[0].function
        return ""

    def _name_new(self, state: State) -> None:
        """Threads are numbered as they are created."""
        for one in sorted(set(state.threads) - {number(known) for known in self._numbers}):
            self._numbers[state.threads[one].id] = str(len(self._numbers))

    def _see(self, sight: Sight) -> None:
        made = _waypoint(sight, self._numbers[sight.thread])
        match sight.kind:
            case SightKind.STATEMENT:
                if sight.statement is not None and sight.statement.has_header:
                    return
                made = replace(made, constraint=self._values(sight))
            case SightKind.BRANCH:
                if sight.statement is None or sight.statement.keyword == "switch":
                    return
            case SightKind.ENTER:
                if not sight.creates:
                    return
            case SightKind.RETURN:
                if sight.value is None:
                    return
        starts = "" if sight.thread in self._started else sight.function
        self._started.add(sight.thread)
        self._created += sight.creates
        self._passed.append(PassedWaypoint(made, str(self._created) if sight.creates else "", starts))

    def _values(self, sight: Sight) -> str:
        assert sight.statement is not None
        own = self._watched.machine.program.functions[sight.function].variables.values()
        hidden = {variable.c_name for variable in own}
        names = [word for word in sight.text.words(sight.statement) if word in self._globals and word not in hidden]
        if not names:
            return "1"
        state = sight.state()
        found = [(name, self._constraints.value(name, state, sight.thread)) for name in names]
        return " && ".join(f"{name} == {_literal(value)}" for name, value in found if value is not None) or "1"

    # --- the violation ------------------------------------------------------------------------------------------------

    def _target(self, trace: Trace, state: State, last: ThreadId) -> Segment:
        if self._property is Property.NO_DATA_RACE:
            sides = self._racing(state)
            if sides:
                return tuple(self._at(loc, thread) for thread, loc in sides)
        of_no_thread = self._property in (Property.NO_DEADLOCK, Property.VALID_MEMCLEANUP)
        return (self._at(trace.loc, None if of_no_thread else last),)

    def _racing(self, state: State) -> list[tuple[ThreadId, SourceLoc]]:
        machine = with_program_lines(self._watched.machine)
        constants = program_constants(machine.program)
        race = first_race({n: next_accesses(machine, state, n, constants) for n in live_threads(state)})
        if race is None:
            return []
        return [(state.threads[race[0]].id, race[1].loc), (state.threads[race[2]].id, race[3].loc)]

    def _at(self, loc: SourceLoc, thread: ThreadId | None) -> Waypoint:
        text = self._texts.of(loc.file)
        statement = None if text is None else text.statement(loc.line, loc.column)
        if text is None or statement is None:
            position = SourcePosition(loc.file, max(loc.line, 1))
        else:
            position = SourcePosition(loc.file, *text.place(statement.start))
        who = None if thread is None else self._numbers.get(thread)
        return Waypoint(WaypointKind.TARGET, position, thread=who)


def _same_place(one: SourcePosition, other: SourcePosition) -> bool:
    return (one.file, one.line, one.column) == (other.file, other.line, other.column)


def _waypoint(sight: Sight, thread: str) -> Waypoint:
    kind = {
        SightKind.STATEMENT: WaypointKind.ASSUMPTION,
        SightKind.BRANCH: WaypointKind.BRANCHING,
        SightKind.ENTER: WaypointKind.FUNCTION_ENTER,
        SightKind.RETURN: WaypointKind.FUNCTION_RETURN,
    }[sight.kind]
    position = SourcePosition(sight.text.path, *sight.text.place(sight.offset), sight.function)
    constraint = ""
    if sight.kind is SightKind.BRANCH:
        constraint = "true" if sight.taken else "false"
    elif sight.kind is SightKind.RETURN and sight.value is not None:
        constraint = f"\\result == {sight.value}"
    return Waypoint(kind, position, constraint, thread, called=sight.called)


def _literal(value: int) -> str:
    """As C has it: the least number of a type is no literal."""
    if value in (-(1 << 31), -(1 << 63)):
        return f"({value + 1} - 1)"
    return str(value)


def _thinned(passed: list[PassedWaypoint]) -> list[PassedWaypoint]:
    if len(passed) <= MOST:
        return passed
    kept: list[PassedWaypoint] = []
    for index, one in enumerate(passed):
        threads = {passed[i].waypoint.thread for i in (index - 1, index + 1) if 0 <= i < len(passed)}
        says = one.creates or one.starts or one.waypoint.kind is WaypointKind.FUNCTION_RETURN
        if says or threads != {one.waypoint.thread}:
            kept.append(one)
    return kept[:MOST]
