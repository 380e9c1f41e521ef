"""One random step: uniform over the active threads, uniform over the values of a choice.

Paper: Traonouez et al., Algorithm 1 with the default environment. A thread whose next instruction would block is not
active. Differs: activity is found by trying. A thread drawn that turns out blocked is taken out and another drawn,
which gives the same distribution and tries one thread instead of all.

Invariants: draws the random numbers that `codegen/kernel/schedulers.h` draws, and orders threads as it does, so that
the runs of both machines are the same.
"""

from __future__ import annotations

from typing import Any, Protocol

from threadproof.codegen.runs.decode import canonical
from threadproof.core.schedule import Move
from threadproof.engines.smc.sampling.generator import RunRandom
from threadproof.engines.smc.sampling.sampler import Ending
from threadproof.semantics.choices import step_with
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Outcome,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.state import State, live_threads
from threadproof.sync.facts import WAITS_FOR_THREAD, Act, does


class RunEnd(Exception):
    """The run is over. `steps`: 1 if its last step was made and led to no state, 0 if there was none."""

    def __init__(self, ending: Ending, cause: str = "", steps: int = 1) -> None:
        super().__init__(cause)
        self.ending, self.cause, self.steps = ending, cause, steps


class RandomWalker(Protocol):
    """Makes random steps of some kind; raises RunEnd when there is none. `last` is the move made last."""

    last: Move

    def initial(self) -> State: ...

    def begin(self, state: State) -> None:
        """A run starts here."""
        ...

    def advance(self, state: State, rng: RunRandom) -> State: ...

    def key(self, state: State) -> Any:
        """Hashable, and equal for states that are the same."""
        ...


class Candidates:
    """Threads: [0, active) may move, [active, tried) just blocked, the others wait for the end of a thread."""

    def __init__(self, state: State) -> None:
        self._live = live_threads(state)
        self.numbers = list(self._live)
        self.active = self._tried = len(self.numbers)

    def set_aside(self, index: int, until_end: bool) -> None:
        """The candidate cannot move now; `until_end`: not before a thread ends."""
        self.active -= 1
        self._swap(index, self.active)
        if until_end:
            self._tried -= 1
            self._swap(self.active, self._tried)

    def _swap(self, a: int, b: int) -> None:
        self.numbers[a], self.numbers[b] = self.numbers[b], self.numbers[a]

    def moved(self, state: State, cancelled: bool) -> None:
        if cancelled or live_threads(state) != self._live:
            Candidates.__init__(self, state)
        else:
            self.active = self._tried


class UniformWalker:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.last = Move(())
        self._candidates = Candidates(machine.initial())

    def initial(self) -> State:
        return self.machine.initial()

    def begin(self, state: State) -> None:
        self._candidates = Candidates(state)

    def advance(self, state: State, rng: RunRandom) -> State:
        candidates = self._candidates
        while state.atomic is not None or candidates.active:
            index = rng.below(candidates.active) if state.atomic is None else 0
            number = candidates.numbers[index] if state.atomic is None else state.atomic
            outcome = self.step(state, number, rng)
            if not isinstance(outcome, Blocked):
                after = successor(outcome)
                candidates.moved(after, self._cancels(state, number))
                return after
            candidates.set_aside(index, outcome.operation == WAITS_FOR_THREAD)
        raise RunEnd(Ending.DEADLOCK, steps=0)

    def key(self, state: State) -> Any:
        return canonical(self.machine, state).key()

    def _cancels(self, state: State, number: int) -> bool:
        """One that waits for the end of a thread may move after that, too."""
        found = self.machine.next_instr(state, number)
        return found is not None and does(found[1], Act.CANCEL)

    def step(self, state: State, number: int, rng: RunRandom) -> Outcome:
        """One thread's step with random choices."""
        self.last, outcome = step_with(self.machine, state, number, lambda choice: self.choose(choice, rng))
        return outcome

    def choose(self, choice: Choose, rng: RunRandom) -> int:
        return rng.between(choice.low, choice.high)


def successor(outcome: Outcome) -> State:
    match outcome:
        case Moved():
            return outcome.state
        case Finished():
            raise RunEnd(Ending.FINISHED)
        case Failed():
            raise RunEnd(Ending.ERROR)
        case AssumptionFailed():
            raise RunEnd(Ending.ASSUMPTION)
        case UndefinedBehaviour():
            raise RunEnd(Ending.UNDEFINED, f"undefined behaviour: {outcome.kind.value} at {outcome.loc}")
        case Stuck():
            raise RunEnd(Ending.DEADLOCK)
        case NotSupported():
            raise RunEnd(Ending.UNSUPPORTED, f"unsupported: {outcome.construct} at {outcome.loc}")
        case Blocked() | Choose():
            raise AssertionError("blocked threads and open choices are dealt with before")
