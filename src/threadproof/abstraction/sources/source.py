"""What a source of predicates is.

Stable: all of this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.trace_check import PathCore
from threadproof.smt.term import Term

Proposal = Sequence[Sequence[Term]]
"""Conjuncts before each step of the path, and at its end (`false` there): one more than steps. No inputs in them."""


class PredicateSource(Protocol):
    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        """Assertions for a path that cannot be made, as its core says. They will be proved, and may be wrong."""
        ...
