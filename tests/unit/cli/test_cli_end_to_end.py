"""The examples of the README, through the whole program."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import threadproof
from threadproof.cli.main import run
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.ir.printer import show_program
from threadproof.portfolio import prepare

EXAMPLES = Path(__file__).parents[3] / "examples"
LOST_UPDATE = str(EXAMPLES / "lost_update.c")


@pytest.mark.parametrize(
    ("name", "asked", "code"),
    [
        ("lost_update.c", "unreach-call", 1),
        ("lost_update.c", "no-data-race", 1),
        ("mutex.c", "unreach-call", 0),
        ("mutex.c", "no-data-race", 0),
        ("deadlock.c", "no-deadlock", 1),
        ("deadlock.c", "no-data-race", 0),
    ],
)
def test_examples(name: str, asked: str, code: int) -> None:
    assert run(["verify", str(EXAMPLES / name), "--property", asked]) == code


@pytest.mark.parametrize(
    "asked",
    [
        ["simulate", "-c", "step", LOST_UPDATE],
        ["show", "--stage", "normal", LOST_UPDATE],
        ["sequentialize", "-o", "-", LOST_UPDATE],
        ["smc", "--query", "Pr[<=5000] (<> counter == 1)", "--runs", "10", LOST_UPDATE],
    ],
)
def test_every_other_command_starts(asked: list[str]) -> None:
    """Options that commands share once hid one of a command's own: it ended before it began, and no test called it."""
    assert run(asked) == 0


def test_a_counterexample_replays_and_a_repaired_program_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = str(tmp_path / "trace.json")
    assert run(["verify", LOST_UPDATE, "--json", trace]) == 1
    shown = capsys.readouterr().out
    assert run(["replay", trace, LOST_UPDATE]) == 1
    assert capsys.readouterr().out.strip() in shown
    assert run(["replay", trace, str(EXAMPLES / "mutex.c")]) == 2
    assert "does not reproduce" in capsys.readouterr().out


def test_several_properties_in_one_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", LOST_UPDATE, "-p", "no-deadlock", "-p", "unreach-call", "--json", "-"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "false"
    assert [one["verdict"] for one in data["results"]] == ["true", "false"]


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("llvm", "define "),
        ("ir", "alloc stack 4 bytes for seen"),
        ("normal", "load &counter"),
        ("automaton", "* store &counter, seen + 1"),
        ("dependence", "14: writes counter, ends: do not swap"),
    ],
)
def test_every_stage_can_be_shown(stage: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", LOST_UPDATE, "--stage", stage]) == 0
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("prop", [Property.UNREACH_CALL, Property.VALID_MEMSAFETY, Property.NO_OVERFLOW])
def test_the_program_shown_is_the_one_engines_get(
    prop: Property, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was once read with other options: locals of loops were shown as if they lived as long as their function."""
    source = tmp_path / "local.c"
    source.write_text("int main(void) { for (int i = 0; i < 3; i++) { int x = i; int *p = &x; *p += 1; } return 0; }")
    assert run(["show", str(source), "--stage", "normal", "--property", prop.value]) == 0
    assert capsys.readouterr().out == show_program(prepare([str(source)], prop, FrontendOptions()))


def test_drawings_go_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "add_one.svg"
    arguments = ["--stage", "automaton", "--format", "svg", "--function", "add_one", "-o", str(out)]
    assert run(["show", LOST_UPDATE, *arguments]) == 0
    assert ET.parse(out).getroot().tag.endswith("svg")


def test_an_unknown_function_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", LOST_UPDATE, "--function", "nobody"]) == 3
    assert "choose one of add_one, main" in capsys.readouterr().err


def test_broken_c_is_refused_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.c"
    broken.write_text("int main(void) {\n    return 0\n}\n")
    assert run(["verify", str(broken)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "broken.c:2" in captured.err


def test_the_python_api_is_the_same_thing() -> None:
    [answer] = threadproof.verify(LOST_UPDATE)
    assert answer.verdict is Verdict.FALSE
    assert "add_one" in threadproof.load(LOST_UPDATE).functions
