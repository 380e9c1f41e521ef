"""Estimates by the workers of a dask cluster, here with a scheduler and two workers as threads of this process."""

from __future__ import annotations

import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "smc"))

from smc_support import LODIN, fib

from threadproof.cli.main import run
from threadproof.cluster.crew import Crew
from threadproof.core.estimate import Estimate
from threadproof.core.observer import Silent
from threadproof.engines.smc.options import (
    EstimationMethod,
    SamplingMachine,
    SmcOptions,
    SplittingKind,
    SplittingOptions,
)
from threadproof.engines.smc.run import compare_programs, estimate_program

distributed = pytest.importorskip("distributed")
ERROR = "Pr[<=200] (<> [0.VERIFIERError])"
SPLITTING = SplittingOptions(SplittingKind.FIXED, "j", ("2",), budget=100, repeat=4)


@pytest.fixture(scope="module")
def cluster() -> Generator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as found:
        yield found


@pytest.fixture(scope="module")
def crew(cluster: Any) -> Generator[Crew]:
    with distributed.Client(cluster, set_as_default=False) as client:
        yield Crew(client)


def _same(one: Estimate, other: Estimate) -> None:
    plain = {"wall_s": 0.0, "sampler": "", "details": {}}
    assert replace(one, **plain) == replace(other, **plain)
    keys = ("estimates", "levels", "reached")
    assert [one.details.get(key) for key in keys] == [other.details.get(key) for key in keys]


@pytest.mark.parametrize(
    ("query", "options"),
    [
        (ERROR, SmcOptions(runs=5000)),
        (ERROR, SmcOptions(width=0.05)),
        (ERROR, SmcOptions(width=0.05, method=EstimationMethod.OKAMOTO)),
        (f"{ERROR} >= 0.5", SmcOptions()),
        (ERROR, SmcOptions(runs=200, machine=SamplingMachine.REFERENCE)),
        ("Estimate [<=200,300] {max i}", SmcOptions()),
        (ERROR, SmcOptions(splitting=SPLITTING)),
        (ERROR, SmcOptions(splitting=replace(SPLITTING, kind=SplittingKind.ADAPTIVE, levels=()))),
    ],
)
def test_the_same_estimate_as_without_a_cluster(crew: Crew, query: str, options: SmcOptions) -> None:
    here = estimate_program(fib(), query, replace(options, seed=3), Silent())
    there = estimate_program(fib(), query, replace(options, seed=3), Silent(), crew)
    _same(here, there)
    assert there.sampler == f"{here.sampler} on a cluster"


def test_the_same_difference_of_two_programs(crew: Crew) -> None:
    options = SmcOptions(runs=500)
    here = compare_programs(fib(), fib(2, 2), ERROR, options, Silent())
    there = compare_programs(fib(), fib(2, 2), ERROR, options, Silent(), crew)
    for one, other in zip(here, there, strict=True):
        _same(one, other)


def test_on_the_command_line(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["smc", str(LODIN / "fib.c"), "--query", ERROR, "--runs", "1000"]
    assert run(asked) == 0
    here = capsys.readouterr().out
    assert run([*asked, "--cluster", cluster.scheduler_address]) == 0
    there = capsys.readouterr().out
    assert there.splitlines()[0] == here.splitlines()[0]
    assert "on a cluster" in there


def test_nobody_is_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadproof.cluster.connect.CONNECT_S", 0.2)
    asked = ["smc", str(LODIN / "fib.c"), "--query", ERROR, "--cluster", "tcp://127.0.0.1:1"]
    assert run(asked) == 3
    assert "no dask scheduler answers there" in capsys.readouterr().err
