"""One step with its choices answered: by whoever knows, by chance, or in every way.

`Machine.step` comes back with `Choose` where an answer is missing, and is asked again with one more. All who step the
reference machine do it through this file; `values_to_try` says which values stand for a wide domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from threadproof.core.schedule import Move
from threadproof.semantics.domains import values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Answered, Choose
from threadproof.semantics.state import State

Answer = Callable[[Choose], int]
TELLING = 0.75  # of the random answers to a wide choice are numbers that the program mentions, or bounds


class AnsweredStep(NamedTuple):
    """A step with all answers given. Nothing moved if the outcome is `Blocked`."""

    move: Move
    outcome: Answered


def step_with(machine: Machine, state: State, thread: int, answer: Answer) -> AnsweredStep:
    """The thread's step where `answer` says what is chosen; what it raises ends the attempt."""
    choices: tuple[int, ...] = ()
    while isinstance(outcome := machine.step(state, thread, choices), Choose):
        choices = (*choices, answer(outcome))
    return AnsweredStep(Move(state.threads[thread].id, choices), outcome)


def every_step(
    machine: Machine, state: State, thread: int, constants: tuple[int, ...], incomplete: Callable[[Choose], None]
) -> Iterator[AnsweredStep]:
    """Every way to make the thread's step, in the order of the answers. `constants` are the program's; `incomplete` is
    called with a choice that has more values than are tried."""
    todo: list[tuple[int, ...]] = [()]
    while todo:
        choices = todo.pop()
        outcome = machine.step(state, thread, choices)
        if isinstance(outcome, Choose):
            values, complete = values_to_try(outcome, constants)
            if not complete:
                incomplete(outcome)
            todo.extend((*choices, value) for value in reversed(values))
        else:
            yield AnsweredStep(Move(state.threads[thread].id, choices), outcome)


def fitted(choice: Choose, value: int) -> int:
    """An answer that is as near as possible to a number of `bits` bits, signed or not: from a model, or a recording."""
    if choice.low < 0 and value >= 1 << (choice.bits - 1):
        value -= 1 << choice.bits
    return min(max(value, choice.low), choice.high)


def at_random(chance: Random, constants: tuple[int, ...], telling: float = TELLING) -> Answer:
    """Uniform over the values to try; of a wide choice, otherwise over its whole range."""

    def answer(choice: Choose) -> int:
        values, complete = values_to_try(choice, constants)
        if complete or telling == 1 or chance.random() < telling:
            return chance.choice(values)
        return chance.randint(choice.low, choice.high)

    return answer
