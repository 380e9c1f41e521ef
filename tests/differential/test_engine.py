"""The engine, with its reduction and visible steps, against brute force over single instructions."""

from __future__ import annotations

import pytest
from comparison import compare
from samples import LARGER, data_model

from threadproof.dev.programs.features import Feature
from threadproof.dev.programs.generate import ProgramShape, TinyShape, generate, generate_tiny
from threadproof.dev.programs.tiny import PIECES
from threadproof.ir.program import DataModel

SMALL = 4_000  # states; larger programs are left to the long sweep


@pytest.mark.parametrize("seed", range(60))
def test_same_answers(seed: int) -> None:
    agree(generate(seed), SMALL, data_model(seed))


@pytest.mark.parametrize("feature", list(Feature), ids=lambda feature: feature.value)
def test_same_answers_for_each_feature(feature: Feature) -> None:
    """Every feature at least once, alone."""
    agree(generate(0, ProgramShape(threads=(2, 2), allowed=(feature,), features=(1, 1))), SMALL)


@pytest.mark.parametrize("feature", list(PIECES), ids=lambda feature: feature.value)
def test_same_answers_for_each_feature_of_tiny_programs(feature: Feature) -> None:
    agree(generate_tiny(0, TinyShape(threads=(2, 2), allowed=(feature,), features=(1, 1))), SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 5000, 50))
def test_same_answers_at_length(first: int) -> None:
    for seed in range(first, first + 50):
        source = generate(seed)
        found = compare(source, 20_000, data_model(seed))
        assert not found.differences, "\n".join([*found.differences, source])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_same_answers_of_larger_programs(seed: int) -> None:
    agree(generate(seed, LARGER), 60_000)


def agree(source: str, limit: int, data_model: DataModel = DataModel.LP64) -> None:
    found = compare(source, limit, data_model)
    assert not found.differences, "\n".join([*found.differences, source])
    if found.too_large:
        pytest.skip("too many states")
