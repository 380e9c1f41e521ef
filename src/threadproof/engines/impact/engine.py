"""Engine `impact`: a tree of letters whose labels are found by refuting paths, until it covers itself.

Invariants: `Unsafe` only with a schedule that the reference machine has made; `Safe` only with the whole tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from threadproof.abstraction.letter_guide import LetterGuide
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.automaton import CannotUnfold, FillingLoops, ProgramAutomaton, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.automaton.overflow_guards import overflow_guards
from threadproof.automaton.store_buffers import MORE_STORES, with_store_buffers
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.proofs import LabelledTree, Proof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.core.schedule import Schedule
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.impact.by_order import NO_LIMIT, ByOrder, OrderSlice
from threadproof.engines.impact.generalise import LabelSource
from threadproof.engines.impact.ordered import OrderedPaths
from threadproof.engines.impact.proof import proof_of
from threadproof.engines.impact.schedule import schedule_of, weak_schedule_of
from threadproof.engines.impact.search import TreeCounterexample, TreeSearch
from threadproof.engines.impact.side_by_side import PlaceQuestions
from threadproof.engines.impact.strategy import ForceCover, ImpossibleLetters, TreeExpansion, TreeStrategy, WorkList
from threadproof.engines.task import Task
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import Spurious
from threadproof.semantics.guide import Astray
from threadproof.semantics.leaks import refusal
from threadproof.semantics.outcome import UndefinedBehaviour
from threadproof.semantics.violations import of_outcome, spurious_for

MOST_INSTANCES = 8
MOST_SLOTS = 8
"""Of a thread's store buffer, under TSO and PSO."""
SEARCHING = 0.8
"""Of the time: the rest is for the check of the proof."""
PLAIN, PLAIN_S, SMALL, ORDERED, GENERAL = 0.2, 30.0, 0.15, 0.8, 0.8
"""Of that, how much goes to unwinding at first (at most so many seconds), then, each time of what is left, to small
labels, to lockstep (to small labels where there is no order), and to generalisation."""
WITHOUT_GUARDS = 0.5
"""Of the time for lockstep: for a proof without guards against overflows, if there are any."""
BY_ORDER = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)
"""What reduced products are about."""
KNOWN = (
    Property.UNREACH_CALL,
    Property.NO_OVERFLOW,
    Property.NO_DATA_RACE,
    Property.NO_DEADLOCK,
    Property.VALID_MEMSAFETY,
)


def check(task: Task, budget: Budget, observer: Observer, strategy: TreeStrategy | None = None) -> Result:
    why_not = refusal(task.program, task.property)
    if task.property not in KNOWN or why_not is not None:
        return Unknown(f"impact {why_not or f'does not answer {task.property}'}")
    if task.memory_model is not MemoryModel.SC and task.property is not Property.UNREACH_CALL:
        return Unknown(f"impact does not answer {task.property} under {task.memory_model}")
    if task.property is Property.NO_DEADLOCK and spurious_for(task.property, task.program) is not Spurious.OFF:
        return Unknown("impact looks for deadlocks without spurious wake-ups")
    ask = _sequentially_consistent if task.memory_model is MemoryModel.SC else _with_store_buffers
    searching = budget.part(SEARCHING)
    in_order = task.word("reduction") == "order"
    if in_order and not _has_order(task):
        return Unknown(f"impact follows no preference order for {task.property} under {task.memory_model}")
    try:
        if strategy is not None or in_order or task.word("sources") is not None:
            return ask(task, searching, observer, strategy or _strategy(task))
        return _in_turn(task, lambda each, how: ask(task, each, observer, how), searching)
    except (CannotUnfold, CannotEncode, OutOfAddresses) as why:
        return Unknown(str(why))


def _in_turn(task: Task, ask: Callable[[Budget, TreeStrategy], Result], budget: Budget) -> Result:
    """Loops that end after a few rounds are best unwound; where that takes long, labels are kept small, then threads
    are looked at in lockstep, then what every round keeps is looked for; and if that does not help, unwinding goes on
    for the time that is left."""
    plain = _strategy(task)
    result = ask(Budget(min(PLAIN_S, PLAIN * budget.left()), budget.memory_mb), plain)
    if not _took_long(result):
        return result
    if plain.expansion is TreeExpansion.MONOTONIC and task.memory_model is MemoryModel.SC:
        small = replace(plain, impossible=ImpossibleLetters.MADE)
        ordered = [(ORDERED, _in_lockstep(plain))] if _has_order(task) else []
        for share, strategy in ((SMALL if ordered else ORDERED, small), *ordered):
            result = ask(budget.part(share), strategy)
            if isinstance(result, Safe | Unsafe):
                return result
    result = ask(budget.part(GENERAL), replace(plain, sources=tuple(LabelSource)))
    return ask(budget, plain) if _took_long(result) and budget.left() > PLAIN_S else result


