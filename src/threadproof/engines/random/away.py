"""Random testing by the workers of a cluster: each tests with a seed of its own for a while, the first hit ends it.

A hit is a schedule, which is replayed here whoever found it.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from threadproof.cluster.connect import connected
from threadproof.cluster.crew import LostPiece, PieceOrder
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer, Silent
from threadproof.core.result import Result, Unknown, Unsafe
from threadproof.engines.random.ends import without_end
from threadproof.engines.random.testing import RandomTesting
from threadproof.engines.task import Task

SLICE_S = 20.0
"""Of a worker's time: then the next seed, and strategies begin anew."""
TESTING = 0.75
"""Of the time: what is begun must come back, and the workers must go home."""
LAST_S = 1.0
"""With less time left, nothing new is begun."""
SEEDS = 1_000_003
"""Between the seeds of two slices."""
DEEP = 20_000


def check_away(task: Task, address: str, budget: Budget, observer: Observer) -> Result:
    budget = budget.part(TESTING)
    options = {name: value for name, value in task.options.items() if name != "cluster"}
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
    asked = pickle.dumps(replace(task, options=options))
    made, met, why = Counter[str](), None, ""
    with connected(address) as crew:
        shared = crew.share(asked, hashlib.sha256(asked).hexdigest())
        pieces = ((shared, *slice_) for slice_ in _slices(budget))
        for number, found in crew.results(slice_there, pieces, PieceOrder.AS_DONE, patience_s=3 * SLICE_S):
            if isinstance(found, LostPiece):
                why = found.why
                continue
            made.update({name: int(count) for name, count in found.stats.items() if isinstance(count, int)})
            observer.progress("testing", runs=made["runs"], slices=number + 1)
            if isinstance(found, Unsafe):
                return found
            met = met or found.met
    limit = budget.exhausted() or why or "time"
    reason = f"{limit}: no violation in {made['runs']:,} random runs on a cluster"
    others = without_end({kind: made[f"ended_{kind.name.lower()}"] for kind in OutcomeKind})
    return Unknown(f"{reason}; of all random runs, {others}" if others else reason, {"runs": 0, **made}, met)


def _slices(budget: Budget) -> Iterator[tuple[int, float]]:
    """Number and seconds, for as long as there is time. What comes back too late is lost, and some wait."""
    number = 0
    while budget.exhausted() is None and not (number and budget.left() < LAST_S):
        yield number, min(SLICE_S, budget.left() / 3)
        number += 1


def slice_there(asked: bytes, number: int, seconds: float) -> Any:
    """At a worker."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
    task: Task = pickle.loads(asked)
    seeded = replace(task, seed=task.seed + SEEDS * number)
    return RandomTesting(seeded, Budget(seconds), Silent()).result()
