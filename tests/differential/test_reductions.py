"""Reductions against brute force on random tiny programs; `python tests/differential/reductions.py 0 5000` says how
many there were."""

from __future__ import annotations

import pytest
from reductions import compare_reductions, spurious_of
from sweep import data_model

from threadproof.dev.programs.generate import TinyShape, generate_tiny
from threadproof.dev.programs.tiny import PIECES
from threadproof.ir.program import DataModel
from threadproof.semantics.run import Spurious

QUICK = 600  # classes of prefixes: a few hundred milliseconds


def agree(source: str, spurious: Spurious, model: DataModel = DataModel.LP64, limit: int = QUICK) -> None:
    found = compare_reductions(source, spurious, model, limit)
    assert not found.differences, "\n".join([*found.differences, source])
    if found.too_large:
        pytest.skip("too many interleavings")


@pytest.mark.parametrize("seed", range(100))
def test_same_traces_ends_and_verdicts(seed: int) -> None:
    agree(generate_tiny(seed, TinyShape(together=5, main_steps=(0, 1))), spurious_of(seed), data_model(seed))


@pytest.mark.parametrize("feature", list(PIECES), ids=lambda feature: feature.value)
def test_same_for_each_feature(feature: object) -> None:
    agree(generate_tiny(0, TinyShape(together=5, features=(1, 1), allowed=(feature,))), Spurious.OFF)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 5000, 50))
def test_same_at_length(first: int) -> None:
    for seed in range(first, first + 50):
        source = generate_tiny(seed)
        found = compare_reductions(source, spurious_of(seed), data_model(seed), 3_000)
        assert not found.differences, "\n".join([*found.differences, source])
