"""The engine `impact` says what `explicit` says, on random programs with unbounded loops over small domains."""

from __future__ import annotations

import pytest
from impact_sweep import PROPERTY, STRATEGIES, compared, program_of
from loop_programs import SHAPES, conditions_program

from threadproof.automaton import for_letters
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.ir.program import Program
from threadproof.portfolio.judge import judge


@pytest.mark.parametrize("seed", range(6))
def test_impact_agrees_with_explicit(seed: int) -> None:
    compared(seed, 2.0, {"dpor+fc": STRATEGIES["dpor+fc"]})


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_generalising_agrees_with_explicit(seed: int) -> None:
    compared(seed, 2.0, {"generalising": STRATEGIES["generalising"]})


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_impact_agrees_with_explicit_at_length(seed: int, shape: str) -> None:
    compared(seed, 5.0, shape=shape)


def said(program: Program, against: Program) -> str:
    """What explicit says; its schedules are made with another program."""
    result = explicit.check(Task(program, PROPERTY), Budget(120.0), Silent())
    return judge(against, PROPERTY, "explicit", result, Budget(120.0)).verdict.value


def same_without_branches(seed: int) -> None:
    program = program_of(conditions_program(seed))
    converted = for_letters(program, PROPERTY)
    assert said(program, program) == said(converted, converted) == said(converted, program)


@pytest.mark.parametrize("seed", range(4))
def test_if_conversion_changes_nothing(seed: int) -> None:
    same_without_branches(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_if_conversion_changes_nothing_at_length(seed: int) -> None:
    same_without_branches(seed)


def test_most_are_decided() -> None:
    """To say `unknown` is to agree, too. These are decided within a tenth of a second."""
    for seed in (0, 1, 5):
        assert compared(seed, 120.0, {"dpor+fc": STRATEGIES["dpor+fc"]})["dpor+fc"] in ("true", "false")


def test_a_thread_goes_wrong_behind_the_end_of_the_program() -> None:
    """In the tree main may return first: an end stops its own thread alone. The schedule lets it wait."""
    assert compared(10394, 120.0, {"dpor+fc": STRATEGIES["dpor+fc"]})["dpor+fc"] == "false"
