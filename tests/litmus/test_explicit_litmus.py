"""The engines `explicit` and `races` on every litmus program: what a search of all states, reduced and folded, says.

The expectations are counted without spurious wake-ups. Only for deadlocks does the engine leave those out, but none of
these verdicts changes with them.
"""

from __future__ import annotations

import pytest
from test_litmus import EXPECTED, SMALL
from test_native_litmus import program_of

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines import explicit, races
from threadproof.engines.task import Task
from threadproof.evidence.replay import Replay, machine_for
from threadproof.ir.program import Program


def told(program: Program, prop: Property, result: Result) -> str:
    if isinstance(result, Unsafe):
        assert Replay(machine_for(program, prop), prop).run(result.schedule) is not None
        return "false"
    return "true" if isinstance(result, Safe) else "unknown"


def expected(name: str) -> dict[str, str]:
    return {prop: str(verdict).lower() for prop, verdict in EXPECTED[name]["verdicts"].items()}


def said(name: str, seconds: float) -> dict[str, str]:
    program, found = program_of(name), {}
    for prop in map(Property, EXPECTED[name]["verdicts"]):
        found[prop.value] = told(program, prop, explicit.check(Task(program, prop), Budget(seconds), Silent()))
    return found


@pytest.mark.parametrize("name", SMALL)
def test_explicit_says_what_is_expected(name: str) -> None:
    assert said(name, 900.0) == expected(name)


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in SMALL])
def test_explicit_is_never_wrong_about_the_large_ones(name: str) -> None:
    for prop, verdict in said(name, 2.0).items():
        assert verdict in ("unknown", expected(name)[prop])


@pytest.mark.parametrize("name", EXPECTED)
def test_races_never_proves_what_is_wrong(name: str) -> None:
    """Nor finds a race where there is none; not to know is allowed."""
    prop = Property.NO_DATA_RACE
    if prop.value in EXPECTED[name]["verdicts"]:
        program = program_of(name)
        verdict = told(program, prop, races.check(Task(program, prop), Budget(2.0), Silent()))
        assert verdict in ("unknown", expected(name)[prop.value])
