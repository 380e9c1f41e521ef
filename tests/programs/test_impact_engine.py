"""The programs again, by `impact`: what it claims must be as expected; proofs are checked, counterexamples replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, knows, often

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.impact import check
from threadproof.engines.rows import ENGINES

ANSWERED = [case for case in ALL if Property(case.values[1]) in ENGINES["impact"].properties]
OFTEN = [case for case in ANSWERED if case in often(40)]
SELDOM = [case for case in ANSWERED if case not in OFTEN]
DECIDED = {
    "alike-joined-one-by-one-bad",
    "alike-with-results-ok",
    "created-and-joined-on-one-path-ok",
    "join-first-bad",
}
KNOWN = [case for case in ANSWERED if case.values[0].name in DECIDED]


def asked(folder: Path, prop: str, verdict: str, expected: dict[str, Any], seconds: float) -> None:
    """Where enumerating engines answer `unknown` because of wide inputs, it may know more: then `true`."""
    right = Verdict.TRUE if verdict == "unknown" else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, seconds)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), OFTEN)
def test_impact_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, prop, verdict, expected, 1.5)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), SELDOM)
def test_impact_is_never_wrong_elsewhere(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, prop, verdict, expected, 10.0)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_impact_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
