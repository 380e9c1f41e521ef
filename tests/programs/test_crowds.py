"""Programs with many threads: a circle of locks is never called harmless, and is found; one that cannot close is proved
so. They have a table of their own, since no engine that lists states can decide them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expectations import expectation
from threadproof import verify
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.deadlocks import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

HERE = Path(__file__).parent / "crowds"
EXPECTED: dict[str, Any] = expectation(HERE / "expect.yml")
BAD = sorted(name for name, row in EXPECTED.items() if not row["no-deadlock"])
PROPERTY = Property.NO_DEADLOCK


def test_there_are_enough() -> None:
    assert len(EXPECTED) >= 30
    assert {f"{name}.c" for name in EXPECTED} == {file.name for file in HERE.glob("*.c")}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_deadlocks_proves_what_has_none(name: str) -> None:
    program = prepare([str(HERE / f"{name}.c")], PROPERTY, FrontendOptions())
    answer = judge(program, PROPERTY, "deadlocks", check(Task(program, PROPERTY), Budget(60), Silent()), Budget(10))
    assert answer.verdict is (Verdict.TRUE if EXPECTED[name].get("proved") else Verdict.UNKNOWN), answer.reason


@pytest.mark.parametrize("name", BAD)
def test_auto_finds_the_others(name: str) -> None:
    [answer] = verify(str(HERE / f"{name}.c"), "no-deadlock", timeout=300)
    assert answer.verdict is Verdict.FALSE
