"""Engine `cegar`: abstractor and refiner in turn, until the graph is closed or a counterexample can be made.

Invariants: `Safe` only with a closed graph; `Unsafe` only with a schedule that the reference machine has made.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.abstraction.possible_path import PossiblePath, followed
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.automaton import CannotUnfold, FillingLoops
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unknown, Unsafe
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.cegar.abstractor import Abstractor
from threadproof.engines.cegar.configuration import (
    MOST_CASES,
    AbstractDomain,
    ArgPor,
    Configuration,
    PointerTracking,
    PrecisionScope,
    RefinementStrategy,
    SearchOrder,
)
from threadproof.engines.cegar.drawing import ArgDrawing
from threadproof.engines.cegar.pointers import pointer_variables
from threadproof.engines.cegar.precision import Precision
from threadproof.engines.cegar.proof import proof_of
from threadproof.engines.cegar.reduction import ArgReduction
from threadproof.engines.cegar.refiner import PrecisionRefiner, RefinementStuck
from threadproof.engines.cegar.setting import CegarSetting
from threadproof.engines.cegar.states import Transformer
from threadproof.engines.task import Task
from threadproof.ir.layout import OutOfAddresses
from threadproof.semantics.leaks import may_lose

KNOWN = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)
SEARCHING = 0.7
"""Of the time: the rest is for the check of the proof."""
SHARE = 0.5
"""Of what is left of that: for each configuration but the last, if none is asked for."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property not in KNOWN:
        return Unknown(f"cegar does not answer {task.property}")
    if task.property is Property.VALID_MEMSAFETY and may_lose(task.program, task.property):
        return Unknown("cegar does not answer valid-memsafety where memory may be lost")
    searching = budget.part(SEARCHING)
    try:
        if task.word("domain") is not None:
            return _CegarRuns(task, observer).run(_configuration(task), searching)
        return _in_turn(_CegarRuns(task, observer), _configuration(task), searching)
    except (CannotUnfold, CannotEncode, OutOfAddresses) as why:
        return Unknown(str(why))


def _in_turn(runs: _CegarRuns, asked: Configuration, budget: Budget) -> Result:
    """Another domain, or another source of predicates, where one is stuck or takes too long. The first reason is told
    that is no lack of time."""
    reasons: list[Unknown] = []
    several = (
        asked,
        replace(asked, domain=AbstractDomain.PRED_CART),
        replace(asked, source=RefinementStrategy.SP, search=SearchOrder.DFS),
        replace(asked, domain=AbstractDomain.PRED_BOOL, scope=PrecisionScope.LOCAL),
    )
    for number, how in enumerate(several):
        mine = budget.part(SHARE) if number + 1 < len(several) else budget
        result = runs.run(how, mine)
        if not isinstance(result, Unknown) or result.met is not None:
            return result
        reasons.append(result)
        if budget.left() <= 0:
            break
    return next((one for one in reasons if one.reason not in ("time", "memory")), reasons[0])


def _configuration(task: Task) -> Configuration:
    return Configuration(
        AbstractDomain(task.word("domain") or AbstractDomain.PROD.value),
        PrecisionScope(task.word("precision") or PrecisionScope.GLOBAL.value),
        SearchOrder(task.word("search") or SearchOrder.ERR.value),
        RefinementStrategy(task.word("refinement") or RefinementStrategy.WP.value),
        ArgPor(task.word("por") or ArgPor.AA_POINTERS.value),
        PointerTracking(task.word("pointers") or PointerTracking.NEEDED.value),
        MOST_CASES if task.number("maxenum") is None else task.number("maxenum") or 0,
    )


def drawn(task: Task, budget: Budget, observer: Observer) -> tuple[Result, ArgDrawing | None]:
    """The graph as the search leaves it. Raises CannotUnfold, CannotEncode, OutOfAddresses."""
    engine = _CegarEngine(CegarSetting(task, FillingLoops.LEFT_OUT), _configuration(task), budget, observer)
    return engine.run(), engine.drawing()


