"""The native search with a bound on preemptions: the violations that the readable one finds, and never a proof."""

from __future__ import annotations

import pytest
from test_litmus import SMALL, system
from test_native_litmus import program_of

from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe, Verdict
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import DporReduction, Settings
from threadproof.engines.dpor.stateless import machine_for as native
from threadproof.engines.task import Task
from threadproof.evidence.replay import Replay, machine_for
from threadproof.explore.por import bounded
from threadproof.explore.traces import TooManyStates
from threadproof.semantics.run import Spurious

PROPERTIES = (Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK)
STATES = 3_000  # programs with more are left to the native search


def explore(machine: NativeMachine, prop: Property, preemptions: int) -> Result:
    settings = Settings(DporReduction.NONE, preemptions=preemptions)
    search = StatelessSearch(Task(machine.program, prop), settings, Budget(), Silent(), machine)
    try:
        return search.run()
    finally:
        search.close()


@pytest.mark.parametrize("name", SMALL)
def test_the_same_violations(name: str) -> None:
    machine = native(program_of(name), Spurious.OFF)
    for preemptions in (0, 1, 2):
        try:
            expected = bounded.explore(system(name), preemptions, STATES)
        except TooManyStates:
            return
        for prop in PROPERTIES:
            result = explore(machine, prop, preemptions)
            assert not isinstance(result, Safe)
            assert isinstance(result, Unsafe) == (expected.verdict(prop) is Verdict.FALSE), (prop, preemptions)
            if isinstance(result, Unsafe):
                replayed = Replay(machine_for(machine.program, prop), prop).run(result.schedule)
                assert replayed is not None, (prop, preemptions)
