"""What is asked for must fit together; the command line and the Python API refuse the same things."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from threadproof.api import verify
from threadproof.cli.verify import verify as command
from threadproof.codegen.sequential import Reduction
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.dpor.stateless import DporReduction
from threadproof.engines.rows import ENGINES, EngineOption, flag, having
from threadproof.portfolio import VerifyOptions


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"engine": "magic"}, "unknown engine 'magic': choose one of auto, explicit"),
        ({"engine": "explicit", "memory_model": MemoryModel.TSO}, "bmc or impact: explicit knows sc only"),
        ({"engine": "races", "memory_model": MemoryModel.PSO}, "bmc or impact: races knows sc only"),
        ({"engine": "dpor", "of_engine": {"unwind": 3}}, "--unwind goes with --engine bmc"),
        ({"engine": "explicit", "of_engine": {"reduction": "sleep"}}, "or seq: those of explicit are --jobs"),
        ({"engine": "auto", "of_engine": {"preemptions": 0}}, "dpor: auto takes no option of an engine but --unwind"),
        ({"engine": "dpor", "of_engine": {"preemptions": -1}}, "preemptions must be at least 0, not -1"),
        ({"memory_mb": 0}, "memory_mb must be at least 1"),
        ({"timeout": float("nan")}, "positive number of seconds, not nan"),
        ({"timeout": float("inf")}, "positive number of seconds, not inf"),
        ({"timeout": -1.0}, "positive number of seconds"),
    ],
)
def test_options_that_do_not_fit_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        VerifyOptions(**given).check()


@pytest.mark.parametrize(
    "given",
    [
        {"memory_model": MemoryModel.TSO},
        {"engine": "bmc", "memory_model": MemoryModel.PSO, "of_engine": {"unwind": 0}},
        {"engine": "auto", "of_engine": {"unwind": 7}},
        {"engine": "dpor", "of_engine": {"reduction": "none", "preemptions": 0}},
    ],
)
def test_options_that_fit_pass(given: dict[str, Any]) -> None:
    assert VerifyOptions(**given).check() == VerifyOptions(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"engine": "explicit", "reduction": "sleep"}, "--reduction goes with"),
        ({"engine": "random", "preemptions": 1}, "--preemptions goes with"),
        ({"engine": "explicit", "memory_model": "tso"}, "memory model|memory-model"),
        ({"memory_model": "arm"}, "unknown memory model 'arm': choose one of sc, tso, pso"),
        ({"engine": "explicit", "unwind": 1}, "--unwind"),
        ({"engine": "seq", "reduction": "optimal"}, "unknown reduction 'optimal': choose one of none, local, conflict"),
        ({"engine": "dpor", "reduction": "full"}, "unknown reduction 'full': choose one of none, sleep, source, opt"),
        ({"engine": "bmc", "unwind": "often"}, "unwind must be at least 0, not often"),
        ({"rounds": 3}, "no engine has an option --rounds: auto takes no option of an engine but --unwind"),
        ({"timeout": float("nan")}, "seconds"),
        ({"engine": "races"}, "--engine races does not answer unreach-call, only no-data-race"),
        ({"engine": "seq", "properties": ["unreach-call", "no-deadlock"]}, "does not answer no-deadlock, only unreach"),
        ({"engine": "random", "properties": "no-data-race"}, "--engine random does not answer no-data-race"),
    ],
)
def test_python_takes_and_checks_the_same_options(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        verify("nowhere.c", **given)


def test_help_names_every_engine_and_option() -> None:
    text = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    text = text.replace("- ", "-")  # words are broken at hyphens
    assert ", ".join(("auto", *ENGINES)) in text
    for name, row in ENGINES.items():
        for option in row.options:
            assert flag(option.name) in text
            assert f"f {name}: {option.says}" in text


def test_choices_are_those_of_the_engines() -> None:
    assert having("reduction")["dpor"].choices == tuple(one.name.lower() for one in DporReduction)
    assert having("reduction")["seq"].choices == tuple(one.value for one in Reduction)


def test_the_command_that_repeats_a_question_has_the_options_the_engine_knows() -> None:
    asked = VerifyOptions(of_engine={"unwind": 3})
    assert "--unwind 3" in asked.command(["a.c"], Property.UNREACH_CALL, "bmc")
    assert "--unwind" not in asked.command(["a.c"], Property.UNREACH_CALL, "explicit")


def test_one_row_is_enough_for_a_new_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is all it takes: the Python API, its check and the engine's task know the option then."""
    option = EngineOption("depth_first", "look at the deepest first", ("yes", "no"))
    monkeypatch.setitem(ENGINES, "explicit", replace(ENGINES["explicit"], options=(option,)))
    with pytest.raises(InputError, match="unknown depth_first 'perhaps': choose one of yes, no"):
        verify("nowhere.c", engine="explicit", depth_first="perhaps")
    with pytest.raises(InputError, match="--depth-first goes with --engine explicit: those of dpor are --reduction"):
        verify("nowhere.c", engine="dpor", depth_first="yes")
    with pytest.raises(InputError, match="no engine has an option --breadth: those of explicit are --depth-first"):
        verify("nowhere.c", engine="explicit", breadth=3)
