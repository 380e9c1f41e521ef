"""The certificate of an exploration: the reference semantics makes the states and their steps again.

An exploration (`explicit`, `dpor`, or `bmc`'s unwinding) leaves no labels behind. What can be checked cheaply, and
without any of its code, is what it says: every state that can be reached, found again without reductions, keeps the
property, all values of every choice were tried, and nothing undefined or unsupported was met. If that ends in time, all
is checked; if not, the figures say how many states were looked at with all their steps, and the rest is trusted.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.evidence.replay import machine_for
from threadproof.ir.program import Program
from threadproof.semantics.choices import every_step
from threadproof.semantics.domains import program_constants
from threadproof.semantics.leaks import allocates, bad_end, lost_block
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Blocked, Choose, Moved, NotSupported, Outcome, UndefinedBehaviour
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import first_race, of_outcome, why_cut


@dataclass(frozen=True, slots=True)
class ExploredAgain:
    """`left`: states that were met, but not looked at. `against`: what contradicts the proof."""

    states: int
    left: int
    against: str = ""

    @property
    def complete(self) -> bool:
        return not self.left and not self.against


def explored_again(program: Program, prop: Property, model: MemoryModel, budget: Budget) -> ExploredAgain | None:
    """None under weak memory: there the reference machine has no complete list of moves here."""
    if model is not MemoryModel.SC:
        return None
    return _Exploration(program, prop).run(budget)


class _Against(Exception):
    pass


class _Exploration:
    def __init__(self, program: Program, prop: Property) -> None:
        self._machine = machine_for(program, prop)
        self._property = prop
        self._constants = program_constants(program)
        self._allocates = allocates(program)

    def run(self, budget: Budget) -> ExploredAgain:
        first = self._machine.initial()
        seen = {first.key()}
        todo = deque([first])
        done = 0
        while todo and budget.left() > 0:
            state = todo.popleft()
            try:
                successors = self._successors(state)
            except _Against as why:
                return ExploredAgain(done, len(todo), str(why))
            done += 1
            for one in successors:
                key = one.key()
                if key not in seen:
                    seen.add(key)
                    todo.append(one)
        return ExploredAgain(done, len(todo))

    def _successors(self, state: State) -> list[State]:
        """Raises where something speaks against the proof."""
        if self._property is Property.NO_DATA_RACE:
            self._no_race(state)
        found: list[State] = []
        live = live_threads(state)
        blocked = 0
        for thread in live:
            for _, outcome in every_step(self._machine, state, thread, self._constants, _incomplete):
                blocked += isinstance(outcome, Blocked)
                self._keeps(outcome)
                if isinstance(outcome, Moved):
                    found.append(outcome.state)
        if self._property is Property.NO_DEADLOCK and live and blocked and not found and blocked == len(live):
            raise _Against("all threads wait for ever")
        return found

    def _keeps(self, outcome: Outcome) -> None:
        violation = of_outcome(self._property, outcome)
        if violation is not None:
            raise _Against(violation.cause)
        if isinstance(outcome, UndefinedBehaviour | NotSupported):
            raise _Against(why_cut(outcome))
        if not self._allocates or isinstance(outcome, Blocked | Choose):
            return
        if isinstance(outcome, Moved):
            lost = self._property is Property.VALID_MEMSAFETY and lost_block(self._machine, outcome.state) is not None
        else:
            lost = bad_end(self._machine, self._property, outcome) is not None
        if lost:
            raise _Against("memory is lost, or left")

    def _no_race(self, state: State) -> None:
        steps = {n: next_accesses(self._machine, state, n, self._constants) for n in live_threads(state)}
        race = first_race(steps)
        if race is not None:
            raise _Against(f"a race: {race[1].loc} and {race[3].loc}")


def _incomplete(choice: Choose) -> None:
    raise _Against(why_cut(choice))
