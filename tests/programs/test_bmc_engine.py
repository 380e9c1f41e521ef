"""The programs again, by bounded model checking: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_programs import HERE, cases

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.bmc import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

WIDE = {
    "nondet-int-identity",
    "nondet-long-parity",
    "random-index",
    "nondet-short-difference",
    "nondet-float-halves",
    "nondet-int-bad",
    "nondet-uint-bad",
    "rand-bad",
    "time-bad",
}
"""True, which only who looks at all inputs can say: `expect.yml` says what an enumerating engine answers."""
EVERY = 12  # of the many programs, in the suite that runs with each change

ALL = cases()
OFTEN = [case for index, case in enumerate(ALL) if index % EVERY == 0 or HERE not in case.values[0].parents]
SELDOM = [case for case in ALL if case not in OFTEN]


@pytest.mark.parametrize(("folder", "prop_name", "verdict", "expected"), OFTEN)
def test_bmc_is_never_wrong(folder: Path, prop_name: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(folder, Property(prop_name), verdict, expected, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop_name", "verdict", "expected"), SELDOM)
def test_bmc_is_never_wrong_elsewhere(folder: Path, prop_name: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(folder, Property(prop_name), verdict, expected, 10.0)


def is_never_wrong(folder: Path, prop: Property, verdict: str, expected: dict[str, Any], seconds: float) -> None:
    model = DataModel(expected.get("data_model", "LP64"))
    program = prepare([str(folder / "main.c")], prop, FrontendOptions(data_model=model))
    result = check(Task(program, prop), Budget(seconds), Silent())
    answer = judge(program, prop, "bmc", result, Budget(seconds))
    expected_verdict = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    allowed = (Verdict.UNKNOWN, expected_verdict)
    assert answer.verdict in allowed, answer.reason or answer.stats
