"""The engine `trace` says what `explicit` says; its proofs pass, and no others (`trace_sweep.py`)."""

from __future__ import annotations

import pytest
from trace_sweep import ORDERS, PATHS, UNREDUCED, compared


@pytest.mark.parametrize("seed", [1, 3])
def test_trace_agrees_with_explicit(seed: int) -> None:
    found = compared(seed, 120.0, ["loop lockstep"])
    assert found["safe, loop lockstep: Safe"] == 1
    assert found["corrupted"] > 0


@pytest.mark.parametrize("way", PATHS)
def test_paths_decide(way: str) -> None:
    """Two programs, one of them safe."""
    found = compared(0, 120.0, [way]) + compared(1, 120.0, [way])
    assert found[f"unsafe, {way}: Unsafe"] == found[f"safe, {way}: Safe"] == 1


def test_an_error_is_not_proved_away() -> None:
    for order in (*ORDERS[:1], UNREDUCED):
        assert compared(13, 120.0, [order])[f"unsafe, {order}: Unsafe"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_trace_agrees_with_explicit_at_length(seed: int) -> None:
    compared(seed, 5.0)
