"""The search on the native machine: many states a call, a look at the clock between calls.

The machine is compiled without optimisation first, because that is ready soon and most of the time goes into the
table of states anyway; a search that lasts gets an optimised one while it runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import count

from threadproof.analysis.control.creations import creates_a_crowd, creates_in_loops
from threadproof.analysis.footprints.futures import Futures, futures
from threadproof.codegen.machine.capacity import Capacity
from threadproof.codegen.machine.variant import Footprints
from threadproof.codegen.runs.background import Optimisation
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.observer import Observer
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.engines.explicit.search import (
    NativeSearch,
    SearchEnd,
    SearchQuestion,
    SearchReduction,
    SearchWatch,
    WhenShort,
)
from threadproof.engines.few_awake import rounds
from threadproof.engines.task import Task
from threadproof.ir.program import Program
from threadproof.semantics.leaks import allocates
from threadproof.semantics.outcome import Choose, NotSupported, UndefinedBehaviour
from threadproof.semantics.run import Granularity
from threadproof.semantics.violations import failures, forbidden, spurious_for, why_cut

CALL_S = 0.05  # how long a call into the native search may last, about
AT_ONCE = (1, 2)
"""How often room is doubled at once when there is none; later the search first looks at all that has room."""
MANY = 16
"""Threads: where a program creates more of them, most are left dormant first (`codegen.machine.variant`)."""


@dataclass(frozen=True, slots=True)
class Short:
    room: str


def check(task: Task, budget: Budget, observer: Observer) -> Result | None:
    """None if the program needs something that only the reference has a meaning for."""
    observer.progress("compiling")
    known = futures(task.program)
    crowd, tried = (
        creates_a_crowd(task.program),
        task.property is Property.NO_DEADLOCK,
    )  # dormant threads are never stuck
    violation = few_awake(task, budget, observer, known) if crowd and not tried else None
    machine = machine_for(task)
    for again in count():
        if violation is not None:
            return violation
        short = WhenShort.STOP if again < len(AT_ONCE) else WhenShort.GO_ON
        found = _Exploration(task, machine, budget, observer, short, known).run()
        if not isinstance(found, Short):
            return found
        capacity = machine.capacity
        many = found.room == "threads" and capacity.threads >= MANY and creates_in_loops(task.program)
        if many and not crowd and not tried:
            tried, violation = True, few_awake(task, budget, observer, known, capacity)
        for _ in range(AT_ONCE[again] if short is WhenShort.STOP else 1):
            capacity = capacity.grown(found.room)
        if getattr(capacity, found.room) == getattr(machine.capacity, found.room):
            return None
        machine = machine_for(task, capacity)
    return None


def few_awake(
    task: Task, budget: Budget, observer: Observer, known: Futures | None, capacity: Capacity | None = None
) -> Unsafe | None:
    """A violation in which few threads take part, of however many there are. Proves nothing."""
    for awake, part in rounds(budget):
        machine = machine_for(task, None if capacity is None else replace(capacity, threads=0), awake)
        while part.left() > 0:
            found = _Exploration(task, machine, part, observer, WhenShort.STOP, known).run()
            if isinstance(found, Unsafe):
                return found
            larger = machine.capacity.grown(found.room) if isinstance(found, Short) else machine.capacity
            if larger == machine.capacity:
                break
            machine = machine_for(task, larger, awake)
    return None


def machine_for(task: Task, capacity: Capacity | None = None, dormant: int = 0) -> NativeMachine:
    races = task.property is Property.NO_DATA_RACE
    return NativeMachine(
        task.program,
        Granularity.VISIBLE,
        spurious_for(task.property, task.program),
        capacity=capacity or Capacity(),
        effort=CompilerEffort.NONE,
        footprints=Footprints.ON if races else Footprints.OFF,
        dormant=dormant,
    )


def question(program: Program, prop: Property) -> SearchQuestion:
    watch = {Property.NO_DATA_RACE: SearchWatch.RACES, Property.NO_DEADLOCK: SearchWatch.DEADLOCKS}
    if prop is Property.VALID_MEMSAFETY and allocates(program):
        watch[prop] = SearchWatch.LOST
    if prop is Property.VALID_MEMCLEANUP and allocates(program):
        # No reduction: the program may end at any moment, also before a free that a reduction would make first.
        return SearchQuestion(failures(prop), forbidden(prop), SearchWatch.KEPT, SearchReduction.NONE)
    return SearchQuestion(failures(prop), forbidden(prop), watch.get(prop, SearchWatch.NOTHING))


class _Exploration:
    """One search on one machine, to its end or to a limit."""

    def __init__(
        self,
        task: Task,
        machine: NativeMachine,
        budget: Budget,
        observer: Observer,
        when_short: WhenShort,
        known: Futures | None,
    ) -> None:
        self._task = task
        self._machine = machine
        self._budget = budget
        self._observer = observer
        asked, jobs = question(task.program, task.property), 1 if machine.variant.dormant else task.number("jobs") or 1
        self._search = NativeSearch(machine, asked, when_short, known, jobs=jobs)
        self._optimisation = Optimisation(CompilerEffort.FULL, budget)
        self._searched = 0.0  # seconds of the processor

    def run(self) -> Result | Short | None:
        try:
            return self._run()
        finally:
            self._optimisation.stop()
            self._search.close()

    def _run(self) -> Result | Short | None:
        search, states = self._search, 256
        while True:
            began, used = time.monotonic(), time.process_time()
            end = search.run(states)
            took = time.monotonic() - began
            self._searched += time.process_time() - used
            match end:
                case SearchEnd.MORE:
                    pass
                case SearchEnd.DONE:
                    return self._complete()
                case SearchEnd.VIOLATED:
                    return Unsafe(search.schedule(), self._stats())
                case SearchEnd.MEMORY:
                    return Unknown(self._so_far("memory"), self._stats())
                case SearchEnd.SHORT:
                    return Short(search.short_of)
                case SearchEnd.NOT_NATIVE:
                    return None
                case SearchEnd.LOST:
                    raise InternalError("a state of the explicit search was never expanded")
            self._observer.progress("exploring", states=search.states, waiting=search.waiting)
            limit = self._budget.exhausted()
            if limit is not None:
                return Unknown(self._so_far(limit), self._stats(), self._search.met())
            better = self._optimisation.ready(self._machine)
            if better is not None:
                self._machine = better
                search.use(better)
            states = max(1, int(states * min(4.0, CALL_S / max(took, 1e-6))))

    def _complete(self) -> Result:
        cut = self._search.cut
        if cut is not None:
            assert isinstance(cut, Choose | UndefinedBehaviour | NotSupported)
            return Unknown(why_cut(cut), self._stats(), self._search.met())
        figures = {"states": self._search.states, "steps": self._search.steps}
        return Safe(CompleteExploration(Covered.STATES, figures), self._stats())

    def _so_far(self, limit: str) -> str:
        return f"{limit}: {self._search.states:,} states explored, {self._search.waiting:,} waiting"

    def _stats(self) -> Stats:
        search, seconds = self._search, round(self._searched, 6)
        counted: Stats = {"states": search.states, "steps": search.steps, "executions_ended": search.ends}
        return {**counted, "seconds_searching": seconds}
