"""The native stateless search against brute force; `native_reductions.py 0 5000` compares at length."""

from __future__ import annotations

import pytest
from native_reductions import compare_native
from reductions import spurious_of
from sweep import data_model

from threadproof.dev.programs.generate import TinyShape, generate_tiny
from threadproof.dev.programs.tiny import PIECES
from threadproof.semantics.run import Spurious


@pytest.mark.parametrize("seed", range(60))
def test_same_traces_ends_and_verdicts(seed: int) -> None:
    source = generate_tiny(seed, TinyShape(together=5, main_steps=(0, 1)))
    found = compare_native(source, spurious_of(seed), data_model(seed), 600)
    assert not found.differences, "\n".join([*found.differences, source])


@pytest.mark.parametrize("feature", list(PIECES), ids=lambda feature: feature.value)
def test_same_for_each_feature(feature: object) -> None:
    source = generate_tiny(0, TinyShape(together=5, features=(1, 1), allowed=(feature,)))  # type: ignore[arg-type]
    found = compare_native(source, Spurious.OFF, limit=600)
    assert not found.differences, "\n".join([*found.differences, source])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 5000, 50))
def test_same_at_length(first: int) -> None:
    for seed in range(first, first + 50):
        source = generate_tiny(seed)
        found = compare_native(source, spurious_of(seed), data_model(seed))
        assert not found.differences, "\n".join([*found.differences, source])
