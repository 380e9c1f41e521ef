"""What the race prover proves of arrays shared by parts and of lists with locks of their own, no search refutes."""

from __future__ import annotations

import pytest
from part_programs import drawn_program, lists_program
from races_sweep import contradicted

from threadproof.ir.program import DataModel

SEEDS = range(24)
KINDS = {"drawn": drawn_program, "lists": lists_program}


@pytest.mark.parametrize("kind", KINDS)
def test_proofs_are_not_refuted(kind: str) -> None:
    found = [contradicted(KINDS[kind](seed), DataModel.LP64, 20.0) for seed in SEEDS]
    assert not any(refuted for _, _, refuted in found)
    assert sum(proved for proved, _, _ in found) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
@pytest.mark.parametrize("kind", KINDS)
def test_proofs_are_not_refuted_at_length(kind: str, seed: int) -> None:
    _, _, refuted = contradicted(KINDS[kind](seed), DataModel.LP64, 5.0)
    assert not refuted
