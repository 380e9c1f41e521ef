"""The programs of the Impara paper's table II, of its figure 1 and of its section IV-C, written anew, by engine
`impact`.

Every `true` has passed the check of its proof, every `false` replays. `benchmarks/impara.py` prints the table.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Safe, Verdict
from threadproof.engines.impact.engine import check
from threadproof.engines.impact.strategy import ForceCover, TreeExpansion, TreeStrategy, WorkList
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parent / "programs"
QUICK = {
    "cover_expansion": Verdict.FALSE,
    "dekker": Verdict.TRUE,
    "figure_1_printed": Verdict.FALSE,
    "peterson": Verdict.TRUE,
    "stack_u": Verdict.FALSE,
    "szymanski": Verdict.TRUE,
    "time_var_mutex": Verdict.TRUE,
}
LONG = {"figure_1": Verdict.TRUE, "lamport": Verdict.TRUE, "read_write_s": Verdict.TRUE, "read_write_u": Verdict.FALSE}
PROPERTY = Property.UNREACH_CALL


def asked(name: str, strategy: TreeStrategy) -> Answer:
    program = prepare([str(PROGRAMS / f"{name}.c")], PROPERTY, FrontendOptions())
    result = check(Task(program, PROPERTY), Budget(300.0), Silent(), strategy)
    return judge(program, PROPERTY, "impact", result, Budget(300.0))


@pytest.mark.parametrize("name", QUICK)
def test_verdicts(name: str) -> None:
    assert asked(name, TreeStrategy()).verdict is QUICK[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_verdicts_of_the_larger_ones(name: str) -> None:
    assert asked(name, TreeStrategy()).verdict is LONG[name]


@pytest.mark.parametrize("expansion", [TreeExpansion.ALL, TreeExpansion.MONOTONIC])
@pytest.mark.parametrize("name", ["cover_expansion", "time_var_mutex"])
def test_without_force_cover(name: str, expansion: TreeExpansion) -> None:
    strategy = TreeStrategy(expansion, ForceCover.OFF, WorkList.BREADTH_FIRST)
    assert asked(name, strategy).verdict is QUICK[name]


def test_without_cover_expansions_the_error_is_missed_and_the_check_of_the_proof_notices() -> None:
    """Section IV-C."""
    program = prepare([str(PROGRAMS / "cover_expansion.c")], PROPERTY, FrontendOptions())
    result = check(Task(program, PROPERTY), Budget(60.0), Silent(), TreeStrategy(TreeExpansion.UNSOUND))
    assert isinstance(result, Safe)
    with pytest.raises(InternalError, match=r"is possible, but no edge|does not commute|may go wrong"):
        judge(program, PROPERTY, "impact", result, Budget(60.0))
