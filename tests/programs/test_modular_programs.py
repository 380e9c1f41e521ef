"""The programs again, by `modular`: what it claims must be as expected, and every proof passes its check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong
from test_bmc_engine import WIDE

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.modular import check
from threadproof.engines.rows import ENGINES

ANSWERED = [case for case in ALL if Property(case.values[1]) in ENGINES["modular"].properties]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ANSWERED)
def test_modular_is_never_wrong(
    folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool
) -> None:
    right = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, at_length)
