"""No two engines contradict each other."""

from __future__ import annotations

import pytest
from agreement import questions
from samples import SHAPES, data_model


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_engines_agree(shape: str, seed: int) -> None:
    agree(shape, seed, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_engines_agree_at_length(shape: str, seed: int) -> None:
    agree(shape, seed, 4.0)


def agree(shape: str, seed: int, seconds: float) -> None:
    source = SHAPES[shape](seed)
    for question in questions(source, data_model(seed), seconds):
        assert not question.contradictions, source
