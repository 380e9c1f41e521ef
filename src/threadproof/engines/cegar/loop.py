"""The loop of a configuration: abstractor and refiner in turn, until the graph is closed or a counterexample is made.

Where more threads may be started than are looked at, there will be no proof with so few: errors of few threads are
looked for, for some time, then more threads are looked at.

Invariants: `Safe` only with a closed graph; `Unsafe` only with a schedule that the reference machine has made.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.abstraction.checks import asked_by_checks
from threadproof.abstraction.possible_path import PossiblePath, followed
from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.result import Result, Safe, Stats, Unknown
from threadproof.engines.cegar.abstractor import AbstractCounterexample, Abstractor, ManyValues
from threadproof.engines.cegar.configuration import Configuration, InitialPrecision, PointerTracking
from threadproof.engines.cegar.drawing import ArgDrawing
from threadproof.engines.cegar.pointers import pointer_variables
from threadproof.engines.cegar.precision import Precision
from threadproof.engines.cegar.proof import proof_of
from threadproof.engines.cegar.reduction import ArgReduction
from threadproof.engines.cegar.refiner import PrecisionRefiner, Refined, RefinementStuck
from threadproof.engines.cegar.setting import CegarSetting, Substrate
from threadproof.engines.cegar.states import Transformer

FEW = 0.5
"""Of what is left: for errors of few threads, before more are looked at."""


class _OutOfBudget(Exception):
    pass


class _LookAtMore(Exception):
    """Threads."""


class CegarLoop:
    def __init__(self, setting: CegarSetting, how: Configuration, budget: Budget, observer: Observer) -> None:
        self._setting = setting
        self._how = how
        self._budget = budget
        self._observer = observer
        self._stats: Stats = {"configuration": str(how)}
        self._last: _LoopOfThreads | None = None

    def run(self) -> Result:
        while True:
            self._last = _LoopOfThreads(
                self._setting, self._setting.substrate(), self._how, self._budget, self._observer, self._stats
            )
            try:
                return self._last.run()
            except _LookAtMore:
                pass
            except _OutOfBudget as limit:
                return Unknown(str(limit), self._stats)

    def drawing(self) -> ArgDrawing | None:
        """Of the graph as it was at last."""
        return None if self._last is None else self._last.drawing()


class _LoopOfThreads:
    """With as many as the substrate has."""

    def __init__(
        self,
        setting: CegarSetting,
        shared: Substrate,
        how: Configuration,
        budget: Budget,
        observer: Observer,
        stats: Stats,
    ) -> None:
        self._setting = setting
        self._how = how
        self._budget = budget
        self._observer = observer
        self._stats = stats
        self._product = shared.product
        self._precision = Precision(shared.triples.predicates, shared.liveness, how.scope)
        _set_pointers(self._product, self._precision, how)
        if how.initial is InitialPrecision.CHECKS and how.has_predicates:
            self._precision.begin(asked_by_checks(self._product))
        self._transformer = Transformer(self._product, shared.triples, self._precision, how)
        self._reduction = ArgReduction(self._product, shared.context, how.reduction, how.order)
        self._reduction.follow(self._precision)
        self._abstractor = Abstractor(self._product, self._reduction, self._transformer, how.search, how.most_values)
        self._refiner = PrecisionRefiner(self._product, shared.context, shared.triples, self._precision, how)
        self._left: Unknown | None = None  # why there will be no proof
        self._few: Budget | None = None  # if there may be more threads

    def run(self) -> Result:
        """Raises _LookAtMore, _OutOfBudget."""
        while True:
            try:
                several = self._abstractor.build(self._stop, self._how.at_a_time)
            except ManyValues as many:
                self._precision.untrack(many.variable)
                self._reduction.follow(self._precision)
                self._abstractor.restart()
                continue
            result = self._learn(several) if several else self._closed()
            if result is not None:
                return result

    def drawing(self) -> ArgDrawing:
        return ArgDrawing(self._product, self._transformer, self._abstractor.graph.nodes[0])

    def _closed(self) -> Result:
        self._try_more()
        root = self._abstractor.graph.nodes[0]
        if self._left is not None:
            return self._left
        return Safe(proof_of(self._product, self._transformer, root, self._how, self._reduction.kept), self._stats)

    def _learn(self, several: Sequence[AbstractCounterexample]) -> Result | None:
        """None: the search goes on."""
        refined: list[Refined] = []
        stuck: RefinementStuck | None = None
        for found in several:
            letter = found.last.letter.letter.id
            learned = self._refiner.refine(found, tolerated=letter in self._transformer.tolerated)
            self._stats["refinements"] = self._stats.get("refinements", 0) + 1
            if isinstance(learned, PossiblePath):
                result = self._possible(learned, letter)
                if result is not None:
                    return result
            elif isinstance(learned, Refined):
                refined.append(learned)
            else:
                stuck = learned
        if refined:
            self._build_anew(refined)
        elif stuck is not None:
            self._try_more()
            return self._left or Unknown(stuck.reason, self._stats)
        return None

    def _possible(self, path: PossiblePath, letter: int) -> Result | None:
        """None: it forbids a proof and violates nothing, something else may."""
        result = followed(self._setting.program, self._setting.property, self._product, path, self._stats)
        if path.violates or not isinstance(result, Unknown):
            return result
        self._left = self._left or result
        self._transformer.tolerated.add(letter)
        if path.what.what is MORE_INSTANCES and self._setting.can_look_at_more:
            self._few = self._few or self._budget.part(FEW)
        return None

    def _build_anew(self, refined: Sequence[Refined]) -> None:
        """What the precision has changed."""
        pivots = [one.pivot for one in refined if one.pivot is not None]
        if self._reduction.follow(self._precision) or len(pivots) < len(refined):
            self._abstractor.restart()
            return
        for pivot in pivots:
            self._abstractor.prune(pivot)

    def _try_more(self) -> None:
        if self._few is not None and self._setting.look_at_more():
            raise _LookAtMore

    def _stop(self) -> None:
        nodes = len(self._abstractor.graph.nodes)
        self._stats["nodes"] = nodes
        self._stats["precision"] = self._precision.size
        limit = self._budget.exhausted()
        if limit is not None:
            raise _OutOfBudget(limit)
        if self._few is not None and self._few.left() <= 0:
            self._try_more()
        self._observer.progress("abstract states", nodes=float(nodes))


def _set_pointers(product: ThreadProduct, precision: Precision, how: Configuration) -> None:
    if how.pointers is PointerTracking.OFF:
        precision.never = pointer_variables(product.space)
    elif how.pointers is PointerTracking.ALWAYS and how.tracks_values:
        precision.track(pointer_variables(product.space))
