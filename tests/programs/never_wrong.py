"""An engine asked about one program: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_programs import HERE, cases

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Engine, Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

ALL = cases()
DECIDED = [case for case in ALL if {HERE / "bounded", HERE / "groups"} & set(case.values[0].parents)]
"""Small programs that every engine which tries all executions must decide: always to say `unknown` is not right."""


def asked_about(engine: Engine, folder: Path, prop: Property, expected: dict[str, Any], seconds: float) -> Answer:
    model = DataModel(expected.get("data_model", "LP64"))
    program = prepare([str(folder / "main.c")], prop, FrontendOptions(data_model=model))
    result = engine(Task(program, prop), Budget(seconds), Silent())
    return judge(program, prop, "engine", result, Budget(seconds))


def is_never_wrong(
    engine: Engine, folder: Path, prop: Property, verdict: Verdict, expected: dict[str, Any], at_length: bool
) -> None:
    answer = asked_about(engine, folder, prop, expected, 10.0 if at_length else 3.0)
    assert answer.verdict in (Verdict.UNKNOWN, verdict), answer.reason or answer.stats


def knows(engine: Engine, folder: Path, prop: Property, verdict: Verdict, expected: dict[str, Any]) -> None:
    answer = asked_about(engine, folder, prop, expected, 60.0)
    assert answer.verdict is verdict, answer.reason or answer.stats
    assert answer.violated == expected.get("violated", "")
