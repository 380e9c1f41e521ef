"""Proofs of the toy engine pass the checker; made wrong (`corruptions.py` says how), every one is rejected."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from corruptions import WAYS, Tree, Way, corrupted

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.dev.values_engine import check
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

TESTS = Path(__file__).parents[2]
PROGRAMS = (
    "programs/sync/assert-ok",
    "programs/deadlock/semaphore-two-permits-each",
    "programs/sync/cond-releases-mutex-ok",
    "programs/litmus/r",
    "programs/sync/barrier-ok",
)
EACH = 17
"""Corruptions of each kind: 102 in all."""
PROP = Property.UNREACH_CALL


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    return [_proved(prepare([str(TESTS / name / "main.c")], PROP, FrontendOptions())) for name in PROGRAMS]


def _proved(program: Program) -> Tree:
    result = check(Task(program, PROP), Budget(900), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, LabelledTree)
    return Tree(program, result.proof)


def test_the_proofs_pass(trees: list[Tree]) -> None:
    for tree in trees:
        assert isinstance(check_proof(tree.program, PROP, tree.proof, Budget(900)), Accepted)


@pytest.mark.parametrize("way", WAYS)
def test_corrupted_proofs_do_not(trees: list[Tree], way: Way) -> None:
    rng, made = Random(f"{way.__name__} 1"), 0
    for tree in [tree for _ in range(EACH) for tree in trees]:
        wrong = corrupted(tree, way, rng) if made < EACH else None
        if wrong is not None:
            made += 1
            assert isinstance(check_proof(tree.program, PROP, wrong, Budget(900)), Rejected), tree.program.name
    assert made == EACH
