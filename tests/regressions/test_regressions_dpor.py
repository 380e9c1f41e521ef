"""The regressions again, by the stateless search: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.dpor import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio.judge import judge
from threadproof.portfolio.prepare import prepare

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = {
    path.parent.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("*/expect.yml"))
}


@pytest.mark.parametrize("name", EXPECTED)
def test_dpor_is_never_wrong(name: str) -> None:
    expected = EXPECTED[name]
    options = FrontendOptions(data_model=DataModel(expected.get("data_model", "LP64")))
    for prop, verdict in expected["verdicts"].items():
        program = prepare([str(HERE / name / "main.c")], Property(prop), options)
        result = check(Task(program, Property(prop)), Budget(5.0), Silent())
        answer = judge(program, Property(prop), "dpor", result, Budget(5.0))
        assert answer.verdict in (Verdict(str(verdict).lower()), Verdict.UNKNOWN)
