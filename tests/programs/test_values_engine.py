"""The toy engine of docs/howto/add-an-engine.md: never wrong, its proofs pass the checker, and it proves something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.dev.values_engine import check

PROPERTIES = (Property.UNREACH_CALL.value, Property.NO_OVERFLOW.value, Property.VALID_MEMSAFETY.value)
"""What labelled trees are about."""
ASKED = [case for case in ALL if case.values[1] in PROPERTIES]
OFTEN = ASKED[::40]
SELDOM = [case for case in ASKED if case not in OFTEN]
PROVED = ("litmus/",)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), OFTEN)
def test_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(check, folder, Property(prop), Verdict(verdict), expected, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), SELDOM)
def test_never_wrong_elsewhere(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    is_never_wrong(check, folder, Property(prop), Verdict(verdict), expected, 3.0)
