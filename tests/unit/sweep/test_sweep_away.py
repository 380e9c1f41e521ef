"""Tasks given to the workers of a cluster by handfuls: every task has one row, whatever becomes of a handful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any

import pytest

from threadproof.cluster.crew import LostPiece, PieceOrder
from threadproof.core.property import Property
from threadproof.sweep import away
from threadproof.sweep.runner import HowToAsk
from threadproof.sweep.store import SweepRow
from threadproof.sweep.tasks import SweepTask

TASKS = [SweepTask(f"t{n}", (), Property.UNREACH_CALL, "true") for n in range(100)]
DEADLY = "t13"


class Killed(Exception):
    """A worker's end."""


class FewHands:
    """Two workers: what is given to them is done in turn, as a crew does it."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def hands(self) -> int:
        return 2

    def results(
        self, function: Any, pieces: Iterable[tuple[Any, ...]], order: PieceOrder, patience_s: float
    ) -> Generator[tuple[int, Any]]:
        assert order is PieceOrder.AS_DONE
        assert patience_s > away.ENOUGH_S
        for number, (handful, how) in enumerate(pieces):
            self.sizes.append(len(handful))
            try:
                yield number, function(handful, how)
            except Killed:
                yield number, LostPiece("5 workers failed")


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes on by so much with every task."""
    now, each = [0.0], [0.1]

    def row(task: SweepTask, content: str, how: HowToAsk) -> SweepRow:
        now[0] += each[0]
        if task.name == DEADLY:
            raise Killed
        return SweepRow(task.name, task.property.value, "true", content, "true", "bmc", "", each[0], 0.0, 0.0)

    monkeypatch.setattr(away, "row_there", row)
    monkeypatch.setattr(away.time, "monotonic", lambda: now[0])
    return each


def asked(crew: Any) -> list[SweepRow]:
    rows: list[SweepRow] = []
    away.run_by(crew, TASKS, HowToAsk(), rows.append)
    assert Counter(row.task for row in rows) == {task.name: 1 for task in TASKS}
    return rows


def test_a_task_that_kills_its_workers_is_told_and_no_other(seconds: list[float]) -> None:
    crew = FewHands()
    rows = asked(crew)
    assert [(row.task, row.reason) for row in rows if row.verdict == "error"] == [(DEADLY, "5 workers failed")]
    assert crew.sizes[:3] == [away.MOST_AT_ONCE] * 3
    assert crew.sizes[-1] == 1
    assert len(crew.sizes) < len(TASKS) / 2


def test_long_tasks_come_back_one_by_one(seconds: list[float]) -> None:
    seconds[0] = 2 * away.ENOUGH_S
    asked(FewHands())
