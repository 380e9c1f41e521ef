"""The programs again, by `impact`: what it claims must be as expected; proofs are checked, counterexamples replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, knows
from test_bmc_engine import WIDE

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.impact import check
from threadproof.engines.rows import ENGINES

ANSWERED = [case for case in ALL if Property(case.values[1]) in ENGINES["impact"].properties]
DECIDED = (
    "alike-joined-one-by-one-bad",
    "alike-with-results-ok",
    "created-and-joined-on-one-path-ok",
    "join-first-bad",
)
OF_SEVERAL_THREADS = {Property.NO_DATA_RACE: "races", Property.NO_DEADLOCK: "deadlock"}
"""In the quick suite, these are asked of the programs in folders of their own, of every fourth one."""
KNOWN = [case for case in ANSWERED if case.values[0].name in DECIDED]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ANSWERED)
def test_impact_is_never_wrong(
    folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool
) -> None:
    own = OF_SEVERAL_THREADS.get(Property(prop))
    if own is not None and not at_length and (folder.parent.name != own or sum(map(ord, folder.name)) % 4):
        pytest.skip("asked with --all")
    right = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_impact_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
