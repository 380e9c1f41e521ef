"""One random step: uniform over the active threads, uniform over the values of a choice.

Paper: Traonouez et al., Algorithm 1 with the default environment. A thread whose next instruction would block is not
active. Differs: activity is found by trying. A thread drawn that turns out blocked is taken out and another drawn,
which gives the same distribution and tries one thread instead of all.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from threadproof.core.schedule import Move
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


class RunEnd(Exception):
    """The run is over."""

    def __init__(self, ending: Ending, cause: str = "") -> None:
        super().__init__(cause)
        self.ending, self.cause = ending, cause


class RandomWalker(Protocol):
    """Makes random steps of some kind; raises End when there is none. `last` is the move made last."""

    last: Move

    def initial(self) -> State: ...

    def advance(self, state: State, rng: Random) -> State: ...


class UniformWalker:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.last = Move(())

    def initial(self) -> State:
        return self.machine.initial()

    def advance(self, state: State, rng: Random) -> State:
        candidates = [state.atomic] if state.atomic is not None else live_threads(state)
        while candidates:
            index = rng.randrange(len(candidates)) if len(candidates) > 1 else 0
            outcome = self.step(state, candidates[index], rng)
            if not isinstance(outcome, Blocked):
                return successor(outcome)
            del candidates[index]
        raise RunEnd(Ending.DEADLOCK)

    def step(self, state: State, number: int, rng: Random) -> Outcome:
        """One thread's step with random choices."""
        self.last, outcome = step_with(self.machine, state, number, lambda choice: self.choose(choice, rng))
        return outcome

    def choose(self, choice: Choose, rng: Random) -> int:
        return rng.randint(choice.low, choice.high)


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
