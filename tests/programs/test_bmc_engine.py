"""The programs again, by bounded model checking: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, HERE, is_never_wrong, knows

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.bmc import check

WIDE = {
    "nondet-int-identity",
    "nondet-long-parity",
    "random-index",
    "nondet-short-difference",
    "nondet-float-halves",
    "nondet-int-bad",
    "nondet-uint-bad",
    "rand-bad",
    "time-bad",
}
"""True, which only who looks at all inputs can say: `expect.yml` says what an enumerating engine answers."""
KNOWN = [case for case in ALL if HERE / "bounded" in case.values[0].parents]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ALL)
def test_bmc_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool) -> None:
    right = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_bmc_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
