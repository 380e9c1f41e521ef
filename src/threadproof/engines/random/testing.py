"""The testing loop: small batches of native runs, the strategies in turn, until the time is used up.

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
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from threadproof.analysis.control.creations import creates_a_crowd, creates_in_loops
from threadproof.codegen.device.choice import Device, DeviceChoice
from threadproof.codegen.device.cuda import Gpu, NoGpu
from threadproof.codegen.machine.operations import ERROR_KINDS, UNDEFINED_KINDS
from threadproof.codegen.runs.batch import Batch, BatchOptions, ThreadLimit, WideValues
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.growing import Growing
from threadproof.codegen.runs.leaks import Asks, Leaks
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Scheduler, Uniform
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Stats, Unknown, Unsafe
from threadproof.core.schedule import Schedule
from threadproof.engines.lengths import length
from threadproof.engines.random.ends import ended, without_end
from threadproof.engines.random.onward import Onward
from threadproof.engines.random.strategies import Strategy, scheduler
from threadproof.engines.task import Task
from threadproof.semantics.leaks import allocates
from threadproof.semantics.machine import Machine
from threadproof.semantics.run import Granularity
from threadproof.semantics.violations import failures, forbidden, spurious_for

_ASKED_OF_BLOCKS = {Property.VALID_MEMSAFETY: Asks.LOST, Property.VALID_MEMCLEANUP: Asks.KEPT}
BATCH_S = 0.05
GPU_BATCH_S = 0.5
POLL_S = 1.0
SHORTEST = 1_000
LONGEST = 1 << 22
FIRST_RUNS = 16
OPTIMISE_PRICE = 5.0  # of an optimised build, in quick ones; it is made, as in ski rental, after that much testing
MOST_BYTES = 1 << 22  # of a state, unless every run needs more
MANY = 16
"""Threads: where a program creates more of them in a loop, every second turn is one with dormant threads; of four turns
three, if it seems to create very many."""
AWAKE = 3
"""How many threads of each creation run then."""
MOST_LENGTHS = 6
"""How often runs are made longer where none of them ends."""
DECIDING = 16
WAITING_RUNS = 20
"""Runs of a turn that are looked at for threads that wait, where most are dormant."""
WAITING = 0.5
"""Of the time that is left, to let the dormant ones go on."""
SHORTEST_DORMANT = 1 << 15
"""Steps, since creations of dormant threads count."""


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

    def runs(self, gpu: Gpu | None = None) -> int:
        """For a short batch; on a GPU one for many lanes takes no longer than one for a few."""
        if gpu is not None:
            return max(1 << 12, min(1 << 18, int(GPU_BATCH_S / self.seconds_per_run)))
        return max(1, min(1 << 16, int(BATCH_S / self.seconds_per_run)))

    def learn(self, made: Batch, seconds: float) -> None:
        runs = len(made.steps)
        if runs:
            self.seconds_per_run = max(1e-9, seconds / runs)
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
        spurious = spurious_for(task.property, task.program)
        started = budget.elapsed()
        self._device = Device(DeviceChoice(task.word("device") or "cpu"))
        if self._device.gpu is not None and self._looks_for_leaks():
            self._device.give_up(NoGpu("lost memory is looked for on the processor"))
        machine = NativeMachine(
            task.program, Granularity.VISIBLE, spurious, effort=CompilerEffort.NONE, device=self._device
        )
        self._growing = Growing(machine, MOST_BYTES)
        self._dormant: Growing | None = None  # where most threads never move, for programs with many
        self._crowd = creates_a_crowd(task.program)
        self._began = budget.elapsed()
        self._build_s = self._began - started  # of a quick build, the last one
        self._reference = Onward(Machine(task.program, Granularity.VISIBLE, spurious), task.property)
        self._interrupt = ctypes.c_int32(0)
        self._paces: defaultdict[tuple[Strategy, int], Pace] = defaultdict(Pace)
        self._runs_of: Counter[Strategy] = Counter()
        self._tested = 0  # uniform runs of the whole program that came to a real end
        self._run = 0
        self._steps = 0
        self._met: Schedule | None = None  # the way to undefined behaviour
        self.endings: Counter[OutcomeKind] = Counter()

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
                self._optimise_in_time()
                self._observer.progress("testing", runs=self._run, steps=self._steps)
                turn += 1

    def _optimise_in_time(self) -> None:
        price = OPTIMISE_PRICE * self._build_s
        if self._budget.elapsed() - self._began > price and self._budget.left() > 2 * price:
            self._growing.optimise()
            if self._dormant is not None:
                self._dormant.optimise()

    def _grow_in_time(self, growing: Growing, made: Batch) -> None:
        started = self._budget.elapsed()
        if self._budget.left() <= 2 * self._build_s:
            return
        many = "threads" in made.rooms() and (self._crowd or growing.machine.capacity.threads >= MANY)
        if many and self._dormant is None and creates_in_loops(self._task.program):
            capacity = replace(growing.machine.capacity, threads=0)
            machine = growing.machine.rebuilt(capacity, growing.machine.effort, AWAKE)
            self._dormant = Growing(machine, MOST_BYTES)
        elif growing.grow(made):
            self._build_s = max(self._build_s, self._budget.elapsed() - started)

    @contextmanager
    def _alarm(self) -> Generator[None]:
        """Native code is told when the time is over, by whatever clock the budget has."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(max(0.01, min(self._budget.left(), POLL_S))):
                if self._budget.left() <= 0:
                    self._interrupt.value = 1
                    return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()

    def _turn(self, strategy: Strategy, turn: int) -> Hit | None:
        growing, limit = self._growing, length(turn, SHORTEST, LONGEST)
        if self._dormant is not None and turn % (4 if self._crowd else 2):
            growing, limit = self._dormant, length(turn // 2, SHORTEST_DORMANT, LONGEST)
        pace = self._paces[strategy, limit]
        # Among creations of dormant threads few steps decide anything, and nobody counts them.
        steps = round(pace.steps_per_run) if growing is self._growing else DECIDING << turn // 2 % 4
        how = scheduler(strategy, turn, steps, pace.by_thread)
        first, runs = self._run, pace.runs(self._device.gpu)
        machine = growing.machine
        options = BatchOptions(threads=ThreadLimit.CAPPED, interrupt=self._interrupt, leaks=self._leaks(machine))
        started = time.monotonic()
        made = machine.run_batch(self._task.seed, first, runs, limit, how, None, WideValues.TELLING, options)
        pace.learn(made, time.monotonic() - started)
        self._note(strategy, made)
        if strategy is Strategy.UNIFORM and growing is self._growing:
            self._tested += int(ended(made.kinds).sum())
        bad = np.flatnonzero(self._violating(made))
        if not len(bad):
            self._keep_undefined(machine, how, first, made)
            onward = self._onward(machine, strategy, how, first, made)
            onward = onward or self._all_wait(machine, strategy, how, first, made, limit)
            self._grow_in_time(growing, made)
            return onward
        best = int(bad[np.argmin(made.steps[bad])])
        return self._recorded(machine, strategy, how, first + best, int(made.steps[best]))

    def _note(self, strategy: Strategy, made: Batch) -> None:
        self._run += len(made.kinds)
        self._runs_of[strategy] += len(made.kinds)
        self._steps += int(made.steps.sum())
        kinds, counts = np.unique(made.kinds, return_counts=True)
        self.endings.update({OutcomeKind(int(kind)): int(count) for kind, count in zip(kinds, counts, strict=True)})

    def _violating(self, made: Batch) -> NDArray[np.bool_]:
        prop = self._task.property
        if prop is Property.NO_DEADLOCK:
            return made.kinds == OutcomeKind.DEADLOCK
        errors = [ERROR_KINDS.index(kind) for kind in failures(prop)]
        undefined = [UNDEFINED_KINDS.index(kind) for kind in forbidden(prop)]
        failed = (made.kinds == OutcomeKind.FAILED) & np.isin(made.details, errors)
        found = failed | (made.kinds == OutcomeKind.UNDEFINED) & np.isin(made.details, undefined)
        return found if made.lost is None else found | (made.lost != 0)

    def _leaks(self, machine: NativeMachine) -> Leaks | None:
        """Lost memory stays lost, and memory is left where a program ends: so it is enough to look where runs end."""
        return Leaks(machine, _ASKED_OF_BLOCKS[self._task.property]) if self._looks_for_leaks() else None

    def _looks_for_leaks(self) -> bool:
        return self._task.property in _ASKED_OF_BLOCKS and allocates(self._task.program)

    def _onward(
        self, machine: NativeMachine, strategy: Strategy, how: Scheduler, first: int, made: Batch
    ) -> Hit | None:
        """For as long as a batch takes: the reference goes on where the native machine could not."""
        until = time.monotonic() + BATCH_S
        for index in np.flatnonzero(made.kinds == OutcomeKind.NOT_NATIVE):
            if time.monotonic() > until:
                break
            _, schedule = self._record(machine, how, first + int(index), int(made.steps[index]))
            found = self._reference.run(schedule[:-1], Random(f"{self._task.seed} {first + index}"))
            if found is not None:
                return Hit(strategy, found, self._budget.elapsed())
        return None

    def _all_wait(
        self, machine: NativeMachine, strategy: Strategy, how: Scheduler, first: int, made: Batch, limit: int
    ) -> Hit | None:
        """Where a thread waits and nobody but dormant ones can move: it may be that they come to wait, too."""
        if self._task.property is not Property.NO_DEADLOCK or not machine.variant.dormant:
            return None
        for index in np.flatnonzero((made.kinds == OutcomeKind.STEPS) & (made.steps < limit))[:WAITING_RUNS]:
            again, schedule = self._record(machine, how, first + int(index), int(made.steps[index]))
            assert again.finals is not None
            state = machine.decode(again.finals[0].tobytes())
            if not any(number and thread.frames for number, thread in state.threads.items()):
                continue
            chance = Random(f"{self._task.seed} {first + index}")
            found = self._reference.until_all_wait(schedule, chance, self._budget.part(WAITING))
            return None if found is None else Hit(strategy, found, self._budget.elapsed())
        return None

    def _keep_undefined(self, machine: NativeMachine, how: Scheduler, first: int, made: Batch) -> None:
        """The first batch with undefined behaviour leaves its shortest way there: no violation, but news."""
        undefined = np.flatnonzero(made.kinds == OutcomeKind.UNDEFINED)
        if self._met is not None or not len(undefined):
            return
        best = int(undefined[np.argmin(made.steps[undefined])])
        again, schedule = self._record(machine, how, first + best, int(made.steps[best]))
        self._met = schedule if again.kinds[0] == OutcomeKind.UNDEFINED else None

    def _recorded(self, machine: NativeMachine, strategy: Strategy, how: Scheduler, run: int, steps: int) -> Hit | None:
        made, schedule = self._record(machine, how, run, steps)
        if not self._violating(made)[0]:
            return None
        return Hit(strategy, schedule, self._budget.elapsed())

    def _record(self, machine: NativeMachine, how: Scheduler, run: int, steps: int) -> tuple[Batch, Schedule]:
        leaks = self._leaks(machine)
        return machine.record(self._task.seed, run, steps + 1, how, None, WideValues.TELLING, ThreadLimit.CAPPED, leaks)

    def frequency(self) -> tuple[int, int, int]:
        """How many runs violate the property, of how many that do so or end under the uniform scheduler; and how many
        do neither: they say nothing."""
        violating = ending = runs = turn = 0
        with self._alarm():
            while self._budget.exhausted() is None:
                limit = length(turn, SHORTEST, LONGEST)
                pace = self._paces[Strategy.UNIFORM, limit]
                machine, started, first = self._growing.machine, time.monotonic(), runs
                leaks = self._leaks(machine)
                options = BatchOptions(threads=ThreadLimit.CAPPED, interrupt=self._interrupt, leaks=leaks)
                size, telling = pace.runs(self._device.gpu), WideValues.TELLING
                made = machine.run_batch(self._task.seed, first, size, limit, Uniform(), None, telling, options)
                pace.learn(made, time.monotonic() - started)
                whole = int((made.kinds != OutcomeKind.STEPS).sum())
                if not whole or self._growing.grow(made):
                    turn += 1  # longer runs, or a larger machine: what was counted so far counts no more
                    violating = ending = runs = 0
                    if turn > MOST_LENGTHS:
                        break
                    continue
                bad = self._violating(made)
                violating += int(bad.sum())
                ending += int((bad | ended(made.kinds)).sum())
                runs += len(made.kinds)
        return violating, ending, runs - ending

    # --- the answer ----------------------------------------------------------------------------------------------

    def result(self) -> Result:
        for hit in self.hits():
            return Unsafe(hit.schedule, {**self.stats(), "scheduler": hit.strategy.value})
        limit = self._budget.exhausted() or "time"
        by = ", ".join(f"{strategy.value} {runs:,}" for strategy, runs in self._runs_of.items())
        runs = f"no violation in {self._run:,} random runs ({by})" if self._run else "no random run was made"
        others = without_end(self.endings)
        reason = f"{limit}: {runs}" + (f"; of all random runs, {others}" if others else "")
        reason += f"; {self._device.note}" if self._device.note else ""
        return Unknown(reason, self.stats(), self._met)

    def stats(self) -> Stats:
        ends = {f"ended_{kind.name.lower()}": count for kind, count in sorted(self.endings.items())}
        by = {f"runs_{strategy.value}": runs for strategy, runs in self._runs_of.items()}
        return {"runs": self._run, **by, "steps": self._steps, **ends, "tested": self._tested}


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is Property.NO_DATA_RACE:
        return Unknown("random testing does not look for data races")
    address = task.word("cluster")
    if address is not None:
        from threadproof.engines.random.away import check_away

        return check_away(task, address, budget, observer)
    return RandomTesting(task, budget, observer).result()
