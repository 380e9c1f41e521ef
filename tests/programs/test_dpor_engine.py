"""The programs again, by the stateless search: what it claims must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, often

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.dpor import check

OFTEN = often(6)
SELDOM = [case for case in ALL if case not in OFTEN]


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
