"""What an exploration found: counts of executions, how they ended, what went wrong on the way."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.explore.lts import LTS, LtsStep, Stopped, StopReason
from threadproof.ir.instr import ErrorKind
from threadproof.semantics.violations import race_between

S = TypeVar("S")


class Races(Enum):
    """What it means that no data race was seen."""

    ALL_SEEN = "there is none"
    IF_SEEN = "nothing"


@dataclass(slots=True)
class Findings:
    traces: int = 0  # maximal executions explored in which no thread waits for ever for an assumption or a spin
    blocked: int = 0  # the other maximal ones
    redundant: int = 0  # executions given up because everything from there on was seen elsewhere
    interleavings: int = 0  # of all traces together, where they are counted
    states: int = 0  # visited, in a search for states
    ends: set[Hashable] = field(default_factory=set[Hashable])  # of executions that are not blocked
    stopped: set[Stopped] = field(default_factory=set[Stopped])
    deadlock: bool = False
    race: bool = False
    races: Races = Races.ALL_SEEN
    cut: dict[str, None] = field(default_factory=dict[str, None])  # why this is not everything

    def maximal(self, lts: LTS[S], state: S) -> None:
        """Count an execution that ended in a state in which no thread can move."""
        if any(why.stop.waits for why in lts.stopped(state)):
            self.blocked += 1
        else:
            self.traces += 1
        self._ended(lts, state)

    def visited(self, lts: LTS[S], state: S, steps: tuple[LtsStep[S], ...]) -> None:
        """Enter a state with all steps possible there, in a search for states: executions are not counted."""
        self.states += 1
        self.cut.update(lts.cut)
        self.stopped |= lts.stopped(state)
        self.race |= races_among(steps)
        if not steps:
            self._ended(lts, state)

    def _ended(self, lts: LTS[S], state: S) -> None:
        stopped = lts.stopped(state)
        self.cut.update(lts.cut)
        self.stopped |= stopped
        if not any(why.stop.waits for why in stopped):
            self.ends.add(lts.shown(state))
            self.deadlock |= bool(lts.threads(state)) and not stopped

    def verdict(self, prop: Property) -> Verdict:
        if self._violates(prop):
            return Verdict.FALSE
        unknown = any(why.stop in (StopReason.UNDEFINED, StopReason.UNSUPPORTED) for why in self.stopped)
        unknown |= prop is Property.NO_DATA_RACE and self.races is Races.IF_SEEN
        return Verdict.UNKNOWN if self.cut or unknown else Verdict.TRUE

    def _violates(self, prop: Property) -> bool:
        match prop:
            case Property.UNREACH_CALL:
                wrong = (ErrorKind.REACH_ERROR.value, ErrorKind.ASSERTION.value)
                return any(why.stop is StopReason.FAILED and why.what in wrong for why in self.stopped)
            case Property.NO_OVERFLOW:
                return any(
                    why.stop is StopReason.FAILED and why.what == ErrorKind.OVERFLOW.value for why in self.stopped
                )
            case Property.NO_DEADLOCK:
                return self.deadlock
            case Property.NO_DATA_RACE:
                return self.race
            case Property.VALID_MEMSAFETY | Property.VALID_MEMCLEANUP:
                raise ValueError("leaks depend on when the process ends, which this system puts off")


def races_among(steps: tuple[LtsStep[S], ...]) -> bool:
    """Whether two threads are about to make accesses that race."""
    return any(a.thread < b.thread and race_between(a.accesses, b.accesses) is not None for a in steps for b in steps)