def _has_order(task: Task) -> bool:
    return task.memory_model is MemoryModel.SC and task.property in BY_ORDER


def _in_lockstep(plain: TreeStrategy) -> TreeStrategy:
    """With labels that say no more than errors need: then loops keep more of them."""
    return replace(
        plain,
        expansion=TreeExpansion.ORDERED,
        impossible=ImpossibleLetters.MADE,
        sources=plain.sources or tuple(LabelSource),
    )


def _took_long(result: Result) -> bool:
    return isinstance(result, Unknown) and result.reason == "time"


def _sequentially_consistent(task: Task, budget: Budget, observer: Observer, strategy: TreeStrategy) -> Result:
    guards = overflow_guards(task.program) if strategy.expansion is TreeExpansion.ORDERED else frozenset[str]()
    if guards:
        alone = budget.part(WITHOUT_GUARDS) if budget.seconds is not None else Budget(PLAIN_S)
        result = _of_letters(task, FillingLoops.LEFT_OUT, alone, observer, strategy, guards)
        if isinstance(result, Safe):  # what else is found is not the program's
            return result
    result = _of_letters(task, FillingLoops.LEFT_OUT, budget, observer, strategy)
    told = isinstance(result, Unsafe) or (isinstance(result, Unknown) and result.met is not None)
    if (
        told and without_filling_loops(task.program) is not task.program
    ):  # its schedule may be no schedule of the program
        return _of_letters(task, FillingLoops.KEPT, budget, observer, strategy)
    return result


def _of_letters(
    task: Task,
    loops: FillingLoops,
    budget: Budget,
    observer: Observer,
    strategy: TreeStrategy,
    dropped: frozenset[str] = frozenset(),
) -> Result:
    """`dropped`: lines with assumptions that the proof does without."""
    program = for_letters(task.program, task.property, loops, dropped)
    lead = partial(schedule_of, program, spurious_for(task.property, program))
    return _Engine(replace(task, program=program), budget, observer, strategy, lead, dropped=dropped).run()


def _with_store_buffers(task: Task, budget: Budget, observer: Observer, strategy: TreeStrategy) -> Result:
    """Of the program with store buffers, small ones at first; schedules are the original's."""
    program, model, slots = for_letters(task.program, task.property, FillingLoops.KEPT), task.memory_model, 1
    while True:
        buffered = with_store_buffers(program, model, slots)
        lead = partial(weak_schedule_of, program, spurious_for(task.property, program), model, buffered)
        asked = replace(task, program=buffered.program)
        try:
            result = _Engine(asked, budget, observer, strategy, lead, more_slots=slots < MOST_SLOTS).run()
        except _MoreSlots:
            slots *= 2
            continue
        if isinstance(result, Safe) and isinstance(result.proof, LabelledTree):
            return replace(result, proof=replace(result.proof, slots=slots))
        return result


def _strategy(task: Task) -> TreeStrategy:
    expansion = TreeExpansion.ALL if task.word("reduction") == "none" else TreeExpansion.MONOTONIC
    word = task.word("sources")
    sources = tuple(one for one in LabelSource if word in ("all", one.value))
    strategy = TreeStrategy(expansion, sources=sources)
    if task.word("force_cover") == "off":
        strategy = replace(strategy, force_cover=ForceCover.OFF, work_list=WorkList.BREADTH_FIRST)
    return _in_lockstep(strategy) if task.word("reduction") == "order" else strategy


class _OutOfBudget(Exception):
    pass


class _MoreInstances(Exception):
    """A fork can happen for which there is no instance."""


class _MoreSlots(Exception):
    """A buffer can have more stores than there is room for."""


