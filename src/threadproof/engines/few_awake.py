"""Where most of very many threads are dormant: how many of each creation run, and for how long."""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.core.budget import Budget

AWAKE = ((2, 0.2), (3, 0.15), (5, 0.1))
"""How many of each creation run, for which part of the time that is left."""
AWAKE_S = 30.0
"""The same as seconds, where there is no limit."""


def rounds(budget: Budget) -> Iterator[tuple[int, Budget]]:
    for awake, share in AWAKE:
        yield awake, Budget(min(budget.left(), AWAKE_S / share) * share, budget.memory_mb)
