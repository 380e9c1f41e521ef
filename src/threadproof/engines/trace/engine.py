"""Engine `trace`: for each thread in which something may go wrong, a reduced product with inductive labels.

Preference orders are tried side by side, with growing shares of the time: which of them has a simple proof is not
known beforehand. What is known of swaps and triples of letters does not depend on the order, and is shared.

Invariants: `Safe` only with a product for every thread that may go wrong; `Unsafe` only with a schedule that the
reference machine has made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from threadproof.abstraction.alarms import Refinement
from threadproof.abstraction.cases import Cases
from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_values import LabelValues
from threadproof.abstraction.labelled_product import Alarm, Fixpoint
from threadproof.abstraction.labelled_proof import proof_of
from threadproof.abstraction.membranes import Membranes
from threadproof.abstraction.possible_path import PossiblePath, followed
from threadproof.abstraction.reduced_product import ProductReduction
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.automaton import CannotUnfold, FillingLoops, ProgramAutomaton, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.automaton.overflow_guards import overflow_guards
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.proofs import ReducedProduct, ReducedProducts, SingleThreads
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import TransitionTrap
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.task import Task
from threadproof.engines.trace.source_sets import PathReduction, PathSearch
from threadproof.independence.orders import PreferenceOrder, ThreadByThread, orders
from threadproof.independence.pairs import SwapGoal
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.ir.layout import OutOfAddresses
from threadproof.semantics.leaks import refusal
from threadproof.smt.context import Context
from threadproof.thread_modular.alone import threads_alone

KNOWN = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)
MOST_INSTANCES = 6
SEARCHING = 0.8
"""Of the time: the rest is for the check of the proof."""
WITHOUT_GUARDS = 0.65
"""Of that: for a proof without guards against overflows, if there are any;"""
WITHOUT_GUARDS_S = 60.0
"""seconds, if there is no limit."""
ALONE = 0.1
"""Of that, at most: for threads in which nothing goes wrong whatever the others do;"""
ALONE_S = 20.0
"""seconds, if there is no limit."""
FIRST_SLICE = 1.0
"""Seconds of the processor for each order at first; twice as many in every round."""
FAVOURED = 4
"""The first order has so many times as much;"""
TOLD_APART = 2
"""So often at most, nodes are told apart by what would let letters swap;"""
SUCCESSFUL = 16
"""and so many times, if it has succeeded for another thread."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property not in KNOWN:
        return Unknown(f"trace does not answer {task.property}")
    why_not = refusal(task.program, task.property)
    if why_not is not None:
        return Unknown(f"trace {why_not}")
    searching = budget.part(SEARCHING)
    guards = overflow_guards(task.program)
    labelled = _LabelledThreads(task, searching, observer)
    try:
        if guards:
            alone = searching.part(WITHOUT_GUARDS) if searching.seconds is not None else Budget(WITHOUT_GUARDS_S)
            result = _TraceEngine(task, FillingLoops.LEFT_OUT, alone, observer, labelled, guards).run()
            if isinstance(result, Safe):  # what else is found is not the program's
                return result
        result = _TraceEngine(task, FillingLoops.LEFT_OUT, searching, observer, labelled).run()
        met = isinstance(result, Unsafe) or (isinstance(result, Unknown) and result.met is not None)
        if met and without_filling_loops(task.program) is not task.program:  # the schedule need not be the program's
            return _TraceEngine(task, FillingLoops.KEPT, searching, observer, labelled).run()
        return result
    except (CannotUnfold, CannotEncode, OutOfAddresses) as why:
        return Unknown(str(why))


class _OutOfBudget(Exception):
    pass


