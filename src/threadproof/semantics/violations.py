"""When an outcome or a state violates a property: said once, used by every exploring engine and by the replay.

Which kinds of errors and undefined behaviour violate which property is the table of `ir.violations`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from threadproof.core.property import Property
from threadproof.core.source import SourceLoc
from threadproof.ir.program import Program, Spurious
from threadproof.ir.violations import failures, forbidden, sub_property
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


@dataclass(frozen=True, slots=True)
class Violation:
    cause: str  # a sentence
    loc: SourceLoc
    violated: str = ""  # memory safety's sub-property


def of_outcome(prop: Property, outcome: Outcome) -> Violation | None:
    """The violation this outcome is, if any."""
    match outcome:
        case Failed() if outcome.kind in failures(prop):
            return Violation(f"{outcome.message} at {outcome.loc}", outcome.loc)
        case UndefinedBehaviour() if outcome.kind in forbidden(prop):
            what = outcome.kind.value + (f" ({outcome.detail})" if outcome.detail else "")
            return Violation(f"{what} at {outcome.loc}", outcome.loc, sub_property(outcome.kind))
        case _:
            pass
    return None


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
