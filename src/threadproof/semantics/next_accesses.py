"""The accesses a thread could make with its next step, whatever its choices: two threads' sets tell a data race."""

from __future__ import annotations

from threadproof.semantics.domains import values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Access, Blocked, Choose
from threadproof.semantics.state import State
from threadproof.semantics.violations import accesses


def next_accesses(machine: Machine, state: State, thread: int, constants: tuple[int, ...]) -> list[Access]:
    """`constants`: those of the program, for the values that are tried."""
    found: list[Access] = []
    todo: list[tuple[int, ...]] = [()]
    while todo:
        choices = todo.pop()
        outcome = machine.step(state, thread, choices)
        if isinstance(outcome, Choose):
            values, _ = values_to_try(outcome, constants)
            todo.extend((*choices, value) for value in reversed(values))
        elif not isinstance(outcome, Blocked):
            found.extend(accesses(outcome.effects))
    return found
