"""What a corrupted tree is worth: nothing, unless trying all values finds no flaw in it either."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from small_domain import flaw
from tree_corruptions import WAYS

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines.impact import check
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

PAPER = Path(__file__).parents[3] / "papers" / "impara" / "programs"
PROPERTY = Property.UNREACH_CALL
MANY = ("dekker", "peterson", "szymanski", "time_var_mutex")


@cache
def proved(name: str) -> tuple[Program, LabelledTree]:
    program = prepare([str(PAPER / f"{name}.c")], PROPERTY, FrontendOptions())
    result = check(Task(program, PROPERTY), Budget(120.0), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, LabelledTree)
    return program, result.proof


def judged(name: str, seed: int) -> str:
    """What becomes of a tree that is changed in one place: `rejected`, `still a proof`, or nothing could be changed."""
    program, tree = proved(name)
    rng = Random(seed)
    changed = rng.choice(WAYS)(tree, rng)
    if changed is None or changed == tree:
        return "unchanged"
    found = check_proof(program, PROPERTY, changed, Budget(300.0))
    wrong = flaw(program, PROPERTY, changed)
    if isinstance(found, Accepted):
        assert wrong is None, f"{name}, seed {seed}: accepted, although {wrong}"
        return "still a proof"
    assert isinstance(found, Rejected), found
    return "rejected" if wrong is not None else "rejected, for values that were not tried"


def test_the_tree_is_accepted() -> None:
    program, tree = proved("time_var_mutex")
    assert isinstance(check_proof(program, PROPERTY, tree, Budget(60.0)), Accepted)
    assert flaw(program, PROPERTY, tree) is None


def test_corrupted_trees_are_rejected() -> None:
    found = [judged("time_var_mutex", seed) for seed in range(16)]
    assert found.count("rejected") >= 6


@pytest.mark.slow
def test_many_corrupted_trees_are_rejected() -> None:
    """At least 200 of them, by a checker that agrees with brute force on every one."""
    found = [judged(name, seed) for name in MANY for seed in range(130)]
    assert found.count("rejected") >= 200
