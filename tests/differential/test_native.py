"""What real runs of a program come to is among what the exploration says can happen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brute_force import TooManyStates, explore
from comparison import read
from real_runs import NoRealRuns, run, watched

from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import ProgramShape, generate
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Granularity

# Real threads have no atomic blocks and other handles, and nothing can be printed while threads are still running.
UNFIT = (Feature.BLOCK, Feature.CALL, Feature.EXIT, Feature.CHILD, Feature.HANDLE)
SHAPE = ProgramShape(allowed=tuple(f for f in Feature if f not in UNFIT), unjoined=0.0)
RUNS = 20


@pytest.mark.parametrize("seed", range(10))
def test_observed_ends_are_explored(seed: int, tmp_path: Path) -> None:
    observe(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_observed_ends_are_explored_at_length(seed: int, tmp_path: Path) -> None:
    observe(seed, tmp_path)


def observe(seed: int, folder: Path) -> None:
    source = generate(seed, SHAPE)
    program = normalise(read(source))
    try:
        # No reduction, but steps as engines make them: a real run is an interleaving of these as well.
        explored = explore(program, granularity=Granularity.VISIBLE, limit=20_000)
    except TooManyStates:
        pytest.skip("too many states")
    if explored.undefined or explored.guessed or explored.unsupported:
        pytest.skip("anything may happen natively")
    names = watched(program)
    try:
        observed = run(source, names, folder, runs=RUNS, seed=seed)
    except NoRealRuns as reason:
        pytest.skip(f"no native runs here: {reason}")
    sizes = {variable.name: variable.size for variable in program.globals.values()}
    possible = {_shown(dict(values), names, sizes) for _, values in explored.finals}
    possible |= {"assumed", "hung"} | ({"failed"} if explored.failed else set())
    assert set(observed) <= possible, f"seed {seed}\n{source}"
    assert len(observed) == RUNS or observed.count("hung") == 3


def _shown(values: dict[str, Any], names: list[str], sizes: dict[str, int]) -> str:
    """The words of `global_values` as the harness prints bytes."""
    parts = ["ended"]
    for name in names:
        data = b"".join(word.to_bytes(8, "little") for word in values[name])
        parts.append(f"{name}={data[: sizes[name]].hex()}")
    return " ".join(parts)
