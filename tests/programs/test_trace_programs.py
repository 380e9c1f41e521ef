"""The programs again, by `trace`: what it claims must be as expected, and every proof passes its check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from never_wrong import ALL, is_never_wrong, knows
from test_bmc_engine import WIDE

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Verdict
from threadproof.engines.rows import ENGINES
from threadproof.engines.task import Task
from threadproof.engines.trace import check

ANSWERED = [case for case in ALL if Property(case.values[1]) in ENGINES["trace"].properties]
DECIDED = (
    "atomic-add-wraps-bad",
    "atomic-block-and-reader-bad",
    "atomic-block-and-reader-ok",
    "blocked-join-hides-bad",
    "commutes-only-for-now-bad",
    "counter-bad",
    "counter-ok",
    "dead-end-in-open-loop-ok",
    "end-of-main-bad",
    "future-fork-bad",
    "hidden-trap-ok",
    "late-variable-bad",
    "late-variable-ok",
    "local-loop-hides-bad",
    "stuck-sleeper-bad",
    "stuck-sleeper-ok",
    "successor-wraps-bad",
    "swap-direction-bad",
    "swap-direction-exchanged-bad",
    "swap-direction-ok",
    "two-accesses-bad",
    "unsigned-wraps-bad",
)
BY_PATHS = (
    "dead-end-in-open-loop-bad",
    "order-memory-in-key-bad",
    "order-memory-in-key-ok",
    "second-instance-bad",
    "sleep-set-in-key-bad",
)
"""Besides: decided by paths of source sets."""
KNOWN = [case for case in ANSWERED if case.values[0].name in DECIDED]


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), ANSWERED)
def test_trace_is_never_wrong(folder: Path, prop: str, verdict: str, expected: dict[str, Any], at_length: bool) -> None:
    right = Verdict.TRUE if verdict == "unknown" and folder.name in WIDE else Verdict(verdict)
    is_never_wrong(check, folder, Property(prop), right, expected, at_length)


@pytest.mark.parametrize(("folder", "prop", "verdict", "expected"), KNOWN)
def test_trace_knows(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    knows(check, folder, Property(prop), Verdict(verdict), expected)


@pytest.mark.parametrize(
    ("folder", "prop", "verdict", "expected"),
    [case for case in ANSWERED if case.values[0].name in (*DECIDED, *BY_PATHS) and case.values[1] == "unreach-call"],
)
def test_trace_knows_by_paths(folder: Path, prop: str, verdict: str, expected: dict[str, Any]) -> None:
    """The pitfalls of reductions again, by `--reduction source`."""
    knows(by_paths, folder, Property(prop), Verdict(verdict), expected)


def by_paths(task: Task, budget: Budget, observer: Observer) -> Result:
    return check(replace(task, options={"reduction": "source"}), budget, observer)
