"""The native step machine and the reference semantics agree, step by step: outcomes, choices, states."""

from __future__ import annotations

from pathlib import Path

import pytest
from comparison import read
from samples import data_model
from step_sweep import PROGRAMS, load_case, name_of
from walk import by_instruction, visibly

from threadproof.dev.programs.generate import generate


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_visible_steps(path: Path, at_length: bool) -> None:
    assert not visibly(load_case(path), walks=20 if at_length else 6).differences


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_single_instructions(path: Path, at_length: bool) -> None:
    assert not by_instruction(load_case(path), walks=10 if at_length else 3).differences


WRONG = sorted((Path(__file__).parents[1] / "regressions").glob("*/main.c"))
DANGLING = ("dead", "dangling", "block")


@pytest.mark.parametrize("path", [p for p in WRONG if any(word in p.parent.name for word in DANGLING)], ids=name_of)
def test_locals_that_something_still_points_to(path: Path) -> None:
    assert not visibly(load_case(path)).differences
    assert not by_instruction(load_case(path)).differences


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    program = read(generate(seed), data_model=data_model(seed))
    walked = visibly(program) if seed % 2 else by_instruction(program)
    assert not walked.differences


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 6000, 50))
def test_many_random_programs(first: int) -> None:
    """`step_sweep.py` makes the same comparison in less time."""
    for seed in range(first, first + 50):
        program = read(generate(seed), data_model=data_model(seed))
        assert not visibly(program, walks=10).differences, seed
        assert not by_instruction(program, walks=5).differences, seed
