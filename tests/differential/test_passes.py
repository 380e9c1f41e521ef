"""Each pass alone leaves everything that can happen as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from brute_force import Explored, TooManyStates, explore
from comparison import read

from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import ProgramShape, generate
from threadproof.ir.program import Program
from threadproof.passes.fold import fold_temporaries
from threadproof.passes.keep_names import keep_names
from threadproof.passes.main_arguments import give_main_arguments
from threadproof.passes.narrow import narrow_choices
from threadproof.passes.pipeline import MEANING
from threadproof.passes.promote import promote_locals
from threadproof.passes.share import mark_unshared
from threadproof.passes.unused_results import forget_unused_results

Pass = Callable[[Program], Program]
BASE: tuple[Pass, ...] = (*MEANING, give_main_arguments)
UNDER_TEST: dict[str, tuple[tuple[Pass, ...], Pass]] = {
    "promote": (BASE, promote_locals),
    "fold": (BASE, fold_temporaries),
    "fold after promote": ((*BASE, promote_locals), fold_temporaries),
    "keep names after promote": ((*BASE, promote_locals), keep_names),
    "narrow": ((*BASE, mark_unshared), narrow_choices),
    "unused results": (BASE, forget_unused_results),
    "narrow after fold": ((*BASE, promote_locals, fold_temporaries, mark_unshared), narrow_choices),
}
TINY = ProgramShape(
    threads=(2, 2), statements=(1, 1), features=(1, 2)
)  # explored twice, once with every local in memory
CHOICES = replace(TINY, allowed=(Feature.NONDET,), features=(1, 1))


@pytest.mark.parametrize("name", UNDER_TEST)
@pytest.mark.parametrize("seed", range(6))
def test_pass_preserves_what_can_happen(name: str, seed: int) -> None:
    preserves(name, seed, 2_500)


@pytest.mark.slow
@pytest.mark.parametrize("name", UNDER_TEST)
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_pass_preserves_what_can_happen_at_length(name: str, seed: int) -> None:
    preserves(name, seed, 10_000)


def preserves(name: str, seed: int, limit: int) -> None:
    before, tested = UNDER_TEST[name]
    source = generate(seed, CHOICES if "narrow" in name else TINY)
    program = applied(before, read(source))
    try:
        old, new = explore(program, limit=limit), explore(tested(program), limit=limit)
    except TooManyStates:
        pytest.skip("too many states")
    assert happenings(new) == happenings(old), source


def applied(passes: Iterable[Pass], program: Program) -> Program:
    for each in passes:
        program = each(program)
    return program


def happenings(explored: Explored) -> tuple[object, ...]:
    """Lost memory is left out: without the variable that held it, a block counts as lost earlier."""
    return explored.finals, explored.failed, explored.undefined, explored.race, explored.deadlock
