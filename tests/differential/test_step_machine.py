"""The native step machine and the reference semantics agree, step by step: outcomes, choices, states."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from comparison import read
from walk import Walked, compare

from threadproof.dev.generate import generate
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.semantics.run import Granularity, Spurious

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*/*/main.c"))
SPARSE = 9  # every so many of them in the normal suite


def name_of(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}"


def load_case(path: Path) -> Program:
    expected = yaml.safe_load((path.parent / "expect.yml").read_text(encoding="utf-8"))
    model = DataModel(expected.get("data_model", "LP64"))
    return load([str(path)], FrontendOptions(data_model=model))


def visibly(program: Program, walks: int = 6) -> Walked:
    return compare(normalise(program), Granularity.VISIBLE, walks=walks, steps=60)


def by_instruction(program: Program, walks: int = 3) -> Walked:
    """Without spurious wake-ups, as statistical model checking has it."""
    form = instruction_form(program)
    return compare(form, Granularity.INSTRUCTION, walks=walks, steps=200, spurious=Spurious.OFF)


@pytest.mark.parametrize("path", PROGRAMS[::SPARSE], ids=name_of)
def test_visible_steps(path: Path) -> None:
    assert not visibly(load_case(path)).differences


@pytest.mark.parametrize("path", PROGRAMS[SPARSE // 2 :: SPARSE], ids=name_of)
def test_single_instructions(path: Path) -> None:
    assert not by_instruction(load_case(path)).differences


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    program = read(generate(seed))
    walked = visibly(program) if seed % 2 else by_instruction(program)
    assert not walked.differences


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_every_program(path: Path) -> None:
    program = load_case(path)
    assert not visibly(program, walks=20).differences
    assert not by_instruction(program, walks=10).differences


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 6000))
def test_many_random_programs(seed: int) -> None:
    program = read(generate(seed))
    assert not visibly(program, walks=10).differences
    assert not by_instruction(program, walks=5).differences
