"""The programs again, by the stateless search: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, DECIDED, is_never_wrong, knows, often

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.dpor import check

OFTEN = [case for case in often(6) if case not in DECIDED]
SELDOM = [case for case in ALL if case not in OFTEN + DECIDED]


def asked(folder: Path, prop: str, verdict: str, expected: dict[str, Any], seconds: float) -> None:
    right = Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, seconds)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), OFTEN)
def test_dpor_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, prop, verdict, expected, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), SELDOM)
def test_dpor_is_never_wrong_elsewhere(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, prop, verdict, expected, 10.0)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), DECIDED)
def test_dpor_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
