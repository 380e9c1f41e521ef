"""The toy engine of docs/howto/add-an-engine.md: never wrong, its proofs pass the checker, and it proves something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, knows

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.dev import values_engine
from threadproof.dev.values_engine import check

PROPERTIES = (Property.UNREACH_CALL.value, Property.NO_OVERFLOW.value, Property.VALID_MEMSAFETY.value)
"""What labelled trees are about."""
ASKED = [case for case in ALL if case.values[1] in PROPERTIES]
NAMES = ("litmus/r", "sync/barrier-ok", "groups/chain-of-joins-ok", "memsafety/safe-local-array-for-threads")
PROVED = [case for case in ASKED if case.values[2] == "true" and str(case.id).partition(":")[0] in NAMES]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ASKED)
def test_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool) -> None:
    is_never_wrong(check, folder, Property(prop), Verdict(verdict), expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), PROVED)
def test_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)


def test_it_stands_in_the_documentation() -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "add-an-engine.md"
    text = Path(values_engine.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    assert f"```python\n{text}```" in page.read_text(encoding="utf-8")
