"""What a witness says, in either format. Of a violation: a sequence of segments, each with waypoints.

The words are those of format 2 (P. Ayaziová and others, Software Verification Witnesses 2.0, SPIN 2024). An execution
follows a witness if it passes the waypoints to `follow` in the order of the segments, and none of those to `avoid`.
The last segment names where the violation is; of a data race both accesses, which have no order.

Of correctness: invariants, which hold whenever a thread is at their statement, or about to evaluate the condition of
their loop. They speak of what is in scope there, and of ghost variables (J. Erhard and others, Correctness Witnesses
for Concurrent Programs: Bridging the Semantic Divide with Ghosts, VMCAI 2025), which change together with statements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class WaypointKind(Enum):
    ASSUMPTION = "assumption"  # evaluated before a statement
    TARGET = "target"  # the statement in which the violation is
    FUNCTION_ENTER = "function_enter"
    FUNCTION_RETURN = "function_return"
    BRANCHING = "branching"


class WaypointAction(Enum):
    FOLLOW = "follow"
    AVOID = "avoid"


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Lines and columns count from 1; column 0: the witness does not say."""

    file: str
    line: int
    column: int = 0
    function: str = ""


@dataclass(frozen=True, slots=True)
class Waypoint:
    kind: WaypointKind
    position: SourcePosition
    constraint: str = ""  # nothing: always passed
    thread: str | None = None  # None: any
    action: WaypointAction = WaypointAction.FOLLOW
    called: str = ""  # the function that is entered or left, where the witness says it


Segment = tuple[Waypoint, ...]


@dataclass(frozen=True, slots=True)
class ViolationWitness:
    specification: str
    segments: tuple[Segment, ...]
    data_model: str = ""
    hashes: tuple[str, ...] = ()  # SHA-256 of the files, where the witness says them

    @property
    def waypoints(self) -> int:
        return sum(len(segment) for segment in self.segments)


@dataclass(frozen=True, slots=True)
class StateInvariant:
    """`value` is a condition in C. Of a loop, it holds whenever its condition is evaluated."""

    position: SourcePosition
    value: str
    loop: bool = False


@dataclass(frozen=True, slots=True)
class GhostVariable:
    name: str
    type: str = "int"
    initial: str = "0"


@dataclass(frozen=True, slots=True)
class GhostUpdate:
    """The variable gets the value when the statement at the position is made."""

    position: SourcePosition
    variable: str
    value: str


@dataclass(frozen=True, slots=True)
class CorrectnessWitness:
    specification: str = ""
    invariants: tuple[StateInvariant, ...] = ()
    ghosts: tuple[GhostVariable, ...] = ()
    updates: tuple[GhostUpdate, ...] = ()
    data_model: str = ""
    hashes: tuple[str, ...] = ()
