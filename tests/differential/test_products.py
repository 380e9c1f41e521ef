"""Reduced products of constants: every order and swap keeps errors, the checker accepts what is right."""

from __future__ import annotations

import pytest
from product_sweep import compared


@pytest.mark.parametrize("seed", [1, 9, 17, 30])
def test_products_keep_errors(seed: int) -> None:
    found = compared(seed, 60.0, ("loop lockstep", "random"))
    assert found["accepted"] or found["unsafe program goes wrong"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_products_keep_errors_at_length(seed: int) -> None:
    compared(seed, 60.0)
