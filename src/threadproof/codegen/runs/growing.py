"""A machine that grows: capacities are no user's business."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from threadproof.codegen.machine.blocks import state_block
from threadproof.codegen.runs.batch import Batch
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind

MOST_BYTES = 1 << 28
"""No state is larger, whatever its rooms."""


class Growing:
    """Holds a machine that is rebuilt larger whenever runs need more room, which changes no run.

    While only some runs of a batch lack room, a state does not grow beyond `most_bytes`: a program that allocates
    as much as an unknown value says would otherwise make all its runs slow."""

    def __init__(self, machine: NativeMachine, most_bytes: int = MOST_BYTES) -> None:
        self.machine = machine
        self._most_bytes = most_bytes

    def make(self, batch: Callable[[NativeMachine], Batch]) -> Batch:
        """The batch on a machine with enough room. CAPACITY is among its outcomes only at the limit."""
        while True:
            made = batch(self.machine)
            if not self.grow(made):
                return made

    def grow(self, made: Batch) -> bool:
        """Make room for what the runs lacked; whether there is a larger machine now."""
        lacking = made.count(OutcomeKind.CAPACITY)
        most = self._most_bytes if lacking < len(made.kinds) else MOST_BYTES
        old = self.machine
        capacity = old.capacity
        for room in sorted(made.rooms()):
            larger = capacity.grown(room)
            if ctypes.sizeof(state_block(old.numbering, larger, old.variant.dormant)) <= most:
                capacity = larger
        if capacity == old.capacity:
            return False
        self.machine = old.rebuilt(capacity, old.effort)
        return True

    def optimise(self) -> None:
        """The same machine, better compiled, unless the program is too large for that."""
        old = self.machine
        effort = CompilerEffort.for_size(old.numbering.pc_count)
        if effort is not old.effort:
            self.machine = old.rebuilt(old.capacity, effort)
