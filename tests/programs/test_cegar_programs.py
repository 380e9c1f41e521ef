"""The programs again, by `cegar`: what it claims must be as expected, and every proof passes its check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, knows
from test_bmc_engine import WIDE
from test_trace_programs import DECIDED

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.cegar import check
from threadproof.engines.rows import ENGINES

ANSWERED = [case for case in ALL if Property(case.values[1]) in ENGINES["cegar"].properties]
KNOWN = [case for case in ANSWERED if case.values[0].name in DECIDED]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ANSWERED)
def test_cegar_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool) -> None:
    right = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_cegar_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)
