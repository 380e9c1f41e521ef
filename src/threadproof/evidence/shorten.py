"""Counterexamples with fewer context switches: a greedy rearrangement in which every candidate is replayed.

Differs from delta debugging: moves are not dropped one by one (most are needed) but whole runs of one thread are
merged with that thread's previous or next run, and steps after the violation's cause fall off by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.core.budget import Budget
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule, context_switches
from threadproof.evidence.replay import Replay, Replayed, Sought, machine_for
from threadproof.ir.program import Program


def shorten(
    program: Program, prop: Property, found: Replayed, budget: Budget, sought: Sought = Sought.VIOLATION
) -> Replayed:
    """The best equivalent counterexample met within the budget; never a worse one."""
    replay = Replay(machine_for(program, prop, found.trace.model), prop, sought)
    best = found
    improved = True
    while improved and not budget.exhausted():
        improved = False
        for candidate in _candidates(best.trace.schedule):
            if budget.exhausted():
                break
            again = replay.run(candidate)
            if again is not None and _same(again, found, sought) and _cost(again) < _cost(best):
                best, improved = again, True
                break
    return best


def _same(again: Replayed, found: Replayed, sought: Sought) -> bool:
    """Whether it is the same undefined behaviour; of violations any of the same sub-property will do."""
    return again.violated == found.violated and (sought is Sought.VIOLATION or again.trace.cause == found.trace.cause)


def _cost(found: Replayed) -> tuple[int, int]:
    schedule = found.trace.schedule
    return context_switches(schedule), len(schedule)


def _runs(schedule: Schedule) -> list[list[Move]]:
    runs: list[list[Move]] = []
    for move in schedule:
        if runs and runs[-1][0].thread == move.thread:
            runs[-1].append(move)
        else:
            runs.append([move])
    return runs


def _candidates(schedule: Schedule) -> Iterator[Schedule]:
    runs = _runs(schedule)
    for index in range(len(runs) - 1, -1, -1):
        yield _flat([*runs[:index], *runs[index + 1 :]])  # do without this run
    for index in range(1, len(runs)):
        thread = runs[index][0].thread
        earlier = next((i for i in range(index - 1, -1, -1) if runs[i][0].thread == thread), None)
        if earlier is not None:
            rest = [*runs[:index], *runs[index + 1 :]]
            yield _flat([*rest[:earlier], rest[earlier] + runs[index], *rest[earlier + 1 :]])
            moved = [*runs[:earlier], *runs[earlier + 1 : index], runs[earlier] + runs[index], *runs[index + 1 :]]
            yield _flat(moved)


def _flat(runs: list[list[Move]]) -> Schedule:
    return tuple(move for run in runs for move in run)
