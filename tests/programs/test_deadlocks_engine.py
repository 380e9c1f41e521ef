"""The programs again, by `deadlocks`: what it proves has no deadlock, and it proves what is easy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, asked_about, is_never_wrong
from test_programs import HERE

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.deadlocks import check

ANSWERED = [case for case in ALL if Property(case.values[1]) is Property.NO_DEADLOCK]
PROVED = ("deadlock/lock-order-gate", "deadlock/lock-order-same", "deadlock/join-after-release", "sync/rwlock-ok")


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ANSWERED)
def test_deadlocks_is_never_wrong(
    folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool
) -> None:
    is_never_wrong(check, folder, Property(prop), Verdict(verdict), expected, at_length)


@pytest.mark.parametrize("case", PROVED)
def test_deadlocks_proves(case: str) -> None:
    assert asked_about(check, HERE / case, Property.NO_DEADLOCK, {}, 60.0).verdict is Verdict.TRUE
