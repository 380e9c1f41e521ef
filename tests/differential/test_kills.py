"""Threadproof in trouble, a few times: `kills.py` does it at length."""

from __future__ import annotations

import pytest
from kills import KINDS, Trouble, tried


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_trouble_ends_cleanly(seed: int, at_length: bool) -> None:
    if not at_length and KINDS[seed] not in ("child", "disk"):
        pytest.skip("asked with --all")
    how, wrong = tried(Trouble.of(seed, moments=1.0))
    assert not wrong, how
