"""Transition systems of threads: what every reduction is written against.

A step is one visible operation of one thread with the private computation that follows it. The system says who can
move in a state and what each step touches; reductions are filters over it, and know nothing of C.

Steps that end the execution (an error, a failed assumption, `exit`, the return of main) only stop their own thread
here, and the others go on. That neither loses nor invents behaviour of the others: such a step changes nothing, so a
schedule may as well put it off; what the others do afterwards they could have done before it. So no end of the
process cuts an execution short, which every reduction would have to treat as dependent on everything.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, Protocol, TypeVar

from threadproof.core.schedule import Move
from threadproof.semantics.outcome import Access
from threadproof.sync.footprint import Mode, Touch, ordered

S = TypeVar("S")

Footprint = tuple[Touch, ...]

EVERYTHING: Footprint = (Touch(0, 1 << 65, Mode.WRITE),)
"""Of a step whose accesses are not known: it is ordered with every step that touches anything."""


class Action(NamedTuple):
    """A step as a label: who moves, and the answers to the questions on the way."""

    thread: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class LtsStep(Generic[S]):
    action: Action
    footprint: Footprint
    target: S
    creates: tuple[int, ...] = ()
    accesses: tuple[Access, ...] = ()  # of memory, for finding data races
    siblings: int = 1  # in how many ways the thread can make this step, this one included

    @property
    def thread(self) -> int:
        return self.action.thread


class StopReason(Enum):
    """Why a thread will never move again, apart from having finished."""

    FAILED = "failed"
    UNDEFINED = "undefined behaviour"
    EXIT = "ended the process"
    ASSUMPTION = "its assumption does not hold"
    SPINS = "spins: nothing changed in a whole iteration, nor ever will"
    UNSUPPORTED = "unsupported"

    @property
    def waits(self) -> bool:
        """Whether it waits for ever for something that did not come: its execution counts as blocked."""
        return self in (StopReason.ASSUMPTION, StopReason.SPINS)


class Stopped(NamedTuple):
    stop: StopReason
    what: str = ""
    line: int = 0


class LTS(Protocol[S]):
    cut: dict[str, None]
    """Why not everything was looked at, in the order met: then no answer is `true`."""

    def initial(self) -> S: ...

    def threads(self, state: S) -> tuple[int, ...]:
        """Those that have neither finished nor stopped, in order."""
        ...

    def steps(self, state: S, thread: int) -> tuple[LtsStep[S], ...]:
        """Every way in which the thread can make its next step; none while it waits."""
        ...

    def waits_for(self, state: S, thread: int) -> Footprint:
        """Something that the next step of a blocked thread will touch, and every step that unblocks it touches."""
        ...

    def stopped(self, state: S) -> frozenset[Stopped]:
        """Why threads have stopped."""
        ...

    def key(self, state: S) -> Hashable:
        """Equal exactly for equal states."""
        ...

    def shown(self, state: S) -> Hashable:
        """What a state is to an observer: equal for states that equivalent executions lead to."""
        ...


def dependent(first: Footprint, second: Footprint) -> bool:
    """Whether two steps of different threads, in this order, must stay in this order."""
    return any(ordered(a, b) for a in first for b in second)


def enabled(lts: LTS[S], state: S) -> tuple[LtsStep[S], ...]:
    """Every step of every thread."""
    return tuple(step for thread in lts.threads(state) for step in lts.steps(state, thread))
