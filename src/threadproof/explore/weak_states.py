"""Brute force under a memory model: every state of a small program, by steps and flushes alike.

What symbolic engines say about TSO and PSO is compared with this. Private computation and the ends of threads go first,
nothing else is left out. Buffers are part of the state: a loop that stores without ever draining has infinitely many.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.core.schedule import Move, Schedule
from threadproof.explore.traces import TooManyStates
from threadproof.ir.program import Program
from threadproof.semantics.choices import every_step
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Blocked, Choose, Finished, Moved, NotSupported, Outcome, UndefinedBehaviour
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Pending, State, live_threads
from threadproof.semantics.violations import first_race, of_outcome, spurious_for, why_cut
from threadproof.semantics.weak import flushes, machine_under

Values = tuple[int, ...]


@dataclass(slots=True)
class Reached:
    states: int = 0
    schedule: Schedule | None = None  # a shortest one to a violation
    finals: set[Values] = field(default_factory=set[Values])  # of the variables asked for, where the program ended
    cut: dict[str, None] = field(default_factory=dict[str, None])  # why this is not everything

    @property
    def verdict(self) -> Verdict:
        if self.schedule is not None:
            return Verdict.FALSE
        return Verdict.UNKNOWN if self.cut else Verdict.TRUE


def reach(
    program: Program,
    model: MemoryModel,
    prop: Property = Property.UNREACH_CALL,
    variables: tuple[str, ...] = (),
    limit: int = 200_000,
) -> Reached:
    """Every state; `variables` are globals of four bytes whose last values are wanted."""
    if prop in (Property.VALID_MEMSAFETY, Property.VALID_MEMCLEANUP):
        raise ValueError("lost memory is not looked at here")
    machine = machine_under(model, program, Granularity.VISIBLE, spurious_for(prop, program))
    return _Search(machine, prop, variables, limit).run()


class _Search:
    def __init__(self, machine: Machine, prop: Property, variables: tuple[str, ...], limit: int) -> None:
        self._machine = machine
        self._property = prop
        self._variables = [machine.layout.globals[name] for name in variables]
        self._limit = limit
        self._constants = program_constants(machine.program)
        self._found = Reached()
        self._came_from: dict[Hashable, tuple[Hashable, Move] | None] = {}

    def run(self) -> Reached:
        start = self._machine.initial()
        self._came_from[start.key()] = None
        todo = deque([start])
        while todo:
            state = todo.popleft()
            key = state.key()
            moves = list(self._moves(state))
            if self._violates(state, moves):
                self._found.schedule = self._found.schedule or self._path(key)
            for move, outcome in moves:
                if isinstance(outcome, Moved):
                    target = outcome.state.key()
                    if target not in self._came_from:
                        self._came_from[target] = (key, move)
                        todo.append(outcome.state)
                else:
                    self._ended(key, move, outcome)
            if len(self._came_from) > self._limit:
                raise TooManyStates(f"more than {self._limit} states")
        self._found.states = len(self._came_from)
        return self._found

    def _violates(self, state: State, moves: list[tuple[Move, Outcome]]) -> bool:
        """Whether the state itself is a violation."""
        threads = live_threads(state)
        match self._property:
            case Property.NO_DEADLOCK:
                return bool(threads) and not moves
            case Property.NO_DATA_RACE:
                accesses = {n: next_accesses(self._machine, state, n, self._constants) for n in threads}
                return first_race(accesses) is not None
            case _:
                return False

    def _moves(self, state: State) -> Iterator[tuple[Move, Outcome]]:
        """Everything that can happen next, or one thing that may as well go first."""
        threads = live_threads(state)
        quiet = [n for n in threads if _is_quiet(state, n)]
        for number in quiet[:1] or threads:
            for move, outcome in every_step(self._machine, state, number, self._constants, self._leaves_out):
                if not isinstance(outcome, Blocked):
                    yield move, outcome
        for number in () if quiet else threads:
            for place in flushes(self._machine, state, number):
                move = Move(state.threads[number].id, flush=place)
                yield move, self._machine.move(state, move)

    def _leaves_out(self, choice: Choose) -> None:
        self._found.cut[why_cut(choice)] = None

    def _ended(self, key: Hashable, move: Move, outcome: Outcome) -> None:
        if of_outcome(self._property, outcome) is not None:
            self._found.schedule = self._found.schedule or (*self._path(key), move)
        elif isinstance(outcome, Finished):
            view = MemoryView(self._machine.static.image, outcome.state)
            self._found.finals.add(tuple(view.peek_word(address, 32) for address in self._variables))
        elif isinstance(outcome, UndefinedBehaviour | NotSupported):
            self._found.cut[why_cut(outcome)] = None

    def _path(self, key: Hashable) -> Schedule:
        moves: list[Move] = []
        while (came := self._came_from[key]) is not None:
            key, move = came
            moves.append(move)
        return tuple(reversed(moves))


def _is_quiet(state: State, number: int) -> bool:
    """Whether the thread's next step takes nothing from the others: private computation, or its end."""
    thread = state.threads[number]
    return thread.pending is Pending.LOCAL or (thread.pending is Pending.END and not thread.buffer)