class _CegarRuns:
    """Of several configurations, which share what they find out about letters."""

    def __init__(self, task: Task, observer: Observer) -> None:
        self._task = task
        self._observer = observer
        self._settings: dict[FillingLoops, CegarSetting] = {}

    def run(self, how: Configuration, budget: Budget) -> Result:
        """Raises CannotUnfold, CannotEncode, OutOfAddresses."""
        result = self._run(FillingLoops.LEFT_OUT, how, budget)
        met = isinstance(result, Unsafe) or (isinstance(result, Unknown) and result.met is not None)
        program = self._task.program
        if met and without_filling_loops(program) is not program:  # the schedule need not be the program's
            return self._run(FillingLoops.KEPT, how, budget)
        return result

    def _run(self, loops: FillingLoops, how: Configuration, budget: Budget) -> Result:
        if loops not in self._settings:
            self._settings[loops] = CegarSetting(self._task, loops)
        return _CegarEngine(self._settings[loops], how, budget, self._observer).run()


class _OutOfBudget(Exception):
    pass


class _CegarEngine:
    def __init__(self, setting: CegarSetting, how: Configuration, budget: Budget, observer: Observer) -> None:
        self._setting = setting
        self._how = how
        self._budget = budget
        self._observer = observer
        self._stats: Stats = {"configuration": str(how)}
        self._last: tuple[ThreadProduct, Transformer, Abstractor] | None = None

    def run(self) -> Result:
        while True:
            try:
                result = self._with()
            except _OutOfBudget as limit:
                return Unknown(str(limit), self._stats)
            if result is not None:
                return result

    def _with(self) -> Result | None:
        """None: more instances are needed."""
        shared = self._setting.substrate()
        product, context, triples = shared.product, shared.context, shared.triples
        precision = Precision(triples.predicates, shared.liveness, self._how.scope)
        self._set_pointers(product, precision)
        transformer = Transformer(product, triples, precision, self._how)
        reduction = ArgReduction(product, context, self._how.reduction)
        reduction.follow(precision)
        abstractor = Abstractor(product, reduction, transformer, self._how.search)
        refiner = PrecisionRefiner(product, context, triples, precision, self._how)
        self._last = product, transformer, abstractor
        left: Unknown | None = None  # why there will be no proof
        while True:
            found = abstractor.build(lambda: self._stop(abstractor, precision))
            if found is None:
                root = abstractor.graph.nodes[0]
                return left or Safe(proof_of(product, transformer, root, self._how, reduction.kept), self._stats)
            letter = found.last.letter.letter.id
            learned = refiner.refine(found, tolerated=letter in transformer.tolerated)
            self._stats["refinements"] = self._stats.get("refinements", 0) + 1
            if isinstance(learned, RefinementStuck):
                return left or Unknown(learned.reason, self._stats)
            if isinstance(learned, PossiblePath):
                if learned.what.what is MORE_INSTANCES and self._setting.look_at_more():
                    return None
                result = followed(self._setting.program, self._setting.property, product, learned, self._stats)
                if learned.violates or not isinstance(result, Unknown):
                    return result
                left = left or result  # the search goes on: something may violate the property
                transformer.tolerated.add(letter)
                continue
            reduction.follow(precision)
            abstractor.restart()

    def drawing(self) -> ArgDrawing | None:
        """Of the graph as it was at last."""
        if self._last is None:
            return None
        product, transformer, abstractor = self._last
        return ArgDrawing(product, transformer, abstractor.graph.nodes[0])

    def _set_pointers(self, product: ThreadProduct, precision: Precision) -> None:
        if self._how.pointers is not PointerTracking.NEEDED:
            pointers = pointer_variables(product.space)
            if self._how.pointers is PointerTracking.OFF:
                precision.never = pointers
            elif self._how.tracks_values:
                precision.track(pointers)

    def _stop(self, abstractor: Abstractor, precision: Precision) -> None:
        self._stats["nodes"] = len(abstractor.graph.nodes)
        self._stats["precision"] = precision.size
        limit = self._budget.exhausted()
        if limit is not None:
            raise _OutOfBudget(limit)
        self._observer.progress("abstract states", nodes=float(len(abstractor.graph.nodes)))
