"""Exit codes and messages. The engines are not asked: a stub stands where the portfolio is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from threadproof import __version__
from threadproof.cli.main import run
from threadproof.core.errors import InputError, InternalError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.core.schedule import Move
from threadproof.core.source import SourceLoc
from threadproof.core.trace import Trace, TraceStep
from threadproof.frontend.options import FrontendOptions, Volatile
from threadproof.ir.program import DataModel, Spurious, Taken
from threadproof.portfolio.options import VerdictCache


@dataclass(frozen=True)
class Options:
    engine: str
    frontend: Any
    timeout: float | None
    memory_mb: int | None
    seed: int
    memory_model: MemoryModel
    rarity_s: float
    telling_s: float
    cache: VerdictCache
    of_engine: dict[str, int | str]

    def command(self, paths: Sequence[str], prop: Property, engine: str) -> str:
        return f"threadproof verify {' '.join(paths)} --property {prop} --engine {engine} --seed {self.seed}"


class Stub(ModuleType):
    """A portfolio that answers what the test wants and remembers what it was asked."""

    VerifyOptions = Options
    VerdictCache = VerdictCache

    def __init__(self) -> None:
        super().__init__("threadproof.portfolio")
        self.verdict = Verdict.TRUE
        self.raises: BaseException | None = None
        self.asked: list[Any] = []

    def verify(
        self, paths: Sequence[str], properties: Sequence[Property], options: Options, _observer: Any
    ) -> list[Answer]:
        self.asked = [list(paths), list(properties), options]
        if self.raises is not None:
            raise self.raises
        loc = SourceLoc(paths[0], 1)
        trace = Trace((Move(()),), (TraceStep((), loc, "main"),), "reach_error() was called", loc)
        return [
            Answer(
                one,
                self.verdict,
                "explicit",
                reason="too hard" if self.verdict is Verdict.UNKNOWN else "",
                trace=trace if self.verdict is Verdict.FALSE else None,
                proof=CompleteExploration(Covered.STATES) if self.verdict is Verdict.TRUE else None,
            )
            for one in properties
        ]


@pytest.fixture
def portfolio(monkeypatch: pytest.MonkeyPatch) -> Stub:
    import threadproof

    stub = Stub()
    monkeypatch.setitem(sys.modules, "threadproof.portfolio", stub)
    monkeypatch.setattr(threadproof, "portfolio", stub, raising=False)
    return stub


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { return 0; }\n")
    return str(path)


@pytest.mark.parametrize(("verdict", "code"), [(Verdict.TRUE, 0), (Verdict.FALSE, 1), (Verdict.UNKNOWN, 2)])
def test_the_verdict_is_the_exit_code(
    portfolio: Stub, file: str, capsys: pytest.CaptureFixture[str], verdict: Verdict, code: int
) -> None:
    portfolio.verdict = verdict
    assert run(["verify", file]) == code
    assert capsys.readouterr().out.startswith(f"unreach-call: {verdict.value} — ")


def test_options_reach_the_portfolio(portfolio: Stub, file: str) -> None:
    arguments = (
        "-p no-data-race --property no-deadlock -p no-deadlock --timeout 5 --seed 7 --memory-model pso --unwind 3"
    )
    folder = str(Path(file).parent)
    reading = (
        f"-I{folder} -I . -DA=1 -D B -UC -std=c11 --data-model ILP32 --clang cc --undefined havoc --assume-pure f,g"
    )
    rules = "--memory-limit 300 --volatile atomic --spurious off"
    assert run(["verify", file, *arguments.split(), *reading.split(), *rules.split()]) == 0
    paths, properties, options = portfolio.asked
    assert paths == [file]
    assert properties == [Property.NO_DATA_RACE, Property.NO_DEADLOCK]
    assert (options.engine, options.timeout, options.memory_mb, options.seed) == ("auto", 5.0, 300, 7)
    assert (options.memory_model, options.of_engine) == (MemoryModel.PSO, {"unwind": 3})
    assert options.frontend == FrontendOptions(
        data_model=DataModel.ILP32,
        include_dirs=(folder, "."),
        defines=("A=1", "B"),
        undefines=("C",),
        std="c11",
        clang="cc",
        undefined=Taken.HAVOC,
        assume_pure=("f", "g"),
        volatile=Volatile.ATOMIC,
        spurious=Spurious.OFF,
    )


@pytest.mark.parametrize("spelling", [["-std=c11"], ["-std", "c11"], ["--std", "c11"], ["--std=c11"]])
def test_the_standard_is_spelled_as_compilers_do(portfolio: Stub, file: str, spelling: list[str]) -> None:
    assert run(["verify", file, *spelling]) == 0
    assert portfolio.asked[2].frontend.std == "c11"


def test_json_on_stdout_is_the_json_alone(portfolio: Stub, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", file, "--json", "-", "-p", "no-deadlock"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["property"] == "no-deadlock"
    (command,) = data["inputs"].pop("command")
    assert command.startswith(f"threadproof verify {file} --property no-deadlock --engine auto")
    assert data["inputs"] == {"files": [file], "data_model": "LP64", "undefined": "unknown", "volatile": "plain"}


def test_json_into_a_file_leaves_stdout_to_people(
    portfolio: Stub, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    portfolio.verdict = Verdict.FALSE
    out = tmp_path / "out.json"
    assert run(["verify", file, "--json", str(out)]) == 1
    assert json.loads(out.read_text())["verdict"] == "false"
    assert "reach_error() was called" in capsys.readouterr().out


def test_interruption_is_unknown(portfolio: Stub, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    portfolio.raises = KeyboardInterrupt()
    assert run(["verify", file, "--json", "-"]) == 130
    data = json.loads(capsys.readouterr().out)
    assert (data["verdict"], data["reason"]) == ("unknown", "interrupted")


def test_bad_input_is_three_and_says_why(portfolio: Stub, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    portfolio.raises = InputError("a.c:3: expected ';'")
    assert run(["verify", file, "--json", "-"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "threadproof: error: a.c:3: expected ';'\n"


@pytest.mark.parametrize("error", [InternalError("two truths"), KeyError("x"), RecursionError("deep")])
def test_our_bugs_are_four_and_say_how_to_see_more(
    portfolio: Stub, file: str, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    portfolio.raises = error
    assert run(["verify", file]) == 4
    captured = capsys.readouterr().err
    assert f"internal error: {type(error).__name__}" in captured
    assert "--debug" in captured
    assert "Traceback" not in captured
    assert run(["verify", file, "--debug"]) == 4
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "Missing command"),
        ("prove FILE", "choose one of verify, smc, simulate, sequentialize, replay, check-proof, sweep, stubs, show"),
        ("verify", "Missing argument 'FILE...'"),
        ("verify nowhere.c", "cannot read nowhere.c: No such file or directory"),
        ("verify .", "no C files in it"),
        ("verify FILE --fast", "No such option"),
        ("verify FILE --engine magic", "unknown engine 'magic': choose one of auto, explicit"),
        ("verify FILE --property luck", "choose one of unreach-call, no-data-race"),
        ("verify FILE --memory-model arm", "is not one of 'sc', 'tso', 'pso'"),
        ("verify FILE --data-model LLP64", "is not one of 'ILP32', 'LP64'"),
        ("verify FILE --timeout 0", "is not in the range"),
        ("verify FILE --timeout soon", "is not a valid float"),
        ("verify FILE --timeout nan", "nan is not a number of seconds"),
        ("verify FILE --timeout inf", "inf is not a number of seconds"),
        ("verify FILE --timeout -3", "is not in the range"),
        ("verify FILE --engine explicit --reduction sleep", "--reduction goes with --engine dpor"),
        ("verify FILE --json no/such/dir/out.json", "there is no directory no/such/dir"),
        ("show FILE --stage magic", "is not one of 'llvm', 'ir', 'normal'"),
        ("show FILE --stage llvm --format svg", "the stage llvm has no format svg"),
        ("replay FILE FILE", "not JSON"),
    ],
)
def test_unusable_options_are_three_and_name_the_choices(
    file: str, capsys: pytest.CaptureFixture[str], arguments: str, words: str
) -> None:
    assert run([file if word == "FILE" else word for word in arguments.split()]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("threadproof: error: ")
    assert words in captured.err


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], ["verify", "-h"], ["smc", "--help"]])
def test_help_is_there(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(arguments) == 0
    assert "Usage: threadproof" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"threadproof {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from threadproof.cli.main import run; run(['--help']); "
        "print([m for m in sys.modules if m.split('.')[0] in ('rich', 'llvmlite', 'ziglang') "
        "or m.startswith(('threadproof.frontend', 'threadproof.ir'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
