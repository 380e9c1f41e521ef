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
OTHERS = [case for case in REACHABILITY if case not in DECIDED]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), OTHERS)
def test_seq_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool) -> None:
    is_never_wrong(check, folder, Property(prop), Verdict(verdict), expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_seq_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
