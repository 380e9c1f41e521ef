"""The examples of the Theta report by engine `cegar`: pointers in abstract states, and reductions that know of them.

Every `true` has passed the check of its proof, every `false` replays.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.cegar import check
from threadproof.engines.cegar.engine import drawn
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parent / "programs"
PROPERTY = Property.UNREACH_CALL
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.c"))
CONCURRENT = [name for name in NAMES if name.startswith(("listing-2", "listing-4", "redirected", "elsewhere"))]
REDUCTIONS = ("none", "static", "aa", "aa-pointers")


def program_of(name: str) -> Program:
    return prepare([str(PROGRAMS / f"{name}.c")], PROPERTY, FrontendOptions())


def asked(name: str, **options: str | int) -> Answer:
    program = program_of(name)
    result = check(Task(program, PROPERTY, options=options), Budget(120.0), Silent())
    return judge(program, PROPERTY, "cegar", result, Budget(120.0))


def expected(name: str) -> Verdict:
    return Verdict.TRUE if name.endswith("-ok") else Verdict.FALSE


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    assert asked(name, domain="expl", pointers="always").verdict is expected(name)


@pytest.mark.parametrize("name", CONCURRENT)
def test_all_reductions_agree(name: str) -> None:
    for por in REDUCTIONS:
        assert asked(name, domain="expl", por=por).verdict is expected(name), por


def test_actions_through_pointers_are_dependent_where_they_meet() -> None:
    """Example 6: with the points-to graph of the state, `*p = 1` depends on `x = 2` only if p points to x."""
    meet, apart = (_asleep(name) for name in ("listing-4-1-ok", "elsewhere-ok"))
    assert not meet
    assert apart


def _asleep(name: str) -> bool:
    task = Task(program_of(name), PROPERTY, options={"domain": "expl", "pointers": "always"})
    _, drawing = drawn(task, Budget(120.0), Silent())
    assert drawing is not None
    return "asleep" in drawing.listing() or "dead end" in drawing.listing()
