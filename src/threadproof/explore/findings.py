"""What an exploration found: counts of executions, how they ended, what went wrong on the way."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.explore.lts import LTS, Stop, Stopped
from threadproof.ir.instr import ErrorKind

S = TypeVar("S")


@dataclass(slots=True)
class Findings:
    traces: int = 0  # maximal executions explored in which no thread waits for ever for an assumption or a spin
    blocked: int = 0  # the other maximal ones
    redundant: int = 0  # executions given up because everything from there on was seen elsewhere
    interleavings: int = 0  # of all traces together, where they are counted
    ends: set[Hashable] = field(default_factory=set[Hashable])  # of executions that are not blocked
    stopped: set[Stopped] = field(default_factory=set[Stopped])
    deadlock: bool = False
    race: bool = False
    cut: dict[str, None] = field(default_factory=dict[str, None])  # why this is not everything

    def maximal(self, lts: LTS[S], state: S) -> None:
        """Enter a state in which no thread can move."""
        stopped = lts.stopped(state)
        self.stopped |= stopped
        if any(why.stop.waits for why in stopped):
            self.blocked += 1
            return
        self.traces += 1
        self.ends.add(lts.shown(state))
        self.deadlock |= bool(lts.threads(state)) and not stopped

    def verdict(self, prop: Property) -> Verdict:
        if self._violates(prop):
            return Verdict.FALSE
        unknown = any(why.stop in (Stop.UNDEFINED, Stop.UNSUPPORTED) for why in self.stopped)
        return Verdict.UNKNOWN if self.cut or unknown else Verdict.TRUE

    def _violates(self, prop: Property) -> bool:
        match prop:
            case Property.UNREACH_CALL:
                wrong = (ErrorKind.REACH_ERROR.value, ErrorKind.ASSERTION.value)
                return any(why.stop is Stop.FAILED and why.what in wrong for why in self.stopped)
            case Property.NO_OVERFLOW:
                return any(why.stop is Stop.FAILED and why.what == ErrorKind.OVERFLOW.value for why in self.stopped)
            case Property.NO_DEADLOCK:
                return self.deadlock
            case Property.NO_DATA_RACE:
                return self.race
            case Property.VALID_MEMSAFETY:
                raise ValueError("leaks depend on when the process ends, which this system puts off")
