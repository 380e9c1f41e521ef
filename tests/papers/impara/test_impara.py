"""The weak memory programs of the Impara paper's table III, written anew from what the literature says about them.

`sober*`: S. Burckhardt, M. Musuvathi, Effective program verification for relaxed memory models, CAV 2008 (a consumer
that idles and a producer that wakes it). `sql*`: the latches of PostgreSQL's workers, as discussed on its mailing list
in 2011 and 2012 and in J. Alglave et al., ESOP 2013. Our models are TSO and PSO; the paper's RMO and Power are missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.dev.weak_verdicts import ASKED, WeakCase, answers, cases

CASES = {case.name: case for case in cases(Path(__file__).parent)}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_verdicts_of_impact(case: WeakCase) -> None:
    """`benchmarks/impara_weak.py` prints the table, with checked proofs."""
    test_verdicts(case, "impact")


@pytest.mark.parametrize("who", ASKED)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_verdicts(case: WeakCase, who: str) -> None:
    found = answers(case, who)
    wrong = {model: verdict for model, verdict in found.items() if not case.accepts(who, model, verdict)}
    assert not wrong, f"expected {case.expected}"
