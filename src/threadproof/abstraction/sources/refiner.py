"""Asks sources in turn for assertions along a path, and proves what they say.

Stable: `Refiner.assertions`, `Refiner.counts`, `SourceName`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import Assertions, NoAssertions, prove
from threadproof.abstraction.sources.backwards import BackwardInterpolants
from threadproof.abstraction.sources.integers import IntegerInterpolants
from threadproof.abstraction.sources.interpolants import BitInterpolants
from threadproof.abstraction.sources.mined import Mined
from threadproof.abstraction.sources.postconditions import Postconditions
from threadproof.abstraction.sources.preconditions import Preconditions
from threadproof.abstraction.sources.source import PredicateSource
from threadproof.abstraction.trace_check import PathCore
from threadproof.abstraction.triples import Triples
from threadproof.encoding.transitions import Space


class SourceName(Enum):
    SP = "sp"  # strongest postconditions of the core, projected
    WP = "wp"  # weakest preconditions of the core
    INTEGERS = "integers"  # linear interpolants over integers
    MINED = "mined"  # relations that hold in concrete runs
    BITS = "bits"  # interpolants by bitwuzla
    BACKWARDS = "backwards"  # one interpolant after the other, from the end


@dataclass(slots=True)
class SourceCount:
    asked: int = 0
    proved: int = 0
    seconds: float = 0.0
    predicates: int = 0  # that were new


class Refiner:
    def __init__(self, space: Space, triples: Triples, order: Sequence[SourceName] = tuple(SourceName)) -> None:
        self._triples = triples
        self._initial = space.initial()
        self._order = tuple(order)
        self._sources = {name: _source(name, space, triples) for name in order}
        self.counts = {name: SourceCount() for name in order}

    def assertions(self, path: LetterPath, core: PathCore) -> Assertions | NoAssertions:
        """Of the first source that has some."""
        reasons: list[str] = []
        for name in self._order:
            found = self.by(name, path, core)
            if isinstance(found, Assertions):
                return found
            reasons.append(f"{name.value}: {found.reason}")
        return NoAssertions("; ".join(reasons))

    def by(self, name: SourceName, path: LetterPath, core: PathCore) -> Assertions | NoAssertions:
        """Of one source."""
        count, known, started = self.counts[name], len(self._triples.predicates), time.perf_counter()
        count.asked += 1
        found = self._sources[name].predicates(path, core)
        if not isinstance(found, NoAssertions):
            found = prove(self._triples, self._initial, path, found)
        count.proved += isinstance(found, Assertions)
        count.predicates += len(self._triples.predicates) - known
        count.seconds += time.perf_counter() - started
        return found


def _source(name: SourceName, space: Space, triples: Triples) -> PredicateSource:
    match name:
        case SourceName.SP:
            return Postconditions(space.terms)
        case SourceName.WP:
            return Preconditions(space.terms)
        case SourceName.INTEGERS:
            return IntegerInterpolants(space.terms)
        case SourceName.MINED:
            return Mined(space, triples)
        case SourceName.BITS:
            return BitInterpolants(space.terms)
        case SourceName.BACKWARDS:
            return BackwardInterpolants(space.terms)
