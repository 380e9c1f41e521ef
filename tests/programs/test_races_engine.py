"""The race prover on every program whose race verdict is known: `true` only where it is true, `false` where it is not.

`races_engine.yml` names the true ones it cannot prove, so that a loss is noticed as well as a gain.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expectations import expectation
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown, Unsafe
from threadproof.engines.races import check, prove
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.portfolio import prepare

HERE = Path(__file__).parent
REGRESSIONS = HERE.parent / "regressions"
UNPROVED: dict[str, str] = expectation(HERE / "races_engine.yml")


def cases(*wanted: bool) -> list[Any]:
    found: list[Any] = []
    for file in [*sorted(HERE.glob("*/*/expect.yml")), *sorted(REGRESSIONS.glob("*/expect.yml"))]:
        expected = expectation(file)
        verdict = expected["verdicts"].get("no-data-race")
        if verdict in wanted:
            folder = file.parent
            name = f"{folder.parent.name}/{folder.name}"
            model = DataModel(expected.get("data_model", "LP64"))
            found.append(pytest.param(folder, str(verdict).lower(), model, id=name))
    return found


@pytest.mark.parametrize(("folder", "verdict", "model"), cases(True, False))
def test_proves_only_what_is_true(folder: Path, verdict: str, model: DataModel) -> None:
    program = prepare([str(folder / "main.c")], Property.NO_DATA_RACE, FrontendOptions(data_model=model))
    result = prove(Task(program, Property.NO_DATA_RACE), Budget(900), Silent()).result
    name = f"{folder.parent.name}/{folder.name}"
    if verdict == "true" and name not in UNPROVED:
        assert isinstance(result, Safe), result
    else:
        assert isinstance(result, Unknown), f"{name} is {verdict}, but was proved: {result}"


@pytest.mark.parametrize(("folder", "verdict", "model"), cases(False))
def test_finds_races(folder: Path, verdict: str, model: DataModel) -> None:
    program = prepare([str(folder / "main.c")], Property.NO_DATA_RACE, FrontendOptions(data_model=model))
    assert isinstance(check(Task(program, Property.NO_DATA_RACE), Budget(900), Silent()), Unsafe), verdict
