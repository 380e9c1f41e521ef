"""The engine `impact` says what `explicit` says, on random programs with unbounded loops over small domains."""

from __future__ import annotations

import pytest
from impact_sweep import STRATEGIES, compared


@pytest.mark.parametrize("seed", range(6))
def test_impact_agrees_with_explicit(seed: int) -> None:
    compared(seed, 2.0, {"dpor+fc": STRATEGIES["dpor+fc"]})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_impact_agrees_with_explicit_at_length(seed: int) -> None:
    compared(seed, 5.0)


def test_most_are_decided() -> None:
    """To say `unknown` is to agree, too. These are decided within a tenth of a second."""
    for seed in (0, 1, 5):
        assert compared(seed, 120.0, {"dpor+fc": STRATEGIES["dpor+fc"]})["dpor+fc"] in ("true", "false")
