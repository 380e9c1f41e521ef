"""What a native step can come to: the reference's outcomes, and two that only a machine with limits has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from threadproof.core.source import SourceLoc
from threadproof.ir.instr import HaltKind
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    NotSupported,
    Stuck,
    UndefinedBehaviour,
)


class OutcomeKind(IntEnum):
    """The order of the kernel's `O_...`; those from DEADLOCK on are of whole runs."""

    MOVED = 0
    FINISHED = 1
    FAILED = 2
    UNDEFINED = 3
    ASSUMPTION = 4
    BLOCKED = 5
    STUCK = 6
    UNSUPPORTED = 7
    CHOOSE = 8
    NOT_NATIVE = 9
    CAPACITY = 10
    DEADLOCK = 11  # no thread can move
    STEPS = 12  # the run was cut at its maximal length
    DECIDED = 13  # the monitor knows its verdict
    LEVEL = 14  # the score reached the level
    SCHEDULE_END = 15  # a replayed schedule has no more moves
    INTERRUPTED = 16


@dataclass(frozen=True, slots=True)
class NativeMoved:
    """As `semantics.outcome.Moved`, with the state as a block."""

    state: bytes


@dataclass(frozen=True, slots=True)
class NativeFinished:
    kind: HaltKind
    state: bytes
    loc: SourceLoc


@dataclass(frozen=True, slots=True)
class NotNative:
    """The reference has a meaning for this, the native machine has none. Never a verdict."""

    construct: str
    loc: SourceLoc


@dataclass(frozen=True, slots=True)
class OutOfCapacity:
    """The state block has no room. Never a verdict: `NativeMachine.grown` has more."""

    room: str


NativeOutcome = (
    NativeMoved
    | NativeFinished
    | Failed
    | UndefinedBehaviour
    | AssumptionFailed
    | Blocked
    | Stuck
    | NotSupported
    | Choose
    | NotNative
    | OutOfCapacity
)
