"""Every reduction asks the relation that it is given; with more dependence it finds the same ends in more ways."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_litmus import system

from threadproof.explore.dependence import ByFootprints, StepDependence, Touching
from threadproof.explore.findings import Findings
from threadproof.explore.futures import ProgramFutures
from threadproof.explore.por import monotonic, optimal_dpor, persistent, sleep, source_dpor, weakly_persistent
from threadproof.explore.program_lts import ProgramLTS


class Counting(ByFootprints):
    def __init__(self) -> None:
        self.asked = 0

    def dependent(self, first: Touching, second: Touching) -> bool:
        self.asked += 1
        return super().dependent(first, second)


class Everything(ByFootprints):
    """Nothing may be exchanged."""

    def dependent(self, first: Touching, second: Touching) -> bool:
        return True


def futures(lts: ProgramLTS) -> ProgramFutures:
    return ProgramFutures(lts.machine.program)


Search = Callable[[ProgramLTS, StepDependence], Findings]
SEARCHES: dict[str, Search] = {
    "sleep": lambda lts, relation: sleep.explore(lts, relation=relation),
    "sleep, stateful": lambda lts, relation: sleep.states(lts, relation=relation),
    "monotonic": lambda lts, relation: monotonic.explore(lts, relation=relation),
    "source": lambda lts, relation: source_dpor.explore(lts, relation=relation),
    "optimal": lambda lts, relation: optimal_dpor.explore(lts, relation=relation),
    "persistent": lambda lts, relation: persistent.explore(lts, futures(lts), relation=relation),
    "weakly": lambda lts, relation: weakly_persistent.explore(
        lts, ProgramFutures(lts.machine.program), relation=relation
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_relation_is_asked(name: str) -> None:
    search, counting = SEARCHES[name], Counting()
    usual = search(system("sb"), counting)
    assert counting.asked
    more = search(system("sb"), Everything())
    assert more.ends == usual.ends
    assert more.traces >= usual.traces


def test_more_dependence_means_more_traces() -> None:
    few, many = (SEARCHES["optimal"](system("sb"), relation).traces for relation in (ByFootprints(), Everything()))
    assert few < many
