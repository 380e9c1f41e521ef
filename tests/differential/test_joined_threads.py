"""Threads that do the same, joined on some paths only: bounded model checking and search agree."""

from __future__ import annotations

import pytest
from joined_programs import compared


@pytest.mark.parametrize("seed", range(12))
def test_joined_on_some_paths(seed: int) -> None:
    for question in compared(seed):
        assert not question.contradictions
