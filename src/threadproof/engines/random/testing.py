"""The testing loop: small batches of native runs, the strategies in turn, until the time is used up.

Lengths: half of the batches cut their runs after `SHORTEST` steps, a quarter after four times as many, and so on, as
in Luby, Sinclair, Zuckerman: Optimal Speedup of Las Vegas Algorithms, Inf. Process. Lett. 1993. An endless program
is so tried over and over from its beginning, and a long one still gets to its end.

Invariants: a run is a function of seed, its number, strategy and turn. What is returned is a claim: a schedule that
`evidence` has yet to replay.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadproof.codegen.batch import Batch, Options, Threads, Values
from threadproof.codegen.build import Effort
from threadproof.codegen.growing import Growing
from threadproof.codegen.native import NativeMachine
from threadproof.codegen.operations import ERROR_KINDS, UNDEFINED_KINDS
from threadproof.codegen.outcomes import Kind
from threadproof.codegen.schedulers import Scheduler
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Stats, Unknown, Unsafe
from threadproof.core.schedule import Schedule
from threadproof.engines.random.strategies import Strategy, scheduler
from threadproof.engines.task import Task
from threadproof.ir.instr import ErrorKind
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.violations import sub_property

BATCH_S = 0.05
SHORTEST = 1_000
LONGEST = 1 << 22
FIRST_RUNS = 16
OPTIMISE_AFTER = 5.0  # times the seconds that a quick build took: about what an optimised one costs, as in ski rental
MOST_BYTES = 1 << 20  # of a state, unless every run needs more

_ERRORS = {
    Property.UNREACH_CALL: (ErrorKind.REACH_ERROR, ErrorKind.ASSERTION),
    Property.NO_OVERFLOW: (ErrorKind.OVERFLOW,),
}
_MEMORY_ERRORS = [index for index, kind in enumerate(UNDEFINED_KINDS) if sub_property(kind)]


@dataclass(frozen=True, slots=True)
class Hit:
    """A run that shows a violation."""

    strategy: Strategy
    schedule: Schedule
    seconds: float


@dataclass(slots=True)
class Pace:
    """What is known about the runs of one strategy under one limit of steps."""

    seconds_per_run: float = BATCH_S / FIRST_RUNS
    steps_per_run: float = 100.0
    by_thread: tuple[int, ...] = ()

    def runs(self) -> int:
        return max(1, min(1 << 16, int(BATCH_S / self.seconds_per_run)))

    def learn(self, made: Batch, seconds: float) -> None:
        runs = len(made.steps)
        if runs:
            self.seconds_per_run = max(1e-7, seconds / runs)
            self.steps_per_run = max(1.0, float(made.steps.mean()))
            if made.made is not None:
                self.by_thread = tuple(-(-int(steps) // runs) for steps in made.made)


class RandomTesting:
    def __init__(
        self, task: Task, budget: Budget, observer: Observer, strategies: Sequence[Strategy] = tuple(Strategy)
    ) -> None:
        self._task = task
        self._budget = budget
        self._observer = observer
        self._strategies = list(strategies)
        spurious = Spurious.OFF if task.property is Property.NO_DEADLOCK else Spurious.ON
        started = time.monotonic()
        machine = NativeMachine(task.program, Granularity.VISIBLE, spurious, effort=Effort.NONE)
        built = time.monotonic()
        self._optimise_at = built + OPTIMISE_AFTER * (built - started)
        self._growing = Growing(machine, MOST_BYTES)
        self._interrupt = ctypes.c_int32(0)
        self._paces: defaultdict[tuple[Strategy, int], Pace] = defaultdict(Pace)
        self._run = 0
        self._steps = 0
        self.endings: Counter[Kind] = Counter()

    # --- the loop ------------------------------------------------------------------------------------------------

    def hits(self) -> Iterator[Hit]:
        """The first hit of each strategy, as they come."""
        with self._alarm():
            turn = 0
            while self._strategies and self._budget.exhausted() is None:
                for strategy in tuple(self._strategies):
                    hit = self._turn(strategy, turn)
                    if hit is not None:
                        self._strategies.remove(strategy)
                        yield hit
                if time.monotonic() > self._optimise_at:
                    self._growing.optimise()
                self._observer.progress("testing", runs=self._run, steps=self._steps)
                turn += 1

    @contextmanager
    def _alarm(self) -> Generator[None]:
        """Native code is told when the time is over."""
        left = self._budget.left()
        timer = threading.Timer(min(left, threading.TIMEOUT_MAX), self._ring)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _ring(self) -> None:
        self._interrupt.value = 1

    def _turn(self, strategy: Strategy, turn: int) -> Hit | None:
        limit = min(LONGEST, SHORTEST * 4 ** _trailing_zeros(turn + 1))
        pace = self._paces[strategy, limit]
        how = scheduler(strategy, turn, round(pace.steps_per_run), pace.by_thread)
        first, runs = self._run, pace.runs()
        options = Options(threads=Threads.CAPPED, interrupt=self._interrupt)
        machine = self._growing.machine
        started = time.monotonic()
        made = machine.run_batch(self._task.seed, first, runs, limit, how, None, Values.TELLING, options)
        pace.learn(made, time.monotonic() - started)
        self._note(made)
        bad = np.flatnonzero(self._violating(made))
        if not len(bad):
            self._growing.grow(made)
            return None
        best = int(bad[np.argmin(made.steps[bad])])
        return self._recorded(strategy, how, first + best, int(made.steps[best]))

    def _note(self, made: Batch) -> None:
        self._run += len(made.kinds)
        self._steps += int(made.steps.sum())
        kinds, counts = np.unique(made.kinds, return_counts=True)
        self.endings.update({Kind(int(kind)): int(count) for kind, count in zip(kinds, counts, strict=True)})

    def _violating(self, made: Batch) -> NDArray[np.bool_]:
        match self._task.property:
            case Property.NO_DEADLOCK:
                return made.kinds == Kind.DEADLOCK
            case Property.VALID_MEMSAFETY:
                return (made.kinds == Kind.UNDEFINED) & np.isin(made.details, _MEMORY_ERRORS)
            case prop:
                wanted = [ERROR_KINDS.index(kind) for kind in _ERRORS.get(prop, ())]
                return (made.kinds == Kind.FAILED) & np.isin(made.details, wanted)

    def _recorded(self, strategy: Strategy, how: Scheduler, run: int, steps: int) -> Hit | None:
        machine = self._growing.machine
        made, schedule = machine.record(self._task.seed, run, steps + 1, how, None, Values.TELLING, Threads.CAPPED)
        if not self._violating(made)[0]:
            return None
        return Hit(strategy, schedule, self._budget.elapsed())

    # --- the answer ----------------------------------------------------------------------------------------------

    def result(self) -> Result:
        for hit in self.hits():
            return Unsafe(hit.schedule, {**self.stats(), "scheduler": hit.strategy.value})
        limit = self._budget.exhausted() or "time"
        return Unknown(f"{limit}: no violation in {self._run} random runs", self.stats())

    def stats(self) -> Stats:
        ended = {f"ended_{kind.name.lower()}": count for kind, count in sorted(self.endings.items())}
        return {"runs": self._run, "steps": self._steps, **ended}


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is Property.NO_DATA_RACE:
        return Unknown("random testing does not look for data races")
    return RandomTesting(task, budget, observer).result()
