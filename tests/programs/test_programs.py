"""Every program of this folder and of `regressions` gets the verdicts of its `expect.yml` from the explicit engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expectations import expectation
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.explicit import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

HERE = Path(__file__).parent
REGRESSIONS = HERE.parent / "regressions"
GAPS: dict[str, str] = expectation(HERE.parent / "known_gaps.yml") or {}


def name_of(folder: Path) -> str:
    return str(folder.relative_to(HERE if HERE in folder.parents else HERE.parent))


def cases() -> list[Any]:
    found: list[Any] = []
    for file in [*sorted(HERE.glob("*/*/expect.yml")), *sorted(REGRESSIONS.glob("*/expect.yml"))]:
        expected = expectation(file)
        name = name_of(file.parent)
        for prop, verdict in expected["verdicts"].items():
            text = verdict if isinstance(verdict, str) else str(verdict).lower()
            found.append(pytest.param(file.parent, prop, text, expected, id=f"{name}:{prop}"))
    return found


@pytest.mark.parametrize(("folder", "prop_name", "verdict", "expected"), cases())
def test_verdict(folder: Path, prop_name: str, verdict: str, expected: dict[str, Any]) -> None:
    prop = Property(prop_name)
    model = DataModel(expected.get("data_model", "LP64"))
    program = prepare([str(folder / "main.c")], prop, FrontendOptions(data_model=model))
    case = f"{name_of(folder)}:{prop_name}"
    budget = Budget(2 if case in GAPS else 900)
    answer = judge(program, prop, "explicit", check(Task(program, prop), budget, Silent()), Budget(0.05))
    if case in GAPS:
        assert answer.verdict is Verdict.UNKNOWN, f"a known gap was closed: {GAPS[case]}"
        return
    assert answer.verdict.value == verdict, answer.reason or answer.stats
    if verdict == "false" and prop is Property.VALID_MEMSAFETY:
        assert answer.violated == expected["violated"]
    if verdict == "unknown":
        assert expected["reason"] in answer.reason
