"""The exact number of traces of every litmus program, by optimal reduction and by brute force.

Spurious wake-ups are off: with them most programs that wait have no end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expectations import expectation
from threadproof.core.property import Property
from threadproof.explore.findings import Findings
from threadproof.explore.por import optimal_dpor, sleep, source_dpor
from threadproof.explore.program_lts import ProgramLTS, Spinning
from threadproof.explore.traces import all_states, all_traces
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import normalise

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = {
    path.parent.name: expectation(path) for path in sorted(HERE.glob("*/expect.yml"))
}
SMALL = [name for name, expected in EXPECTED.items() if expected.get("engine") != "native"]
BY_BRUTE_FORCE = [
    pytest.param(name, marks=[pytest.mark.slow] if EXPECTED[name].get("brute_force") == "slow" else [])
    for name in SMALL
]


def system(name: str, spinning: Spinning = Spinning.STOPS) -> ProgramLTS:
    program = normalise(load([str(HERE / name / "main.c")], FrontendOptions()))
    return ProgramLTS(program, spinning=spinning)


def agrees(found: Findings, expected: dict[str, Any]) -> None:
    assert (found.traces, found.blocked) == (expected["traces"], expected["blocked"])
    verdicts = {prop: found.verdict(Property(prop)).value for prop in expected["verdicts"]}
    assert verdicts == {prop: str(verdict).lower() for prop, verdict in expected["verdicts"].items()}


@pytest.mark.parametrize("name", SMALL)
def test_optimal_explores_each_trace_once(name: str) -> None:
    found = optimal_dpor.explore(system(name))
    agrees(found, EXPECTED[name])
    assert found.redundant == 0


@pytest.mark.parametrize("name", SMALL)
def test_source_sets_explore_each_trace_once_and_some_in_vain(name: str) -> None:
    agrees(source_dpor.explore(system(name)), EXPECTED[name])


@pytest.mark.parametrize("name", BY_BRUTE_FORCE)
def test_sleep_sets(name: str) -> None:
    found = sleep.explore(system(name))
    agrees(found, EXPECTED[name])
    assert found.ends == optimal_dpor.explore(system(name)).ends


@pytest.mark.parametrize("name", BY_BRUTE_FORCE)
def test_brute_force(name: str) -> None:
    every = all_traces(system(name))
    agrees(every, EXPECTED[name])
    optimal = optimal_dpor.explore(system(name))
    assert optimal.ends == every.ends
    states = all_states(system(name, Spinning.GOES_ON))
    assert states.ends == every.ends
    assert (states.deadlock, states.race) == (every.deadlock, every.race)
