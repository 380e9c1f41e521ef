"""The engine: drives the native search, answers its questions about choices, and says what came out.

Invariants: `true` is answered only if every execution was explored up to equivalence: no run was cut, no choice left
out, nothing unsupported or undefined met, every planned execution could be followed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from threadproof.analysis.control.creations import creates_a_crowd, creates_in_loops
from threadproof.codegen.machine.capacity import ROOMS
from threadproof.codegen.runs.background import Optimisation
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Observer
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.core.schedule import Schedule
from threadproof.engines.dpor.native import Answered, DporReduction
from threadproof.engines.dpor.stateless import Kernel, Settings, machine_for
from threadproof.engines.few_awake import rounds
from threadproof.engines.task import Task
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.leaks import allocates
from threadproof.semantics.live_schedule import for_live
from threadproof.semantics.outcome import Choose, NotSupported, UndefinedBehaviour
from threadproof.semantics.violations import spurious_for, why_cut


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is Property.VALID_MEMCLEANUP and allocates(task.program):
        return Unknown(f"{task.property} of programs that allocate is not looked at")
    settings, crowd = settings_for(task), creates_a_crowd(task.program)
    can_be_few = task.property is not Property.NO_DEADLOCK  # dormant threads are never stuck
    found = few_awake(task, settings, budget, observer) if crowd and can_be_few else None
    if found is not None:
        return found
    search = StatelessSearch(task, settings, budget, observer)
    result = search.result()
    if search.needs_too_many and can_be_few and not crowd and creates_in_loops(task.program):
        found = few_awake(task, settings, budget, observer)
    return found or result


def few_awake(task: Task, settings: Settings, budget: Budget, observer: Observer) -> Unsafe | None:
    """A violation in which few threads take part, of however many there are. Proves nothing."""
    for awake, part in rounds(budget):
        machine = machine_for(task.program, spurious_for(task.property, task.program), dormant=awake)
        found = StatelessSearch(task, replace(settings, jobs=1), part, observer, machine).result()
        if isinstance(found, Unsafe):
            return found
    return None


def settings_for(task: Task) -> Settings:
    preemptions, jobs = task.number("preemptions"), task.number("jobs") or 1
    name = task.word("reduction") or ("optimal" if preemptions is None else "none")
    if preemptions is not None and name != "none":
        raise InputError(
            f"--preemptions goes with --reduction none: {name} leaves out executions that are equivalent to others, "
            "and those may have more preemptions"
        )
    if preemptions is not None and jobs > 1:
        raise InputError(
            "--preemptions does not go with --jobs: no state is entered twice, and each worker would have its own"
        )
    return Settings(DporReduction[name.upper()], jobs=jobs, preemptions=preemptions)


class StatelessSearch:
    def __init__(
        self,
        task: Task,
        settings: Settings,
        budget: Budget,
        observer: Observer,
        machine: NativeMachine | None = None,
    ) -> None:
        self._task = task
        self._settings = settings
        self._budget = budget
        self._observer = observer
        self._constants = program_constants(task.program)
        self._machine = machine or machine_for(task.program, spurious_for(task.property, task.program))
        self.kernel = Kernel(self._machine, task.property, settings)
        self._optimisation = Optimisation(CompilerEffort.for_size(self._machine.numbering.pc_count), budget)
        self.cut: dict[str, None] = {}  # why `true` cannot be said, in the order met
        self.needs_too_many = False  # threads

    def run(self) -> Result:
        try:
            return self._run()
        finally:
            self._optimisation.stop()

    def close(self) -> None:
        self.kernel.close()

    def result(self) -> Result:
        """Of one that nobody looks at further."""
        try:
            return self.run()
        finally:
            self.close()

    def _run(self) -> Result:
        while True:
            match self.kernel.search():
                case Answered.DONE:
                    return self._exhausted()
                case Answered.TICK:
                    limit = self._look_at_the_clock()
                    if limit is not None:
                        return Unknown(limit, self.stats())
                    better = self._optimisation.ready(self._machine)
                    if better is not None:
                        self._machine = better
                        self.kernel.use(better)
                case Answered.FOUND | Answered.DEADLOCK:
                    return self._unsafe(self.kernel.schedule())
                case Answered.RACE:
                    return self._unsafe(self.kernel.race_schedule())
                case Answered.CHOICE:
                    self._answer_choice()
                case Answered.STOPPED:
                    refusal = self._grow()
                    if refusal is not None:
                        return Unknown(refusal, self.stats())
                case Answered.THREADS:
                    self.needs_too_many = True
                    return Unknown("more than 64 threads", self.stats())
                case Answered.MEMORY:
                    return Unknown("memory", self.stats())

    # --- while it runs -----------------------------------------------------------------------------------------------

    def _look_at_the_clock(self) -> str | None:
        kernel, percent = self.kernel, min(99.9, 100 * self.kernel.explored)
        executions, blocked, redundant = (kernel.count(name) for name in ("executions", "blocked", "redundant"))
        done = executions + blocked + redundant
        self._observer.progress(
            "exploring", executions=executions, blocked=blocked, redundant=redundant, percent_done=round(percent, 1)
        )
        limit = self._budget.exhausted()
        if limit is None:
            return None
        left = f", about {percent:.1f} % of them" if done and kernel.explored > 0.001 else ""
        return f"{limit}: {done:,} executions explored{left}"

    def _answer_choice(self) -> None:
        choice = self._machine.told(OutcomeKind.CHOOSE, self.kernel.block.detail)
        assert isinstance(choice, Choose)
        values, complete = values_to_try(choice, self._constants)
        if not complete:
            self.cut[why_cut(choice)] = None
        self.kernel.offer(list(values))

    def _grow(self) -> str | None:
        """More room, and once more from the beginning; or why not."""
        block: Any = self.kernel.block
        kind = OutcomeKind(block.detail_outcome)
        if kind is not OutcomeKind.CAPACITY:
            outcome = self._machine.told(kind, block.detail)
            what = getattr(outcome, "construct", "too many choices in one step")
            return f"unsupported by the native machine: {what} at {self._machine.loc(block.detail.pc)}"
        room = ROOMS[int(block.detail.resource)]
        larger = self._machine.grown(room)
        if larger is None:
            return f"the program needs too many {room.replace('_', ' ')}"
        self.kernel.close()
        self._optimisation.stop()  # of the smaller one
        self._machine = larger
        self.kernel = Kernel(larger, self._task.property, self._settings)
        return None

    # --- the end -----------------------------------------------------------------------------------------------------

    def _unsafe(self, schedule: Schedule) -> Result:
        live = for_live(self._task.program, self._machine.spurious, schedule)
        return Unsafe(live, self.stats())

    def _exhausted(self) -> Result:
        self.cut |= dict.fromkeys(cuts_of(self.kernel, self._machine))
        if self.kernel.block.loses and self.kernel.count("open_ends"):
            self.cut["the process may end while other threads still move, and memory may be lost there"] = None
        if self._machine.variant.dormant:
            self.cut["few of the threads ran"] = None
        if self._settings.preemptions is not None:
            self.cut[f"no violation with at most {self._settings.preemptions} preemptions; more were not tried"] = None
        if self.cut:
            return Unknown(next(iter(self.cut)), self.stats())
        figures = {"executions": self.kernel.count("executions"), "reduction": self._settings.reduction.name.lower()}
        return Safe(CompleteExploration(Covered.EXECUTIONS, figures), self.stats())

    def stats(self) -> Stats:
        bound, count = self._settings.preemptions, self.kernel.count
        return {
            "executions": count("executions"),
            "blocked": count("blocked"),
            "redundant": count("redundant"),
            "events": count("events_made"),
            "reduction": self._settings.reduction.name.lower(),
            **({} if bound is None else {"preemptions": bound}),
        }


def cuts_of(kernel: Kernel, machine: NativeMachine) -> list[str]:
    """Why the search is not complete, as far as the kernel knows."""
    found = [_told(cut, block.detail, machine) for block in kernel.blocks for cut in block.cut[: block.cuts]]
    if kernel.count("cut_runs"):
        found.append(f"executions of more than {kernel.block.max_depth} steps (an unbounded loop?)")
    if kernel.count("rogues"):
        found.append("a read-write lock is unlocked by a thread that does not hold it, or inside an atomic block")
    if kernel.count("diverged"):
        found.append("a planned execution could not be followed")
    return found


def _told(cut: Any, detail: Any, machine: NativeMachine) -> str:
    if cut.outcome == OutcomeKind.STEPS:
        return f"a thread that computes for very long at {machine.loc(cut.pc)}"
    exact = type(detail)(kind=cut.kind, text=cut.text, name=cut.name, pc=cut.pc)
    outcome = machine.told(OutcomeKind(cut.outcome), exact)
    assert isinstance(outcome, UndefinedBehaviour | NotSupported)
    return why_cut(outcome)
