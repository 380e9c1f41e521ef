"""Bounded model checking, stateless search and brute force never contradict each other."""

from __future__ import annotations

import pytest
from three_ways import questions


@pytest.mark.parametrize("shape", ["tiny", "guarded"])
@pytest.mark.parametrize("seed", range(50, 56))
def test_three_ways(shape: str, seed: int) -> None:
    for question in questions(shape, seed, 3.0):
        assert not question.contradictions


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6000, 6500))
def test_three_ways_at_length(seed: int) -> None:
    for question in questions("tiny", seed, 3.0):
        assert not question.contradictions
