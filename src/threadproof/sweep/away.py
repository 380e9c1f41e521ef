"""Tasks asked by the workers of a cluster, which see the same files at the same places.

A worker gets a handful of tasks at a time, since giving out work is what ends first where there are many workers
(docs/scale.md). It comes back when it has asked about all of them or has been at it for long enough; what it did not
come to is given out again. So rows come soon, also of tasks that take long, and a worker that dies takes little with
it. Handfuls get smaller towards the end, so that nobody waits for the last one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence

from threadproof.cluster.crew import PATIENCE_S, Crew, LostPiece, PieceOrder
from threadproof.sweep.runner import GRACE, GRACE_S, HowToAsk, lost_row, row_there
from threadproof.sweep.store import SweepRow
from threadproof.sweep.tasks import SweepTask

MOST_AT_ONCE = 10
ENOUGH_S = 20.0
"""After which a worker asks about no other task of its handful."""
ROUNDS = 4
"""Handfuls that every hand gets of what is left, at least: two of them are given out beforehand."""

Lost = Callable[[Sequence[SweepTask], str], None]


def run_by(crew: Crew, tasks: Iterable[SweepTask], how: HowToAsk, tell: Callable[[SweepRow], None]) -> None:
    """`tell` is called with each row as it comes. A task is asked once more where its worker died or does not answer;
    the first answer counts."""
    suspects: list[SweepTask] = []  # one of them kills its worker: each by itself, so that the others get answers
    _ask(crew, deque(tasks), MOST_AT_ONCE, how, tell, lambda handful, _: suspects.extend(handful))
    _ask(crew, deque(suspects), 1, how, tell, lambda handful, why: tell(lost_row(handful[0], why)))


def _ask(
    crew: Crew, waiting: deque[SweepTask], most: int, how: HowToAsk, tell: Callable[[SweepRow], None], lost: Lost
) -> None:
    patience = GRACE * how.timeout + GRACE_S + ENOUGH_S + PATIENCE_S
    while waiting:
        given: list[Sequence[SweepTask]] = []
        pieces = (
            ([(task, task.content()) for task in handful], how) for handful in _handfuls(crew, waiting, most, given)
        )
        for number, found in crew.results(rows_there, pieces, PieceOrder.AS_DONE, patience_s=patience):
            if isinstance(found, LostPiece):
                lost(given[number], found.why)
                continue
            for row in found:
                tell(row)
            waiting.extend(given[number][len(found) :])


def _handfuls(
    crew: Crew, waiting: deque[SweepTask], most: int, given: list[Sequence[SweepTask]]
) -> Generator[Sequence[SweepTask]]:
    while waiting:
        size = max(1, min(most, len(waiting) // (ROUNDS * crew.hands())))
        given.append([waiting.popleft() for _ in range(size)])
        yield given[-1]


def rows_there(handful: Sequence[tuple[SweepTask, str]], how: HowToAsk) -> list[SweepRow]:
    """At a worker: of the first tasks of the handful, at least one."""
    until, rows = time.monotonic() + ENOUGH_S, list[SweepRow]()
    for task, content in handful:
        rows.append(row_there(task, content, how))
        if time.monotonic() > until:
            break
    return rows
