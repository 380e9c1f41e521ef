"""Litmus tests under SC, TSO and PSO: what theory allows is found, what it forbids is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.memory_model import MemoryModel
from threadproof.core.result import Verdict
from threadproof.dev.weak_verdicts import ASKED, WeakCase, answers, cases
from threadproof.explore.weak_states import reach

CASES = {case.name: case for case in cases(Path(__file__).parent)}


@pytest.mark.parametrize("who", ASKED)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_verdicts(case: WeakCase, who: str) -> None:
    found = answers(case, who)
    wrong = {model: verdict for model, verdict in found.items() if not case.accepts(who, model, verdict)}
    assert not wrong, f"expected {case.expected}"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_weaker_model_forbids_nothing_that_a_stronger_one_allows(case: WeakCase) -> None:
    allowed = [case.expected[model] is Verdict.FALSE for model in MemoryModel]
    assert allowed == sorted(allowed)


OUTCOMES = {
    "sb": {MemoryModel.TSO: {(0, 0)}, MemoryModel.PSO: {(0, 0)}},
    "mp": {MemoryModel.TSO: set[tuple[int, ...]](), MemoryModel.PSO: {(1, 0)}},
    "lb": {MemoryModel.TSO: set[tuple[int, ...]](), MemoryModel.PSO: set[tuple[int, ...]]()},
}
"""What the weaker models add to the final values of a and b that sequential consistency allows."""


@pytest.mark.parametrize("name", OUTCOMES)
def test_all_final_values(name: str) -> None:
    program = CASES[name].program()
    forbidden = {"sb": (0, 0), "mp": (1, 0), "lb": (1, 1)}[name]
    found: dict[MemoryModel, set[tuple[int, ...]]] = {}
    for model in MemoryModel:
        reached = reach(program, model, variables=("a", "b"))
        found[model] = reached.finals | ({forbidden} if reached.schedule else set())
    assert found[MemoryModel.SC] == {(0, 0), (0, 1), (1, 0), (1, 1)} - {forbidden}
    for model, more in OUTCOMES[name].items():
        assert found[model] - found[MemoryModel.SC] == more
        assert found[MemoryModel.SC] <= found[model]
