"""The native stateless search on every litmus program: exact counts, the same ends by every reduction, verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from test_litmus import EXPECTED, HERE, SMALL

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Stats, Unknown, Unsafe
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import DporReduction, Settings
from threadproof.engines.dpor.stateless import machine_for as native
from threadproof.engines.task import Task
from threadproof.evidence.replay import Replay, machine_for
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Spurious

ENDS = 200_000
NOTHING = Property.NO_OVERFLOW
"""Not compiled in, so that no execution is cut short by a violation."""


def program_of(name: str) -> Program:
    return normalise(load([str(HERE / name / "main.c")], FrontendOptions()))


def explore(name: str, program: Program, reduction: DporReduction) -> tuple[Stats, set[int]]:
    settings = Settings(reduction, ends=ENDS)
    search = StatelessSearch(Task(program, NOTHING), settings, Budget(), Silent(), native(program, Spurious.OFF))
    try:
        result = search.run()
        assert isinstance(result, Unknown if "unknown" in EXPECTED[name]["verdicts"].values() else Safe), result
        return search.stats(), search.kernel.ends
    finally:
        search.close()


@pytest.mark.parametrize("name", EXPECTED)
def test_counts_and_ends(name: str) -> None:
    expected, program = EXPECTED[name], program_of(name)
    stats, ends = explore(name, program, DporReduction.OPTIMAL)
    assert (stats["executions"], stats["blocked"]) == (expected["traces"], expected["blocked"])
    assert stats["redundant"] == 0
    if name not in SMALL:
        return  # the weaker reductions make many more executions
    for reduction in (DporReduction.SOURCE, DporReduction.SLEEP):
        weaker, same = explore(name, program, reduction)
        assert (weaker["executions"], weaker["blocked"]) == (expected["traces"], expected["blocked"])
        assert same == ends


def _verdict(program: Program, prop: Property) -> str:
    search = StatelessSearch(Task(program, prop), Settings(), Budget(), Silent(), native(program, Spurious.OFF))
    try:
        result: Any = search.run()
    finally:
        search.close()
    if isinstance(result, Unsafe):
        assert Replay(machine_for(program, prop), prop).run(result.schedule) is not None
        return "false"
    return "true" if isinstance(result, Safe) else "unknown"


@pytest.mark.parametrize("name", SMALL)
def test_verdicts(name: str) -> None:
    program = program_of(name)
    for prop, verdict in EXPECTED[name]["verdicts"].items():
        assert _verdict(program, Property(prop)) == str(verdict).lower()
