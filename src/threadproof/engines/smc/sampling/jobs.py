"""Batches of runs on one or several processes, handed over in the order of run numbers.

A batch is named by its first run and its size: whoever computes it, here or elsewhere, computes the same.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator
from multiprocessing.pool import AsyncResult, Pool
from typing import Any, TypeVar

from threadproof.engines.smc.sampling.sampler import RunBatch, Sampler

SMALL = 64  # runs of the first batch: short answers come at once

_sampler: Sampler | None = None  # of a worker process, inherited when it was forked
_task: Callable[[int], Any] | None = None  # likewise
T = TypeVar("T")


def _compute(first: int, runs: int) -> RunBatch:
    assert _sampler is not None
    return _sampler.batch(first, runs)


def _perform(number: int) -> Any:
    assert _task is not None
    return _task(number)


def _pool(jobs: int) -> Pool:
    return multiprocessing.get_context("fork").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN))


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

    def __init__(self, sampler: Sampler, jobs: int = 1) -> None:
        self.sampler = sampler
        self.interrupted = False
        self._jobs = jobs

    def until(self, runs: int) -> Generator[RunBatch, None, None]:
        """The first `runs` runs, batch by batch; close it to stop earlier."""
        try:
            yield from self._here(runs) if self._jobs == 1 else self._there(runs)
        except KeyboardInterrupt:
            self.interrupted = True

    def _plan(self, runs: int) -> Generator[tuple[int, int], None, None]:
        largest = self.sampler.chunk
        first, size = 0, min(SMALL, largest)
        while first < runs:
            now = min(size, runs - first)
            yield first, now
            first += now
            size = min(largest, max(SMALL, first // 4))

    def _here(self, runs: int) -> Generator[RunBatch, None, None]:
        for first, size in self._plan(runs):
            yield self.sampler.batch(first, size)

    def _there(self, runs: int) -> Generator[RunBatch, None, None]:
        global _sampler
        _sampler = self.sampler
        pool = _pool(self._jobs)
        try:
            waiting: deque[AsyncResult[Any]] = deque()
            for first, size in self._plan(runs):
                waiting.append(pool.apply_async(_compute, (first, size)))
                if len(waiting) >= 2 * self._jobs:
                    yield waiting.popleft().get()
            while waiting:
                yield waiting.popleft().get()
        finally:
            pool.terminate()
            pool.join()
            _sampler = None
