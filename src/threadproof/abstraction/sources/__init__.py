"""Sources of predicates: assertions along a path that cannot be made, several ways behind one interface.

Nothing that a source proposes is trusted: `Refiner` proves every sequence by triples before anybody sees it, and a
source that has none says so. `SOURCES` lists them by name, the one that was measured best first.
"""

from __future__ import annotations

from threadproof.abstraction.sources.refiner import Refiner, SourceName
from threadproof.abstraction.sources.source import PredicateSource, Proposal

__all__ = ["PredicateSource", "Proposal", "Refiner", "SourceName"]
