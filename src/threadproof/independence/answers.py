"""What can be said about two letters: they swap always, never, under a condition, or in one direction.

The question is always asked in a state in which the two threads stand where the letters begin, and which satisfies
what is given. `docs/algorithms/independence.md` has the definition; in short, "`a;b` is included in `b;a`" says: what
`a;b` can do from there, `b;a` can do as well, which is reach the same state, or end in a trap if `b` behind `a` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.smt.term import Term


class LayerName(Enum):
    """Who decided, cheapest first."""

    THREADS = "threads"  # the same thread, one starts the other, both create threads
    SYNTACTIC = "syntactic"
    POINTS_TO = "points-to"
    LOCKS = "locks"
    PARTITION = "partition"  # the formulas have no variable in common that one of them writes
    SMT = "smt"
    SMT_GIVEN = "smt under the assertion"
    SEMI = "semi-commutative"
    ADDRESSES = "addresses"


@dataclass(frozen=True, slots=True)
class Always:
    """Each order is included in the other."""

    by: LayerName

    def __str__(self) -> str:
        return "always"


@dataclass(frozen=True, slots=True)
class Never:
    """They do not swap, or nobody could show that they do."""

    by: LayerName | None = None  # None: all layers were asked in vain

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True, slots=True)
class When:
    """Each order is included in the other where `condition` holds, too. That has been shown, not guessed."""

    condition: Term
    by: LayerName

    def __str__(self) -> str:
        return "under a condition"


@dataclass(frozen=True, slots=True)
class Inclusion:
    """`a;b` is included in `b;a`, and not known to include it: words with `a;b` may be left out for those with `b;a`,
    and not the other way round."""

    by: LayerName

    def __str__(self) -> str:
        return "one way"


SwapAnswer = Always | Never | When | Inclusion
