"""The programs of the Skink thesis's tables 5.1 to 5.4, written anew, by engine `trace`: those that it decides quickly.

Every `true` has passed the check of its proof, every `false` replays. `benchmarks/skink.py` prints the tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Task
from threadproof.engines.trace import check
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parent / "programs"
PROPERTY = Property.UNREACH_CALL
SINGLE = (
    "array-hard-ok",
    "array-sequence-ok",
    "eca-like-bad",
    "multiple-error-calls-bad",
    "simple-function-bad",
    "simple-function-ok",
    "simple-if-bad",
    "simple-if-ok",
    "simple-loop-array-ok",
    "simple-loop-bad",
    "test-interpolant-ok",
)
SV_COMP = ("lazy01-bad", "stateful01-bad", "stateful01-ok", "sum01-bug02-base-bad", "sum04-ok", "sync01-ok")
CONCURRENT = (
    "concurrent-loop-bad",
    "concurrent-loop-ok",
    "fib-threads-bad",
    "fib-threads-ok",
    "simple-threads-bad",
    "simple-threads-ok",
    "sync-concurrent-loop-ok",
    "sync-fib-threads-ok",
    "sync-threads-bad",
    "sync-threads-ok",
)


def asked(name: str, **options: str) -> Answer:
    program = prepare([str(PROGRAMS / f"{name}.c")], PROPERTY, FrontendOptions())
    result = check(Task(program, PROPERTY, options=options), Budget(300.0), Silent())
    return judge(program, PROPERTY, "trace", result, Budget(300.0))


def expected(name: str) -> Verdict:
    return Verdict.TRUE if name.endswith("-ok") else Verdict.FALSE


@pytest.mark.parametrize("name", [*SINGLE, *CONCURRENT, *SV_COMP])
def test_by_fixpoints(name: str) -> None:
    assert asked(name, reduction="proof").verdict is expected(name)


@pytest.mark.parametrize("name", ["array-hard-ok", "simple-loop-bad", "sum04-bad", *CONCURRENT, *SV_COMP])
def test_by_paths_of_source_sets(name: str) -> None:
    """The thesis's own way, which it did not finish."""
    assert asked(name, reduction="source").verdict is expected(name)


def test_source_sets_are_worth_it() -> None:
    """As the thesis did it: all paths. Both decide; source sets come to fewer paths and nodes."""
    name = "fib-threads-ok"
    every, source = (asked(name, reduction=one) for one in ("none", "source"))
    assert every.verdict is source.verdict is expected(name)
    assert source.stats["path_nodes"] < every.stats["path_nodes"]
    assert source.stats["paths"] < every.stats["paths"]


def test_programs_say_what_they_are() -> None:
    """The name of each ends with its verdict."""
    assert all(file.stem.rpartition("-")[2] in ("ok", "bad") for file in PROGRAMS.iterdir())
