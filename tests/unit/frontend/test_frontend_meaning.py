"""Programs that check themselves, run by the reference semantics: what we make of C is what C means."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel

PROGRAMS = sorted((Path(__file__).parent / "meaning").glob("*.c"))


@pytest.mark.parametrize("model", list(DataModel))
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_assertions_hold(path: Path, model: DataModel) -> None:
    [answer] = verify(str(path), frontend=FrontendOptions(data_model=model), timeout=900)
    assert (answer.verdict, answer.reason) == (Verdict.TRUE, "")
