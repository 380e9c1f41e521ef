"""Letters against the reference machine, on a sample; `automaton_sweep.py` takes more. Planted faults must show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from automaton_sweep import follow_case
from automaton_walk import follow
from comparison import read
from merged import merged
from samples import SHAPES

from threadproof.automaton import End, Letter, ProgramAutomaton, StepMover, ThreadAutomaton
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

TESTS = Path(__file__).parents[1]
CASES = ["litmus/cancelled-join", "litmus/atomic-assume", "litmus/two-waiters-signal", "litmus/barrier-pairs"]
CASES += ["regressions/cancelled-in-destructor", "regressions/wild-call"]


@pytest.fixture(scope="module")
def together() -> Program:
    return normalise(read(merged([SHAPES["default"](seed) for seed in range(8)])))


def test_every_step_of_the_machine_is_made_of_letters(together: Program) -> None:
    found = follow(together, 2, firsts=range(8))
    assert found.differences == []
    assert found.letters > 100


@pytest.mark.parametrize("case", CASES)
def test_programs_of_the_suite(case: str) -> None:
    found = follow_case(TESTS / case / "main.c")
    assert found.differences == []
    assert found.refused == []
    assert found.instructions > 10


def changed(automaton: ProgramAutomaton, change: Callable[[Letter], Letter | None]) -> ProgramAutomaton:
    """With other letters; None: without one."""

    def thread(one: ThreadAutomaton) -> ThreadAutomaton:
        following = {
            location: tuple(new for letter in letters if (new := change(letter)) is not None)
            for location, letters in one.following.items()
        }
        return replace(one, following=following)

    return replace(automaton, templates={name: thread(one) for name, one in automaton.templates.items()})


def lost_branch(letter: Letter) -> Letter | None:
    return None if any(step.taken == 1 for step in letter.steps) else letter


def swapped_branches(letter: Letter) -> Letter:
    swapped = {0: 1, 1: 0}
    steps = tuple(
        step._replace(taken=swapped.get(step.taken or 0)) if step.taken is not None else step for step in letter.steps
    )
    return replace(letter, steps=steps)


def wrong_target(letter: Letter) -> Letter:
    return letter if isinstance(letter.target.at, End) else replace(letter, target=letter.source)


def unnoticed(letter: Letter) -> Letter:
    return replace(letter, visible=None)


def noticed_early(letter: Letter) -> Letter:
    return replace(letter, visible=0) if letter.visible else letter


def all_move(letter: Letter) -> Letter:
    return replace(letter, steps=tuple(step._replace(mover=StepMover.BOTH) for step in letter.steps))


def wrong_origin(letter: Letter) -> Letter:
    first = letter.steps[0]
    moved = first._replace(site=first.site._replace(number=first.site.number + 1))
    return replace(letter, steps=(moved, *letter.steps[1:]))


def skipped_step(letter: Letter) -> Letter:
    return replace(letter, steps=letter.steps[1:]) if len(letter.steps) > 2 else letter


@pytest.mark.parametrize(
    "fault",
    [lost_branch, swapped_branches, wrong_target, unnoticed, noticed_early, all_move, wrong_origin, skipped_step],
)
def test_planted_faults_show(together: Program, fault: Callable[[Letter], Letter | None]) -> None:
    found = follow(together, 1, firsts=range(8), plant=lambda automaton: changed(automaton, fault))
    assert found.differences
