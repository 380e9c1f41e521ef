"""Where the process ends: is memory lost there? The reference semantics looks at each end once.

Invariants: an end is known by all bytes of its state, not by a digest, because `true` rests on it. An end beside which
other threads could still move is one of several (the kernel counts those): what is lost at the others is not known.
"""

from __future__ import annotations

from threadproof.codegen.native import NativeMachine
from threadproof.core.schedule import Schedule
from threadproof.core.thread_id import number
from threadproof.semantics.leaks import lost_at_end, lost_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Moved
from threadproof.semantics.run import Granularity, Solo

MOST_BYTES = 1 << 26


class Ends:
    def __init__(self, machine: NativeMachine) -> None:
        self._decoder = machine.decoder
        self._machine = Machine(machine.program, Granularity.VISIBLE, machine.spurious, Solo.EVER)
        self._seen: set[tuple[bytes, Schedule]] = set()
        self._bytes = 0
        self.full = False  # then ends were passed over

    def lost_by(self, before: bytes, moves: Schedule) -> bool:
        """Whether memory is lost where these moves end the process."""
        if not self._is_new(before, moves):
            return False
        state = self._decoder.state(before)
        for move in moves:
            outcome = self._machine.step(state, number(move.thread), move.choices)
            if not isinstance(outcome, Moved):
                return lost_at_end(self._machine, outcome) is not None
            state = outcome.state
        raise AssertionError("the native machine says that the process ends here")

    def lost_in(self, state: bytes) -> bool:
        """Whether memory is lost in this state, in which nothing moves any more."""
        return self._is_new(state, ()) and lost_block(self._machine, self._decoder.state(state)) is not None

    def _is_new(self, state: bytes, moves: Schedule) -> bool:
        if (state, moves) in self._seen:
            return False
        if self._bytes > MOST_BYTES:
            self.full = True
            return False
        self._seen.add((state, moves))
        self._bytes += len(state)
        return True
