"""When an outcome or a state violates a property: said once, used by every exploring engine and by the replay.

| outcome                | unreach-call | no-data-race, no-deadlock | no-overflow | valid-memsafety |
|------------------------|--------------|---------------------------|-------------|-----------------|
| reach_error, assertion | violation    | ends the execution        | ends it     | ends it         |
| overflow handler       | (not compiled in)                        | violation   |                 |
| memory error           | undefined    | undefined                 | undefined   | violation       |
| division by zero, ...  | undefined    | undefined                 | undefined   | undefined       |

`undefined` ends the execution and keeps `true` from being said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from threadproof.core.property import Property
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.program import Program, Spurious
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    Choose,
    Effect,
    Failed,
    NotSupported,
    Outcome,
    UndefinedBehaviour,
)

_DEREFERENCE = (
    UndefinedKind.NULL_DEREFERENCE,
    UndefinedKind.WILD_DEREFERENCE,
    UndefinedKind.OUT_OF_BOUNDS,
    UndefinedKind.USE_AFTER_FREE,
    UndefinedKind.DEAD_LOCAL,
    UndefinedKind.WRITE_TO_CONSTANT,
    UndefinedKind.WILD_CALL,
)
_FREE = (UndefinedKind.DOUBLE_FREE, UndefinedKind.INVALID_FREE)


@dataclass(frozen=True, slots=True)
class Violation:
    cause: str  # a sentence
    loc: SourceLoc
    violated: str = ""  # memory safety's sub-property


def of_outcome(prop: Property, outcome: Outcome) -> Violation | None:
    """The violation this outcome is, if any."""
    match outcome:
        case Failed(kind=ErrorKind.OVERFLOW) if prop is Property.NO_OVERFLOW:
            return Violation(f"{outcome.message} at {outcome.loc}", outcome.loc)
        case Failed(kind=ErrorKind.REACH_ERROR | ErrorKind.ASSERTION) if prop is Property.UNREACH_CALL:
            return Violation(f"{outcome.message} at {outcome.loc}", outcome.loc)
        case UndefinedBehaviour() if prop is Property.VALID_MEMSAFETY:
            violated = sub_property(outcome.kind)
            if violated:
                what = outcome.kind.value + (f" ({outcome.detail})" if outcome.detail else "")
                return Violation(f"{what} at {outcome.loc}", outcome.loc, violated)
        case _:
            pass
    return None


def failures(prop: Property) -> frozenset[ErrorKind]:
    """The errors that violate the property when they are reached; others end the execution."""
    return frozenset(kind for kind in ErrorKind if of_outcome(prop, Failed(kind, "", NOWHERE)))


def forbidden(prop: Property) -> frozenset[UndefinedKind]:
    """The undefined behaviour that violates the property; other kinds keep `true` from being said."""
    return frozenset(kind for kind in UndefinedKind if of_outcome(prop, UndefinedBehaviour(kind, "", NOWHERE)))


def spurious_for(prop: Property, program: Program) -> Spurious:
    """Unless the user says otherwise, only deadlock forbids spurious wake-ups: with them, one who waits for a signal
    never waits for ever."""
    if program.spurious is not None:
        return program.spurious
    return Spurious.OFF if prop is Property.NO_DEADLOCK else Spurious.ON


def why_cut(outcome: Choose | UndefinedBehaviour | NotSupported) -> str:
    """Why `true` cannot be said once this was met."""
    match outcome:
        case Choose():
            return f"not all values of {outcome.source} tried (nondeterminism at {outcome.loc})"
        case UndefinedBehaviour():
            return f"undefined behaviour: {outcome.kind.value} at {outcome.loc}"
        case NotSupported():
            return f"unsupported: {outcome.construct} at {outcome.loc}"


def sub_property(kind: UndefinedKind) -> str:
    if kind in _DEREFERENCE:
        return "valid-deref"
    return "valid-free" if kind in _FREE else ""


def accesses(effects: Iterable[Effect]) -> list[Access]:
    return [effect for effect in effects if isinstance(effect, Access)]


def race_between(mine: Iterable[Access], others: Iterable[Access]) -> tuple[Access, Access] | None:
    """Two conflicting accesses, not both atomic, that two threads could make next."""
    theirs = list(others)
    for a in mine:
        for b in theirs:
            if (
                a.address < b.address + b.size
                and b.address < a.address + a.size
                and (a.kind is not AccessKind.READ or b.kind is not AccessKind.READ)
                and not (a.atomic and b.atomic)
            ):
                return a, b
    return None


def first_race(footprints: dict[int, list[Access]]) -> tuple[int, Access, int, Access] | None:
    """A race among the accesses that the threads (by number) could make next in one state."""
    numbers = sorted(footprints)
    for index, a in enumerate(numbers):
        for b in numbers[index + 1 :]:
            found = race_between(footprints[a], footprints[b])
            if found is not None:
                return a, found[0], b, found[1]
    return None
