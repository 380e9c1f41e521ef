"""The programs again, by the stateless search: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_programs import HERE, cases

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.dpor import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

EVERY = 6  # of the many programs, in the suite that runs with each change

ALL = cases()
OFTEN = [case for index, case in enumerate(ALL) if index % EVERY == 0 or HERE not in case.values[0].parents]
SELDOM = [case for case in ALL if case not in OFTEN]


@pytest.mark.parametrize(("folder", "prop_name", "verdict", "expected"), OFTEN)
def test_dpor_is_never_wrong(folder: Path, prop_name: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(folder, Property(prop_name), verdict, expected, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop_name", "verdict", "expected"), SELDOM)
def test_dpor_is_never_wrong_elsewhere(folder: Path, prop_name: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(folder, Property(prop_name), verdict, expected, 10.0)


def is_never_wrong(folder: Path, prop: Property, verdict: str, expected: dict[str, Any], seconds: float) -> None:
    model = DataModel(expected.get("data_model", "LP64"))
    program = prepare([str(folder / "main.c")], prop, FrontendOptions(data_model=model))
    result = check(Task(program, prop), Budget(seconds), Silent())
    answer = judge(program, prop, "dpor", result, Budget(seconds))
    # Where `explicit` can say nothing, a counterexample that replays is still one; a proof is not.
    allowed = (Verdict.UNKNOWN, Verdict(verdict))
    assert answer.verdict in allowed, answer.reason or answer.stats
