"""The native machine and the reference semantics agree on what every step touches."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from test_step_machine import PROGRAMS, load_case, name_of

from threadproof.codegen.machine.variant import Footprints
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import NativeMoved
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Moved, footprint
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import live_threads
from threadproof.sync.footprint import Mode, Touch


def essential(touches: Iterable[Touch]) -> set[Touch]:
    """A read of what is also written says nothing more."""
    found = set(touches)
    return {t for t in found if t.mode is not Mode.READ or t._replace(mode=Mode.WRITE) not in found}


def compare_walk(program: Program, seed: int, steps: int = 60) -> int:
    """Steps compared in one random walk."""
    form, rng = normalise(program), Random(seed)
    reference = Machine(form, Granularity.VISIBLE, Spurious.ON, Solo.EVER)
    native = NativeMachine(form, effort=CompilerEffort.NONE, solo=Solo.EVER, footprints=Footprints.ON)
    state, block, compared = reference.initial(), native.initial(), 0
    while compared < steps:
        movers = live_threads(state)
        rng.shuffle(movers)
        for number in movers:
            thread, choices = state.threads[number].id, ()
            while isinstance(outcome := reference.step(state, number, choices), Choose):
                choices = (*choices, rng.choice((outcome.low, outcome.high)))
            if isinstance(outcome, Moved):
                break
        else:
            return compared
        got = native.step(block, thread, choices)
        if not isinstance(got, NativeMoved):
            return compared
        touched = native.footprint(block, thread, choices)
        if touched is not None:
            assert essential(touched) == essential(footprint(outcome.effects))
        state, block, compared = outcome.state, got.state, compared + 1
    return compared


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_same_footprints(path: Path, at_length: bool) -> None:
    program = load_case(path)
    for seed in range(12 if at_length else 4):
        compare_walk(program, seed)
