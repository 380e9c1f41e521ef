"""The programs again, sequentialized: what is claimed must be what is expected, and must replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, DECIDED, is_never_wrong, knows

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.portfolio.seq import check

REACHABILITY = [case for case in ALL if case.values[1] == Property.UNREACH_CALL.value]
KNOWN = [case for case in REACHABILITY if case in DECIDED]


def _always(folder: Path) -> bool:
    """What went wrong here before."""
    return folder.name.startswith("seq-")


OTHERS = [case for case in REACHABILITY if case not in DECIDED]
OFTEN = [case for number, case in enumerate(OTHERS) if not number % 20 or _always(case.values[0])]
SELDOM = [case for case in OTHERS if case not in OFTEN]


def asked(folder: Path, verdict: str, expected: dict[str, Any], seconds: float) -> None:
    is_never_wrong(check, folder, Property.UNREACH_CALL, Verdict(verdict), expected, seconds)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), OFTEN)
def test_seq_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, verdict, expected, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), SELDOM)
def test_seq_is_never_wrong_elsewhere(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    asked(folder, verdict, expected, 10.0)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_seq_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
