"""Replay of a witness: a search for an execution that follows it and violates the property.

A witness may come from any tool and leave much open: which steps lie between two waypoints, which values are chosen,
which thread is meant by a number. All that is searched, best first: what passes waypoints is looked at before what
does not, and each change to a thread that is not the next waypoint's has its price.

Invariants: only an execution that the reference semantics makes, that passes every waypoint in order and violates the
property there confirms a witness. What cannot be told (a statement without instructions, a condition that cannot be
evaluated) holds back nobody, and is counted.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from threadproof.core.budget import Budget
from threadproof.core.property import Property
from threadproof.core.schedule import Move
from threadproof.core.thread_id import MAIN, ThreadId
from threadproof.core.trace import Trace
from threadproof.evidence.callers import with_program_lines
from threadproof.evidence.replay import Replay
from threadproof.ir.program import Program
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.leaks import allocates, bad_end, lost_block
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Blocked, Choose, Moved, Outcome
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import first_race, of_outcome
from threadproof.witness.constraints import WaypointConstraints, named_numbers, wanted_result
from threadproof.witness.model import ViolationWitness, WaypointAction, WaypointKind
from threadproof.witness.passing import Passing, WaypointPlaces
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.watching import WatchedMachine

STEP, AWAY, FURTHER = 0.02, 1.0, 0.1
"""Prices: of a step of the thread that the next waypoint names, of a change to another, of a further step of that."""
CHOICE = 0.5
"""Of each further value for a choice."""
MISNAMED = 2.0
"""Of a thread that is not the one that the witness's number means where threads are counted as they are created."""
AHEAD = 8
"""Segments in which a value for a choice is looked for: a step may pass several waypoints before it asks."""
WAYPOINT = 1.5
"""What a waypoint that is passed is worth."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    trace: Trace


@dataclass(frozen=True, slots=True)
class NotConfirmed:
    """`passed`: of the waypoints, at most, in one execution. `elsewhere`: a violation that does not follow it."""

    why: str
    passed: int
    elsewhere: Trace | None = None


@dataclass(frozen=True, slots=True)
class _Node:
    """A state on the way: `names` are the threads that the witness's names stand for so far."""

    state: State
    passed: int
    names: tuple[tuple[str, ThreadId], ...]
    last: int  # thread that moved
    price: float
    created: tuple[int, ...] = (0,)  # threads, in their order
    move: Move | None = None
    parent: _Node | None = field(default=None, repr=False)

    def schedule(self) -> tuple[Move, ...]:
        moves: list[Move] = []
        node: _Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def follow(
    program: Program, prop: Property, witness: ViolationWitness, files: Sequence[str], budget: Budget
) -> Confirmed | NotConfirmed:
    return _Search(program, prop, witness, SourceTexts(files), budget).run()