class _Engine:
    def __init__(
        self,
        task: Task,
        budget: Budget,
        observer: Observer,
        strategy: TreeStrategy,
        lead: Callable[[ThreadProduct, TreeCounterexample], LetterGuide],
        *,
        more_slots: bool = False,
        dropped: frozenset[str] = frozenset(),
    ) -> None:
        self._task = task
        self._budget = budget
        self._observer = observer
        self._strategy = strategy
        self._lead = lead
        self._more_slots = more_slots
        self._dropped = dropped
        self._reason = ""  # why `true` cannot be said
        self._met: Schedule | None = None
        self._turn = NO_LIMIT

    def run(self) -> Result:
        automaton = program_automaton(self._task.program)
        most = _instances(automaton)
        while True:
            self._reason, self._met = "", None
            result = self._with(automaton, most)
            if result is not None:
                return result
            most = {name: min(often * 2, MOST_INSTANCES) for name, often in most.items()}

    def _with(self, automaton: ProgramAutomaton, most: dict[str, int]) -> Result | None:
        """None: more instances are needed."""
        product = ThreadProduct(self._task.program, automaton, self._task.property, most)
        if self._strategy.expansion is TreeExpansion.ORDERED:
            return self._by_order(product)
        search = self._search(product)
        return self._searched(product, search, lambda: proof_of(product, search.tree, search.skips))

    def _searched(self, product: ThreadProduct, search: TreeSearch, proof: Callable[[], Proof]) -> Result | None:
        try:
            found = search.run(lambda: self._stop(search))
        except _MoreInstances:
            return None
        except _OutOfBudget as limit:
            return Unknown(self._reason or str(limit), _stats(search))
        if found is not None:
            return self._violation(product, found, search)
        reason = self._reason or search.gave_up
        if reason:
            return Unknown(reason, _stats(search), self._met)
        return Safe(proof(), _stats(search))

    def _by_order(self, product: ThreadProduct) -> Result | None:
        def run(search: TreeSearch, proof: Callable[[], Proof], turn: OrderSlice) -> Result | None:
            self._turn = turn
            try:
                return self._searched(product, search, proof)
            finally:
                self._turn = NO_LIMIT

        by_order = ByOrder(product, self._strategy, self._dropped, partial(self._search, product), run)
        return by_order.run()

    def _search(self, product: ThreadProduct, ordered: OrderedPaths | None = None) -> TreeSearch:
        questions = PlaceQuestions(product, self._task.property)
        return TreeSearch(product, self._strategy, lambda found: self._meet(product, found), questions, ordered)

    def _stop(self, search: TreeSearch) -> None:
        limit = self._budget.exhausted()
        if limit is not None:
            raise _OutOfBudget(limit)
        self._turn.check()
        self._observer.progress("expanding", nodes=float(len(search.tree.nodes)))

    def _violation(self, product: ThreadProduct, found: TreeCounterexample, search: TreeSearch) -> Result:
        try:
            guide = self._lead(product, found)
        except Astray as astray:
            return Unknown(f"a violation that does not replay: {astray}", _stats(search))
        if found.beside is not None:
            if not guide.meets(self._task.property):
                return Unknown("a violation that does not replay: the threads do not meet so", _stats(search))
        elif guide.outcome is None or of_outcome(self._task.property, guide.outcome) is None:
            ended = type(guide.outcome).__name__
            return Unknown(f"a violation that does not replay: it ends with {ended}", _stats(search))
        return Unsafe(guide.schedule, _stats(search))

    def _meet(self, product: ThreadProduct, found: TreeCounterexample) -> None:
        what = found.trap.what
        if what is MORE_INSTANCES and max(product.most.values()) < MOST_INSTANCES:
            raise _MoreInstances
        if self._more_slots and what == NotEncoded(MORE_STORES):
            raise _MoreSlots
        if self._reason:
            return
        loc = found.action.letter.steps[found.trap.step].instr.loc
        if isinstance(what, NotEncoded):
            self._reason = f"unsupported: {what.reason} at {loc}"
            return
        self._reason = f"perhaps {what.value} at {loc}: the formula says so, the reference semantics does not"
        try:
            guide = self._lead(product, found)
        except Astray:
            return
        if isinstance(guide.outcome, UndefinedBehaviour):
            self._reason, self._met = f"undefined behaviour: {what.value} at {loc}", guide.schedule


def _instances(automaton: ProgramAutomaton) -> dict[str, int]:
    """As many as there may be; two at first, where loops create them."""
    return {name: often if often <= MOST_INSTANCES else 2 for name, often in instance_bounds(automaton).items()}


def _stats(search: TreeSearch) -> Stats:
    counts, asked = search.counts, search.entailment.counts
    nodes = len(search.tree.nodes)
    return {
        "nodes": nodes,
        "implication_checks": asked.by_solver,
        "implications_by_table": asked.by_table,
        "cover_expansions": counts.cover_expansions,
        "covers": counts.covers,
        "forced_covers": counts.forced,
        "uncovered": counts.uncovered,
        "refinements": counts.refinements,
        "refinements_by_sources": counts.by_sources,
        "loops_labelled": counts.loops_labelled,
        "generalised": counts.generalised,
    }