class _Slice:
    """A turn of those that take turns. Time of the processor: how much others use of it says nothing about an order."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    def is_over(self) -> bool:
        return time.process_time() >= self._end


class _ShareIsOver(Exception):
    pass


@dataclass(slots=True)
class _Attempt:
    order: str
    fixpoint: Fixpoint
    values: LabelValues
    by_cases: bool = False
    alarm: Alarm | None = None
    told_apart: int = 0  # how often nodes were told apart for the sake of swaps


class _LabelledThreads:
    """Threads in which nothing goes wrong, whatever the others do: looked for once."""

    def __init__(self, task: Task, budget: Budget, observer: Observer) -> None:
        self._task = task
        self._budget = budget
        self._observer = observer
        self._found: SingleThreads | None = None
        self._asked = False

    def threads(self, templates: Collection[str]) -> SingleThreads | None:
        """At least, if it is asked for the first time, those of these templates."""
        if not self._asked:
            self._asked = True
            try:
                self._found = self._look_for(templates)
            except (CannotUnfold, CannotEncode, OutOfAddresses):
                self._found = None  # products may do all the same
        return self._found

    def _look_for(self, templates: Collection[str]) -> SingleThreads | None:
        limited = self._budget.seconds is not None
        mine = self._budget.part(ALONE) if limited else Budget(ALONE_S, self._budget.memory_mb)

        def stop() -> str | None:
            self._observer.progress("threads in which nothing goes wrong, whatever the others do")
            return mine.exhausted()

        program = for_letters(self._task.program, self._task.property)
        return threads_alone(program, self._task.property, templates, stop)


class _TraceEngine:
    def __init__(
        self,
        task: Task,
        loops: FillingLoops,
        budget: Budget,
        observer: Observer,
        labelled: _LabelledThreads,
        dropped: frozenset[str] = frozenset(),
    ) -> None:
        """`dropped`: lines with assumptions that the proof does without."""
        self._labelled = labelled
        self._program = for_letters(task.program, task.property, loops, dropped)
        self._dropped = dropped
        self._property = task.property
        self._reduction = task.word("reduction")
        self._budget = budget
        self._observer = observer
        self._stats: Stats = {}
        self._best: str | None = None  # the order that succeeded for the thread before

    def run(self) -> Result:
        automaton = program_automaton(self._program)
        bounds = instance_bounds(automaton)
        most = {name: often if often <= MOST_INSTANCES else 2 for name, often in bounds.items()}
        while True:
            result = self._with(automaton, most)
            if result is not None:
                return result
            most = {name: min(often * 2, MOST_INSTANCES) for name, often in most.items()}

    def _with(self, automaton: ProgramAutomaton, most: dict[str, int]) -> Result | None:
        """None: more instances are needed."""
        product = ThreadProduct(self._program, automaton, self._property, most)
        context = Context(product.terms)
        letters = AllLetters(product.encoder, most)
        parts: list[ReducedProduct] = []
        try:
            goals = [ThreadGoal(product, letters, thread) for thread in product.space.instances]
            wanted = [one for one in goals if one.wanted]
            alone = self._alone(wanted, letters)
            if alone is not None:
                wanted = [one for one in wanted if one.thread is None or one.thread.template not in alone.templates]
            for goal in wanted or goals[:1]:  # one product at least says that it is so
                found = self._part(product, goal, letters, context)
                if isinstance(found, ReducedProduct):
                    parts.append(found)
                elif max(most.values()) < MOST_INSTANCES and _is_about_instances(found):
                    return None
                elif isinstance(found, PossiblePath):
                    return followed(self._program, self._property, product, found, self._stats)
                else:
                    return self._unknown(found)
        except _OutOfBudget as limit:
            return Unknown(str(limit), self._stats)
        self._stats["orders"] = [part.order for part in parts]
        return Safe(ReducedProducts(tuple(parts), alone), self._stats)

    def _alone(self, wanted: Sequence[ThreadGoal], letters: AllLetters) -> SingleThreads | None:
        """Threads for which no product is needed."""
        templates = {one.thread.template for one in wanted if one.thread is not None}
        templates -= {key[0].template for key in letters.letters if letters.may_start_too_many(key)}
        if len(wanted) < 2 or not templates or self._reduction not in (None, "proof"):
            return None
        found = self._labelled.threads(templates)
        right = () if found is None else tuple(one for one in found.templates if one in templates)
        return SingleThreads(right, found.proof) if found is not None and right else None

    def _part(
        self, product: ThreadProduct, goal: ThreadGoal, letters: AllLetters, context: Context
    ) -> ReducedProduct | Alarm | PossiblePath | str:
        """By fixpoints and by paths, unless one of them is asked for. Labels at dead ends, and assertions of paths, say
        little: there letters swap only if formulas alone show it."""
        about = SwapGoal(goal.thread, product.forbids)
        always = Swaps(product.encoder, context, goal=about, without=OF_REACHABLE)
        membranes = Membranes(product, letters, goal, always)
        dead_ends = DeadEnds(membranes)
        refinement = Refinement(product, context)
        how = PathReduction.NONE if self._reduction == "none" else PathReduction.SOURCE
        order = ThreadByThread(product.space.instances)
        inside = membranes if how is PathReduction.SOURCE else None
        reduction = ProductReduction(product, always, order, goal, inside)
        search = PathSearch(reduction, how, goal, always, dead_ends, refinement)
        try:
            if self._reduction in (None, "proof"):
                swaps = Swaps(product.encoder, context, goal=about)
                return self._prove(product, goal, swaps, context, membranes, refinement, search)
            found = self._follow_paths(search)
            assert found is not None
            return found
        finally:
            self._count(search.counts())

    def _follow_paths(
        self, search: PathSearch, mine: _Slice | None = None
    ) -> ReducedProduct | PossiblePath | str | None:
        """None: its turn is over, if it is one."""

        def stop() -> None:
            self._stop()
            if mine is not None and mine.is_over():
                raise _ShareIsOver

        try:
            left = search.run(stop)
        except _ShareIsOver:
            return None
        return search.proof(self._dropped) if left is None else left

    def _prove(
        self,
        product: ThreadProduct,
        goal: ThreadGoal,
        swaps: Swaps,
        context: Context,
        membranes: Membranes,
        refinement: Refinement,
        search: PathSearch,
    ) -> ReducedProduct | Alarm | PossiblePath:
        """The product of the order that succeeded, or of paths; or a path on which something goes wrong; or the first
        order's alarm. Paths have the first turn in every round, and what is left of the time if no order is; not in the
        first round where an order has succeeded for another thread."""
        attempts: list[_Attempt] = []
        promising = sorted(
            orders(product.automaton, product.space.instances).items(), key=lambda named: named[0] != self._best
        )
        waiting = self._attempts(product, goal, promising, swaps, context, membranes)
        seconds, by_paths = FIRST_SLICE, "not asked for" if self._reduction == "proof" else None
        owed = 0.0  # a single path may take long
        while True:
            if (self._best is None or attempts) and owed < seconds:
                began = time.process_time()
                by_paths = by_paths or self._follow_paths(search, _Slice(seconds - owed))
                owed += time.process_time() - began
            owed = max(0.0, owed - seconds)
            if isinstance(by_paths, ReducedProduct | PossiblePath):
                return by_paths
            for attempt in _with_new(attempts, waiting):
                if attempt.alarm is None:
                    favoured = attempt is attempts[0] or attempt.by_cases
                    share = 1 if not favoured else FAVOURED if self._best is None else SUCCESSFUL
                    found = self._advance(attempt, _Slice(seconds * share), refinement)
                    if isinstance(found, PossiblePath):
                        return found
                    if found:
                        self._best = attempt.order
                        self._count(attempt.fixpoint.counts())
                        return proof_of(attempt.fixpoint, goal.thread, attempt.order, product.most, self._dropped)
            if all(attempt.alarm is not None for attempt in attempts):
                return self._last_resort(attempts[0], search, by_paths)
            seconds *= 2

    def _attempts(
        self,
        product: ThreadProduct,
        goal: ThreadGoal,
        promising: Sequence[tuple[str, PreferenceOrder]],
        swaps: Swaps,
        context: Context,
        membranes: Membranes,
    ) -> Iterator[_Attempt]:
        """Where threads have nothing to do with each other, the second one is the first one by cases."""
        values, dead_ends = LabelValues(product, goal), DeadEnds(membranes)
        for name, order in promising:
            reduction = ProductReduction(product, swaps, order, goal, membranes)
            yield _Attempt(name, Fixpoint(reduction, values, context, goal, dead_ends, plain=True), values)
            cases = Cases(product, goal, values.relevance) if (name, order) == promising[0] else None
            if cases is not None and cases.are_worth_it():
                of_choices = LabelValues(product, goal, choices=True)
                reduction = ProductReduction(product, swaps, order, goal, membranes, cases)
                fixpoint = Fixpoint(reduction, of_choices, context, goal, dead_ends, plain=True)
                yield _Attempt(f"{name}, by cases", fixpoint, of_choices, by_cases=True)

    def _last_resort(
        self, first: _Attempt, search: PathSearch, by_paths: str | None
    ) -> ReducedProduct | Alarm | PossiblePath:
        """No order is left: paths have all the time, unless it is more threads that are needed."""
        assert first.alarm is not None
        if by_paths is None and not _is_about_instances(first.alarm):
            found = self._follow_paths(search)
            return found if isinstance(found, ReducedProduct | PossiblePath) else first.alarm
        return first.alarm

    def _advance(self, attempt: _Attempt, mine: _Slice, refinement: Refinement) -> bool | PossiblePath:
        """Whether it succeeded."""
        while not mine.is_over():
            found = attempt.fixpoint.advance(self._until(mine, attempt))
            if not isinstance(found, Alarm):
                return found
            if attempt.fixpoint.plain:
                more = attempt.told_apart < TOLD_APART and attempt.values.learn(attempt.fixpoint.undecided())
                attempt.told_apart += 1
                attempt.fixpoint.restart(plain=more)
                continue
            learned = refinement.learn(attempt.fixpoint, found)
            if isinstance(learned, PossiblePath):
                return learned
            self._stats["refinements"] = self._stats.get("refinements", 0) + 1
            if not attempt.values.learn(learned):
                attempt.alarm = found
                return False
            attempt.fixpoint.restart()
        return False

    def _stop(self) -> None:
        limit = self._budget.exhausted()
        if limit is not None:
            raise _OutOfBudget(limit)

    def _until(self, mine: _Slice, attempt: _Attempt) -> Callable[[], bool]:
        def stop() -> bool:
            self._stop()
            self._observer.progress(
                f"looking for what holds, threads in the order '{attempt.order}'",
                nodes=float(len(attempt.fixpoint.nodes)),
            )
            return mine.is_over()

        return stop

    def _count(self, counts: Mapping[str, int]) -> None:
        for name, number in counts.items():
            self._stats[name] = self._stats.get(name, 0) + number

    def _unknown(self, found: Alarm | str) -> Unknown:
        if isinstance(found, str):
            return Unknown(found, self._stats)
        loc = found.letter.action.letter.steps[_wrong(found)[0].step].instr.loc
        return Unknown(f"no order has labels of this language that exclude what may go wrong at {loc}", self._stats)


def _wrong(found: Alarm | PossiblePath | str) -> tuple[TransitionTrap, ...]:
    if isinstance(found, str):
        return ()
    if isinstance(found, PossiblePath):
        return (found.what,)
    return (*found.letter.action.violations, *found.letter.action.others)


def _is_about_instances(found: Alarm | PossiblePath | str) -> bool:
    return any(trap.what is MORE_INSTANCES for trap in _wrong(found))


def _with_new(attempts: list[_Attempt], waiting: Iterator[_Attempt]) -> Iterator[_Attempt]:
    """Those that were begun, then new ones, which are begun when it is their turn."""
    yield from list(attempts)
    for attempt in waiting:
        attempts.append(attempt)
        yield attempt
