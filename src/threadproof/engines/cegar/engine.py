"""Engine `cegar`: configurations in turn, each as `loop.py` says, until one of them has an answer."""

from __future__ import annotations

from threadproof.automaton import CannotUnfold, FillingLoops
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Unknown, Unsafe
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.cegar.configuration import (
    MOST_CASES,
    AbstractDomain,
    ArgPor,
    Configuration,
    InitialPrecision,
    PointerTracking,
    PrecisionScope,
    Pruning,
    RefinementStrategy,
    SearchOrder,
    ThreadOrder,
)
from threadproof.engines.cegar.drawing import ArgDrawing
from threadproof.engines.cegar.loop import CegarLoop
from threadproof.engines.cegar.setting import CegarSetting
from threadproof.engines.cegar.turns import turns
from threadproof.engines.task import Task
from threadproof.ir.layout import OutOfAddresses
from threadproof.semantics.leaks import refusal

KNOWN = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.VALID_MEMSAFETY)
SEARCHING = 0.8
"""Of the time: the rest is for the check of the proof."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property not in KNOWN:
        return Unknown(f"cegar does not answer {task.property}")
    why_not = refusal(task.program, task.property)
    if why_not is not None:
        return Unknown(f"cegar {why_not}")
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
    for how, share in turns(asked, runs.setting()):
        result = runs.run(how, budget.part(share))
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
        ThreadOrder(task.word("order") or ThreadOrder.PERSISTENT.value),
        Pruning(task.word("prune") or Pruning.LAZY.value),
        max(task.number("counterexamples") or 1, 1),
        InitialPrecision(task.word("initial") or InitialPrecision.EMPTY.value),
    )


def drawn(task: Task, budget: Budget, observer: Observer) -> tuple[Result, ArgDrawing | None]:
    """The graph as the search leaves it. Raises CannotUnfold, CannotEncode, OutOfAddresses."""
    loop = CegarLoop(CegarSetting(task, FillingLoops.LEFT_OUT), _configuration(task), budget, observer)
    return loop.run(), loop.drawing()


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
        return CegarLoop(self.setting(loops), how, budget, self._observer).run()

    def setting(self, loops: FillingLoops = FillingLoops.LEFT_OUT) -> CegarSetting:
        """Raises CannotUnfold, CannotEncode, OutOfAddresses."""
        if loops not in self._settings:
            self._settings[loops] = CegarSetting(self._task, loops)
        return self._settings[loops]
