"""No two engines contradict each other."""

from __future__ import annotations

import pytest
from agreement import questions
from samples import SHAPES, data_model

from threadproof.portfolio.engines import ENGINES


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_engines_agree(shape: str, seed: int) -> None:
    agree(shape, seed, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_engines_agree_at_length(shape: str, seed: int) -> None:
    agree(shape, seed, 4.0)


@pytest.mark.parametrize("seed", range(2))
def test_engines_have_answers_to_compare(seed: int) -> None:
    """Engines that all say `unknown` agree too. Random runs take their whole time where there is nothing to find."""
    searches = [name for name in ENGINES if name != "random"]
    for question in questions(SHAPES["tiny"](seed), data_model(seed), 60.0, searches):
        assert len(question.answers) >= 2, question
        assert not question.contradictions, question


def agree(shape: str, seed: int, seconds: float) -> None:
    source = SHAPES[shape](seed)
    for question in questions(source, data_model(seed), seconds):
        assert not question.contradictions, source
