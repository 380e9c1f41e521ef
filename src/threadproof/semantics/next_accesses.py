"""The accesses a thread could make with its next step, whatever its choices: two threads' sets tell a data race."""

from __future__ import annotations

from threadproof.semantics.choices import every_step
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Access, Blocked
from threadproof.semantics.state import State
from threadproof.semantics.violations import accesses


def next_accesses(machine: Machine, state: State, thread: int, constants: tuple[int, ...]) -> list[Access]:
    """`constants`: those of the program, for the values that are tried."""
    steps = every_step(machine, state, thread, constants, lambda _: None)
    return [access for _, outcome in steps if not isinstance(outcome, Blocked) for access in accesses(outcome.effects)]
