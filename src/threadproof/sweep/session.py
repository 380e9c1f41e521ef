"""A sweep from its tasks to its rows: what the file of results has already is not asked again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from threadproof.cluster.connect import connected
from threadproof.sweep.away import run_by
from threadproof.sweep.runner import HowToAsk, run_all
from threadproof.sweep.store import SweepRow, opened
from threadproof.sweep.tasks import SweepTask, require_distinct


def swept(
    tasks: Sequence[SweepTask],
    how: HowToAsk,
    results: str,
    cluster: str | None = None,
    begun: Callable[[int], None] = lambda left: None,
    tell: Callable[[SweepRow], None] = lambda row: None,
) -> list[SweepRow]:
    """The rows of these tasks. `begun` hears how many are left to ask; `tell` hears of each row when it is in the
    file. Raises InputError."""
    require_distinct(tasks)
    with opened(results) as store:
        asked = {"timeout": how.timeout, "memory limit": how.memory_mb, "options": list(how.options)}
        store.belongs_to({name: json.dumps(value) for name, value in asked.items()})
        known = {row.key: row.content for row in store.rows()}
        left = [task for task in tasks if known.get(task.key) != task.content()]
        begun(len(left))

        def keep(row: SweepRow) -> None:
            store.add(row)
            tell(row)

        if cluster is None:
            run_all(left, how, keep)
        elif left:
            with connected(cluster) as crew:
                run_by(crew, left, how, keep)
        named = {task.key for task in tasks}
        return [row for row in store.rows() if row.key in named]
