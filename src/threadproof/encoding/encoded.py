"""What an encoded expression consists of, and what it is encoded in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from threadproof.ir.expr import Expr
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.layout import Layout
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True)
class NotEncoded:
    """What the formula cannot express: if an execution may reach it, the verdict is `unknown`."""

    reason: str


@dataclass(frozen=True, slots=True)
class EncodedTrap:
    """Something happens instead of a value, if the condition holds and no earlier trap's does."""

    condition: Term
    what: UndefinedKind | NotEncoded


@dataclass(frozen=True, slots=True)
class Encoded:
    """`value` means something where no trap's condition holds.

    Traps stand in the order of evaluation. The definitions tie variables made on the way to the operands; they can be
    satisfied whatever those are, so asserting them excludes no execution.
    """

    value: Term
    traps: tuple[EncodedTrap, ...] = ()
    definitions: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    """An object, alive or dead, and where it lies if it exists."""

    exists: Term
    start: Term  # address
    size: Term  # bytes, as wide as an address


@dataclass(frozen=True, slots=True)
class Environment:
    """Where an expression is evaluated."""

    layout: Layout
    registers: Mapping[str, Term]
    tls: Term  # base of the running thread's thread-local storage
    zones: Callable[[Expr], Sequence[Zone]]
    """Every object that a pointer (an expression) may point to or near to. Leaving one out is unsound."""
