"""Engine `impact` under TSO and PSO: trees of the program with store buffers, schedules of the program itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown
from threadproof.dev.weak_verdicts import WeakCase, cases
from threadproof.engines.impact import check
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Rejected, check_proof
from threadproof.portfolio.judge import judge

PROPERTY = Property.UNREACH_CALL
LITMUS = {case.name: case for case in cases(Path(__file__).parents[3] / "litmus" / "weak")}
QUICK = (("sb", MemoryModel.TSO), ("sb", MemoryModel.PSO), ("sb-fences", MemoryModel.TSO))


@pytest.mark.parametrize(("name", "model"), QUICK)
def test_litmus(name: str, model: MemoryModel) -> None:
    case = LITMUS[name]
    assert said(case, model) == case.expected[model].value


@pytest.mark.slow
@pytest.mark.parametrize("model", [MemoryModel.TSO, MemoryModel.PSO])
@pytest.mark.parametrize("case", LITMUS.values(), ids=LITMUS)
def test_is_never_wrong(case: WeakCase, model: MemoryModel) -> None:
    assert said(case, model) in ("unknown", case.expected[model].value)


def said(case: WeakCase, model: MemoryModel) -> str:
    program = case.program()
    result = check(Task(program, PROPERTY, memory_model=model), Budget(60.0), Silent())
    return judge(program, PROPERTY, "impact", result, Budget(300.0), model).verdict.value


def test_a_tree_without_buffers_is_no_proof() -> None:
    program = LITMUS["sb-fences"].program()
    under_sc = check(Task(program, PROPERTY), Budget(60.0), Silent())
    assert isinstance(under_sc, Safe)
    assert isinstance(under_sc.proof, LabelledTree)
    for slots in (0, 1):
        proof = replace(under_sc.proof, slots=slots)
        assert isinstance(check_proof(program, PROPERTY, proof, Budget(60.0), MemoryModel.TSO), Rejected)


def test_other_properties_are_asked_of_others() -> None:
    program = LITMUS["sb"].program()
    result = check(Task(program, Property.NO_OVERFLOW, memory_model=MemoryModel.TSO), Budget(60.0), Silent())
    assert isinstance(result, Unknown)
