"""The engine `modular` says nothing else than `explicit`; its proofs pass, and no others (`modular_sweep.py`)."""

from __future__ import annotations

import pytest
from modular_sweep import compared, compared_counters


def test_modular_agrees_with_explicit() -> None:
    found = compared(7, 60.0, ("few", "any"))
    assert found["few: Safe"] == found["any: Safe"] == 1
    assert found["corrupted proofs rejected"] > 0


def test_bounds_of_counters_agree_with_explicit() -> None:
    found = compared_counters(7, 60.0)
    assert found["counters: Safe"] == 1
    assert found["corrupted proofs rejected"] > 0


def test_bounds_of_marks_agree_with_explicit() -> None:
    found = compared_counters(29, 60.0, "racing")
    assert found["racing: Safe"] == found["with marks"] == 1
    assert found["corrupted proofs rejected"] > 0


def test_labels_of_pairs_agree_with_explicit() -> None:
    found = compared(9, 60.0, ("tickets", "turns"))
    assert found["with pairs"] > 0
    assert found["corrupted proofs rejected"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_modular_agrees_with_explicit_at_length(seed: int) -> None:
    compared(seed, 5.0)
