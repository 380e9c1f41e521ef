"""What came out of a sweep: counts, SV-COMP's score, and how it differs from another one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from threadproof.sweep.store import SweepRow

POINTS = {("true", True): 2, ("false", True): 1, ("true", False): -32, ("false", False): -16}
"""By verdict and whether it is right."""
_LEAST_S = 0.05
"""Shorter times are noise: no ratio is made of them."""


@dataclass(frozen=True, slots=True)
class SweepSummary:
    tasks: int
    verdicts: Mapping[str, int]
    right: int
    wrong: tuple[SweepRow, ...]
    broken: tuple[SweepRow, ...]
    score: int
    best: int  # the highest score there is; 0: nobody says what is right
    seconds: float
    reasons: Mapping[str, int]  # of those that are not solved, the most frequent first


def summary(rows: Iterable[SweepRow]) -> SweepSummary:
    every = list(rows)
    known = [row for row in every if row.expected]
    reasons = Counter(row.reason for row in every if not row.is_solved)
    return SweepSummary(
        tasks=len(every),
        verdicts=dict(Counter(row.verdict for row in every)),
        right=sum(row.is_right for row in known),
        wrong=tuple(row for row in known if row.is_wrong),
        broken=tuple(row for row in every if row.is_broken),
        score=sum(POINTS[row.verdict, row.is_right] for row in known if row.is_solved),
        best=sum(POINTS[row.expected, True] for row in known),
        seconds=sum(row.wall_s for row in every),
        reasons=dict(reasons.most_common()),
    )


@dataclass(frozen=True, slots=True)
class SweepDifference:
    """Pairs are the other sweep's row, then this one's."""

    common: int
    gained: tuple[tuple[SweepRow, SweepRow], ...]  # solved now
    lost: tuple[tuple[SweepRow, SweepRow], ...]  # solved before
    contradicts: tuple[tuple[SweepRow, SweepRow], ...]  # true there, false here, or the other way round
    ratio: float | None  # of the times of what both solve, this one's to the other's: geometric mean
    only_here: int
    only_there: int


def difference(here: Sequence[SweepRow], there: Sequence[SweepRow]) -> SweepDifference:
    others = {row.key: row for row in there}
    pairs = [(others[row.key], row) for row in here if row.key in others]
    both = [(old, new) for old, new in pairs if old.is_solved and new.is_solved]
    logs = [math.log(max(new.wall_s, _LEAST_S) / max(old.wall_s, _LEAST_S)) for old, new in both]
    return SweepDifference(
        common=len(pairs),
        gained=tuple((old, new) for old, new in pairs if new.is_solved and not old.is_solved),
        lost=tuple((old, new) for old, new in pairs if old.is_solved and not new.is_solved),
        contradicts=tuple((old, new) for old, new in both if old.verdict != new.verdict),
        ratio=math.exp(sum(logs) / len(logs)) if logs else None,
        only_here=len(here) - len(pairs),
        only_there=len(there) - len(pairs),
    )
