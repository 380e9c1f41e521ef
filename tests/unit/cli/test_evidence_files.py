"""What `verify` writes beside its answer: never of an earlier run, and always told."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof.cli.main import ExitCode, run

TRUE = "int main(void) { return 0; }\n"
FALSE = "extern void reach_error(void); int main(void) { reach_error(); return 0; }\n"
UNKNOWN = "int f(void); int main(void) { return f(); }\n"


def verify(folder: Path, text: str, *options: str) -> int:
    (folder / "a.c").write_text(text)
    return run(["verify", str(folder / "a.c"), "--engine", "explicit", "--timeout", "60", *options])


def test_a_witness_is_of_this_run_or_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    witness = tmp_path / "w.yml"
    assert verify(tmp_path, FALSE, "--witness", str(witness)) == ExitCode.FALSE
    assert f"witness of the violation: {witness}" in capsys.readouterr().out
    assert verify(tmp_path, UNKNOWN, "--witness", str(witness)) == ExitCode.UNKNOWN
    assert "no witness" in capsys.readouterr().out
    assert not witness.exists()
    assert verify(tmp_path, TRUE, "--witness", str(witness)) == ExitCode.TRUE
    assert f"witness of correctness: {witness}" in capsys.readouterr().out


@pytest.mark.skipif(not shutil.which("gcc") or not shutil.which("make"), reason="no gcc, no make")
def test_a_harness_is_of_this_run_or_not_there(tmp_path: Path) -> None:
    folder = tmp_path / "steered"
    assert verify(tmp_path, FALSE, "--harness", str(folder)) == ExitCode.FALSE
    made = subprocess.run(["make", "-C", str(folder)], capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    assert "reproduced" in made.stdout + made.stderr
    (folder / "mine.txt").write_text("kept")
    assert verify(tmp_path, TRUE, "--harness", str(folder)) == ExitCode.TRUE
    assert [one.name for one in folder.iterdir()] == ["mine.txt"]


def test_no_report_folder_before_there_is_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path, "int main(void) { return", "--report", str(tmp_path / "r")) == ExitCode.UNUSABLE
    assert not (tmp_path / "r").exists()
    assert verify(tmp_path, TRUE, "--report", str(tmp_path / "a.c" / "r")) == ExitCode.UNUSABLE
    assert "a.c is not a directory" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["u\udcff.c", "a\nb.c", "a\tb.c"])
def test_names_that_no_report_can_hold_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(TRUE)
    assert run(["verify", str(tmp_path / name)]) == ExitCode.UNUSABLE
    assert "must be UTF-8 without control characters" in capsys.readouterr().err


def test_a_file_that_looks_like_an_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-x.c").write_text(TRUE)
    assert run(["verify", "-x.c"]) == ExitCode.UNUSABLE
    assert "./-x.c" in capsys.readouterr().err
    assert run(["verify", "./-x.c"]) == ExitCode.TRUE


def test_no_counterexample_at_a_time_is_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(TRUE)
    assert run(["verify", str(tmp_path / "a.c"), "--engine", "cegar", "--counterexamples", "0"]) == ExitCode.UNUSABLE
    assert "counterexamples" in capsys.readouterr().err
