"""A sequentialized program has the outcomes of its original, whatever the reductions."""

from __future__ import annotations

import pytest
from brute_force import TooManyStates
from samples import SHAPES, data_model
from sequential import COMBINATIONS, differences


@pytest.mark.parametrize("shape", ["tiny", "default"])
@pytest.mark.parametrize("seed", range(6))
def test_outcomes_are_the_same(shape: str, seed: int) -> None:
    same(shape, seed, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["tiny", "default"])
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_outcomes_are_the_same_at_length(shape: str, seed: int) -> None:
    same(shape, seed, 3_000)


def same(shape: str, seed: int, limit: int) -> None:
    source = SHAPES[shape](seed)
    try:
        found = differences(source, data_model(seed), limit, COMBINATIONS)
    except TooManyStates:
        pytest.skip("too many states")
    assert not found, source