class _Search:
    def __init__(
        self, program: Program, prop: Property, witness: ViolationWitness, texts: SourceTexts, budget: Budget
    ) -> None:
        self._watched = WatchedMachine(program, prop, texts)
        self._machine = self._watched.machine
        self._in_program = with_program_lines(self._machine)
        self._property = prop
        self._budget = budget
        self._constants = program_constants(program)
        self._named = named_numbers(witness)
        self._replay = Replay(self._machine, prop)
        self._allocates = allocates(program)
        places = WaypointPlaces(self._watched, texts)
        self._segments, self.open = places.known(witness.segments)
        self._targets = [one for one in self._segments[-1] if one.kind is WaypointKind.TARGET] if self._segments else []
        self._goals = len(self._segments) - bool(self._targets)  # segments to pass before the violation
        self._constraints = WaypointConstraints(self._machine, prop)
        self._places = places
        self._todo: list[tuple[float, int, _Node, int, tuple[int, ...]]] = []
        self._made = 0
        self._seen: set[object] = set()
        self._elsewhere: Trace | None = None
        self._most = 0

    def run(self) -> Confirmed | NotConfirmed:
        first = _Node(self._machine.initial(), 0, (("0", MAIN),), 0, 0.0)
        found = self._enter(first)
        while found is None and self._todo:
            if self._budget.left() <= 0:
                return self._not("time")
            _, _, node, thread, choices = heapq.heappop(self._todo)
            found = self._step(node, thread, choices)
        return self._not("no execution follows it") if found is None else Confirmed(found)

    def _not(self, why: str) -> NotConfirmed:
        return NotConfirmed(why, self._most, self._elsewhere)

    # --- the search --------------------------------------------------------------------------------------------------

    def _enter(self, node: _Node) -> Trace | None:
        """Every thread's step from a new state is to be tried."""
        key = (node.state.key(), node.passed, node.names)
        if key in self._seen:
            return None
        self._seen.add(key)
        self._most = max(self._most, node.passed)
        found = self._state_violation(node)
        if found is not None:
            return found
        wanted = self._wanted(node)
        for thread in live_threads(node.state):
            named = wanted is None or thread in wanted
            price = STEP if named else FURTHER if thread == node.last else AWAY
            self._later(node, thread, (), node.price + price)
        return None

    def _later(self, node: _Node, thread: int, choices: tuple[int, ...], price: float) -> None:
        self._made += 1
        rank = price - WAYPOINT * node.passed
        priced = _Node(node.state, node.passed, node.names, node.last, price, node.created, node.move, node.parent)
        heapq.heappush(self._todo, (rank, self._made, priced, thread, choices))

    def _wanted(self, node: _Node) -> set[int] | None:
        """Threads that the next waypoint may mean; None if it says nothing."""
        if node.passed >= len(self._segments):
            return None
        names = dict(node.names)
        found: set[int] = set()
        for waypoint in self._segments[node.passed]:
            if waypoint.action is not WaypointAction.FOLLOW:
                continue
            if waypoint.thread is None:
                return None
            if waypoint.thread in names:
                found |= {n for n, one in node.state.threads.items() if one.id == names[waypoint.thread]}
            else:
                taken = set(names.values())
                free = {n for n, one in node.state.threads.items() if one.id not in taken}
                found |= {n for n in free if str(node.created.index(n)) == waypoint.thread} or free
        return found

    def _step(self, node: _Node, thread: int, choices: tuple[int, ...]) -> Trace | None:
        passing = Passing(self._segments, self._goals, node.passed, node.names, self._places, self._constraints)
        outcome = self._watched.step(node.state, thread, choices, passing.see)
        match outcome:
            case Choose():
                self._choose(node, thread, choices, outcome)
                return None
            case Blocked():
                return None
            case Moved() if passing.avoided:
                return None
            case _:
                pass
        move = Move(node.state.threads[thread].id, choices)
        state = outcome.state if isinstance(outcome, Moved) else node.state
        counted = str(node.created.index(thread))
        misnamed = [name for name, _ in passing.names[len(node.names) :] if name != counted]
        price = node.price + MISNAMED * len(misnamed)
        created = (*node.created, *sorted(state.threads.keys() - set(node.created)))
        after = _Node(state, passing.passed, passing.names, thread, price, created, move, node)
        if isinstance(outcome, Moved):
            return self._enter(after)
        return self._ended(after, outcome)

    def _choose(self, node: _Node, thread: int, choices: tuple[int, ...], choice: Choose) -> None:
        values, _ = values_to_try(choice, self._constants)
        guided = [
            value
            for segment in self._segments[node.passed : node.passed + AHEAD]
            for waypoint in segment
            if waypoint.kind is WaypointKind.FUNCTION_RETURN
            and (value := wanted_result(waypoint.constraint)) is not None
            and choice.low <= value <= choice.high
        ]
        named = [value for value in self._named if choice.low <= value <= choice.high]
        for rank, value in enumerate(dict.fromkeys((*guided, *named, *values))):
            self._later(node, thread, (*choices, value), node.price + CHOICE * rank)

    # --- violations --------------------------------------------------------------------------------------------------

    def _ended(self, node: _Node, outcome: Outcome) -> Trace | None:
        leaks = self._allocates and bad_end(self._machine, self._property, outcome) is not None
        if of_outcome(self._property, outcome) is None and not leaks:
            return None
        return self._violation(node)

    def _state_violation(self, node: _Node) -> Trace | None:
        if node.passed < self._goals:
            return None
        match self._property:
            case Property.NO_DATA_RACE if self._race(node):
                return self._violation(node)
            case Property.NO_DEADLOCK if self._nobody_moves(node.state):
                return self._violation(node)
            case Property.VALID_MEMSAFETY if self._allocates and lost_block(self._machine, node.state) is not None:
                return self._violation(node)
            case _:
                return None

    def _nobody_moves(self, state: State) -> bool:
        live = live_threads(state)
        return bool(live) and all(isinstance(self._machine.step(state, thread), Blocked) for thread in live)

    def _race(self, node: _Node) -> bool:
        """A race, at the statements that the witness names."""
        state = node.state
        machine = self._in_program
        race = first_race({n: next_accesses(machine, state, n, self._constants) for n in live_threads(state)})
        if race is None:
            return False
        return all(self._places.at_target(one, (race[1].loc, race[3].loc)) for one in self._targets)

    def _violation(self, node: _Node) -> Trace | None:
        replayed = self._replay.run(node.schedule())
        if replayed is None:
            return None
        if node.passed < self._goals or not self._at_target(replayed.trace):
            self._elsewhere = self._elsewhere or replayed.trace
            return None
        return replayed.trace

    def _at_target(self, trace: Trace) -> bool:
        if self._property in (Property.NO_DATA_RACE, Property.NO_DEADLOCK, Property.VALID_MEMCLEANUP):
            return True  # of races, both places were compared; the others are no matter of one statement
        return all(self._places.at_target(one, (trace.loc,)) for one in self._targets)
