"""Batches of runs on one or several processes, or on a cluster, handed over in the order of run numbers.

A batch is named by its first run and its size: whoever computes it, here or elsewhere, computes the same.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator
from multiprocessing.pool import AsyncResult, Pool
from typing import TYPE_CHECKING, Any, TypeVar

from threadproof.engines.smc.sampling.away import AwayRuns, RunsWanted
from threadproof.engines.smc.sampling.sampler import RunBatch, RunSums, Sampler

if TYPE_CHECKING:
    from threadproof.codegen.device.choice import Device

_sampler: Sampler | None = None  # of a worker process, inherited when it was forked
_task: Callable[[int], Any] | None = None  # likewise
T = TypeVar("T")


def _compute(first: int, runs: int) -> RunBatch:
    assert _sampler is not None
    return _sampler.batch(first, runs)


def _compute_sums(first: int, runs: int) -> RunSums:
    assert _sampler is not None
    return _sampler.sums(first, runs)


def _perform(number: int) -> Any:
    assert _task is not None
    return _task(number)


def _pool(jobs: int) -> Pool:
    return multiprocessing.get_context("fork").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN))


def processes(place: Device | None, jobs: int) -> int:
    """No more than there are cores. A GPU is one, and its driver does not survive a fork."""
    return 1 if place is not None and place.gpu is not None else min(jobs, cores())


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def place_notes(place: Device | None) -> tuple[str, ...]:
    return (place.note,) if place is not None and place.note else ()


def in_order(task: Callable[[int], T], count: int, jobs: int) -> Generator[T, None, None]:
    """task(0), task(1), ...: each a function of its number alone, so that jobs change nothing but the time."""
    global _task
    if jobs == 1 or count == 1:
        yield from map(task, range(count))
        return
    _task = task
    pool = _pool(min(jobs, count))
    try:
        yield from pool.imap(_perform, range(count))
    finally:
        pool.terminate()
        pool.join()
        _task = None


class Batches:
    """Runs 0, 1, 2, ... of a sampler. A keyboard interrupt ends the stream; `interrupted` then tells so."""

    def __init__(self, sampler: Sampler, jobs: int = 1, away: AwayRuns | None = None) -> None:
        """`away`: by the workers of a cluster."""
        self.sampler = sampler
        self._away = away
        self.interrupted = False
        self._jobs = processes(sampler.place, jobs)

    def until(self, runs: int) -> Generator[RunBatch, None, None]:
        """The first `runs` runs, batch by batch; close it to stop earlier."""
        return self._parts(runs, self.sampler.batch, _compute, RunsWanted.EACH)

    def sums(self, runs: int) -> Generator[RunSums, None, None]:
        """The first `runs` runs, of each batch what it comes to."""
        return self._parts(runs, self.sampler.sums, _compute_sums, RunsWanted.SUMS)

    def _parts(
        self, runs: int, here: Callable[[int, int], T], there: Callable[[int, int], T], wanted: RunsWanted
    ) -> Generator[T, None, None]:
        try:
            if self._away is not None:
                yield from self._away.parts(wanted, self._plan(runs))
            else:
                yield from self._here(runs, here) if self._jobs == 1 else self._there(runs, there)
        except KeyboardInterrupt:
            self.interrupted = True

    def _plan(self, runs: int) -> Generator[tuple[int, int], None, None]:
        """How large a batch may be can be learnt from those before."""
        sampler = self._away or self.sampler
        first, size = 0, min(sampler.least, sampler.chunk)
        while first < runs:
            now = min(size, runs - first)
            yield first, now
            first += now
            size = min(sampler.chunk, max(sampler.least, first // 4))

    def _here(self, runs: int, compute: Callable[[int, int], T]) -> Generator[T, None, None]:
        for first, size in self._plan(runs):
            yield compute(first, size)

    def _there(self, runs: int, compute: Callable[[int, int], T]) -> Generator[T, None, None]:
        global _sampler
        _sampler = self.sampler
        pool = _pool(self._jobs)
        try:
            waiting: deque[AsyncResult[Any]] = deque()
            for first, size in self._plan(runs):
                waiting.append(pool.apply_async(compute, (first, size)))
                if len(waiting) >= 2 * self._jobs:
                    yield waiting.popleft().get()
            while waiting:
                yield waiting.popleft().get()
        finally:
            pool.terminate()
            pool.join()
            _sampler = None
