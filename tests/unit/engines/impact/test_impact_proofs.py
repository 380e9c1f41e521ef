"""What a corrupted tree is worth: nothing. And what trees are made of."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

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


@cache
def proved(name: str) -> tuple[Program, LabelledTree]:
    program = prepare([str(PAPER / f"{name}.c")], PROPERTY, FrontendOptions())
    result = check(Task(program, PROPERTY), Budget(120.0), Silent())
    assert isinstance(result, Safe)
    assert isinstance(result.proof, LabelledTree)
    return program, result.proof


def corrupted(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    """A label weakened to true, a leaf dropped, a covering added, a letter left out; None if that changes nothing."""
    nodes = list(tree.nodes)
    number = rng.randrange(1, len(nodes))
    kind = rng.randrange(3)
    open_nodes = [n for n, node in enumerate(nodes) if node.covered_by is None]
    if kind == 0:
        weak = tree.labels.count("(assert ")
        labels = tree.labels.replace("(check-sat)", "(assert true)\n(check-sat)")
        nodes[number] = replace(nodes[number], label=weak)
        used = any(number in (node.covered_by, node.parent) for node in nodes)  # nobody needs the label of an end
        return replace(tree, labels=labels, nodes=tuple(nodes)) if used else None
    if kind == 1:
        parents = {node.parent for node in nodes}
        if number in parents or any(node.covered_by == number for node in nodes):
            return None
        kept = [node for n, node in enumerate(nodes) if n != number]

        def moved(old: int | None) -> int | None:
            return old if old is None or old < number else old - 1

        skipped = tuple(replace(one, node=moved(one.node) or 0) for one in tree.skipped if one.node != number)
        again = tuple(replace(node, parent=moved(node.parent), covered_by=moved(node.covered_by)) for node in kept)
        return replace(tree, nodes=again, skipped=skipped)
    by = rng.choice(open_nodes)
    if nodes[number].covered_by is not None or by == number or number == 0:
        return None
    nodes[number] = replace(nodes[number], covered_by=by)
    return replace(tree, nodes=tuple(nodes))


def rejections(name: str, seeds: range) -> tuple[int, list[int]]:
    """How many were rejected, and seeds of those accepted."""
    program, tree = proved(name)
    rejected, accepted = 0, list[int]()
    for seed in seeds:
        wrong = corrupted(tree, Random(seed))
        if wrong is None:
            continue
        found = check_proof(program, PROPERTY, wrong, Budget(60.0))
        rejected += isinstance(found, Rejected)
        accepted += [seed] if isinstance(found, Accepted) else []
    return rejected, accepted


def test_the_tree_is_accepted() -> None:
    program, tree = proved("time_var_mutex")
    assert isinstance(check_proof(program, PROPERTY, tree, Budget(60.0)), Accepted)


def test_corrupted_trees_are_rejected() -> None:
    rejected, accepted = rejections("time_var_mutex", range(12))
    assert rejected >= 5
    assert not accepted


@pytest.mark.slow
def test_many_corrupted_trees_are_rejected() -> None:
    rejected, accepted = rejections("peterson", range(400))
    assert rejected >= 200
    assert not accepted
