"""The engine `cegar` says what `explicit` says; its proofs pass, and no others (`cegar_sweep.py`)."""

from __future__ import annotations

import pytest
from cegar_sweep import CONFIGURATIONS, POINTERS, compared


@pytest.mark.parametrize("seed", [0, 1])
def test_cegar_agrees_with_explicit(seed: int) -> None:
    """One of the two programs is safe."""
    found = compared(seed, 120.0)
    decided = found["proofs"] + sum(often for name, often in found.items() if name.endswith("Unsafe"))
    assert decided == len(CONFIGURATIONS)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_reductions_agree_on_programs_with_pointers(seed: int) -> None:
    found = compared(seed, 120.0, tuple(POINTERS))
    decided = found["proofs"] + sum(often for name, often in found.items() if name.endswith("Unsafe"))
    assert decided == len(POINTERS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_cegar_agrees_with_explicit_at_length(seed: int) -> None:
    compared(seed, 5.0)
