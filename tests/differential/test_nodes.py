"""Nodes that a loop allocates: `cegar` and `impact` say what `explicit` says, or nothing; their proofs pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from impact_sweep import PROPERTY, program_of
from node_programs import node_program

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer, Silent
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import cegar, explicit, impact
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof

ENGINES: dict[str, Callable[[Task, Budget, Observer], Result]] = {"cegar": cegar.check, "impact": impact.check}
DECIDED = (2, 3, 6)
"""Two safe ones at least, with several nodes."""


def said(seed: int, engine: str, seconds: float) -> Result:
    """Checked against `explicit`."""
    program = program_of(node_program(seed))
    expected = explicit.check(Task(program, PROPERTY), Budget(seconds), Silent())
    found = ENGINES[engine](Task(program, PROPERTY), Budget(seconds), Silent())
    if isinstance(found, Safe):
        assert not isinstance(expected, Unsafe)
        assert isinstance(check_proof(program, PROPERTY, found.proof, Budget(300)), Accepted)
    assert not (isinstance(found, Unsafe) and isinstance(expected, Safe))
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", DECIDED)
def test_nodes_of_loops_are_told_apart(seed: int, engine: str) -> None:
    assert not isinstance(said(seed, engine, 120.0), Unknown)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(100, 200))
def test_nodes_of_loops_at_length(seed: int, engine: str) -> None:
    said(seed, engine, 20.0)
