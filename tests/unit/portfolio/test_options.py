"""What is asked for must fit together; the command line and the Python API refuse the same things."""

from __future__ import annotations

from typing import Any

import pytest

from threadproof.api import verify
from threadproof.cli.verify import ENGINES as SHOWN
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.portfolio import VerifyOptions, engines


@pytest.fixture
def with_bmc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines.ENGINES, "bmc", "threadproof.engines.bmc")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"engine": "magic"}, "unknown engine 'magic': choose one of auto, explicit"),
        ({"engine": "explicit", "memory_model": MemoryModel.TSO}, "tso goes with --engine bmc: explicit knows sc only"),
        ({"engine": "races", "memory_model": MemoryModel.PSO}, "pso goes with --engine bmc: races knows sc only"),
        ({"engine": "dpor", "unwind": 3}, "--unwind goes with --engine bmc"),
        ({"engine": "explicit", "reduction": "sleep"}, "--reduction goes with --engine dpor"),
        ({"engine": "auto", "preemptions": 0}, "--preemptions goes with --engine dpor"),
        ({"engine": "dpor", "preemptions": -1}, "preemptions must be at least 0, not -1"),
        ({"memory_mb": 0}, "memory_mb must be at least 1"),
        ({"timeout": float("nan")}, "positive number of seconds, not nan"),
        ({"timeout": float("inf")}, "positive number of seconds, not inf"),
        ({"timeout": -1.0}, "positive number of seconds"),
    ],
)
def test_options_that_do_not_fit_are_refused(with_bmc: None, given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        VerifyOptions(**given).check()


@pytest.mark.parametrize(
    "given",
    [
        {"memory_model": MemoryModel.TSO},
        {"engine": "bmc", "memory_model": MemoryModel.PSO, "unwind": 0},
        {"engine": "auto", "unwind": 7},
        {"engine": "dpor", "reduction": "none", "preemptions": 0},
    ],
)
def test_options_that_fit_pass(with_bmc: None, given: dict[str, Any]) -> None:
    assert VerifyOptions(**given).check() == VerifyOptions(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"engine": "explicit", "reduction": "sleep"}, "--reduction goes with"),
        ({"engine": "random", "preemptions": 1}, "--preemptions goes with"),
        ({"engine": "explicit", "memory_model": "tso"}, "memory model|memory-model"),
        ({"memory_model": "arm"}, "unknown memory model 'arm': choose one of sc, tso, pso"),
        ({"engine": "explicit", "unwind": 1}, "--unwind"),
        ({"timeout": float("nan")}, "seconds"),
        ({"engine": "races"}, "--engine races does not answer unreach-call, only no-data-race"),
        ({"engine": "seq", "properties": ["unreach-call", "no-deadlock"]}, "does not answer no-deadlock, only unreach"),
        ({"engine": "random", "properties": "no-data-race"}, "--engine random does not answer no-data-race"),
    ],
)
def test_python_takes_and_checks_the_same_options(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        verify("nowhere.c", **given)


def test_help_names_every_engine() -> None:
    assert SHOWN.split(", ") == ["auto", *engines.ENGINES]
