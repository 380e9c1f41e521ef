"""`verify --witness` and `replay` of witnesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.cli.main import run
from threadproof.witness.rules import broken_rules

PROGRAM = (
    "extern void reach_error(void);\nint x;\nint main(void) {\n  x = 1;\n  if (x) reach_error();\n  return 0;\n}\n"
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("ending", [".yml", ".graphml"])
def test_written_and_confirmed(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    witness = str(tmp_path / f"w{ending}")
    assert run(["verify", file, "--engine", "explicit", "--witness", witness]) == 1
    assert run(["replay", witness, file]) == 1
    out = capsys.readouterr()
    assert "confirmed: " in out.out
    assert "breaks a rule" not in out.err


def test_for_another_program_it_is_not_confirmed(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    witness, other = str(tmp_path / "w.yml"), tmp_path / "b.c"
    run(["verify", file, "--engine", "explicit", "--witness", witness])
    other.write_text(PROGRAM.replace("x = 1", "x = 0"), encoding="utf-8")
    assert run(["replay", witness, str(other)]) == 2
    assert "not confirmed: the witness is about another program" in capsys.readouterr().out
    assert run(["replay", witness, str(other), "--other-program"]) == 2
    out = capsys.readouterr()
    assert "not confirmed (no execution" in out.out
    assert "breaks a rule of its format: the hash" in out.err
    other.write_text(PROGRAM.replace("return 0", "return 5"), encoding="utf-8")
    assert run(["replay", witness, str(other)]) == 2
    assert run(["replay", witness, str(other), "--other-program"]) == 1


@pytest.mark.parametrize("ending", [".yml", ".graphml"])
def test_of_a_true_verdict_it_says_no_more_than_that(file: str, tmp_path: Path, ending: str) -> None:
    witness, other = str(tmp_path / f"w{ending}"), tmp_path / "b.c"
    other.write_text(PROGRAM.replace("x = 1", "x = 0"), encoding="utf-8")
    assert run(["verify", str(other), "--engine", "explicit", "--undefined", "pure", "--witness", witness]) == 0
    assert broken_rules(witness, [str(other)]) == []
    assert run(["replay", witness, str(other)]) == 0  # the property is proved again
    other.write_text(other.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert run(["replay", witness, str(other)]) == 2  # of another program
    assert run(["replay", witness, str(other), "--other-program"]) == 0


def test_invariants_are_in_the_witness_and_in_comments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, witness, folder = tmp_path / "a.c", tmp_path / "w.yml", tmp_path / "annotated"
    text = "extern void reach_error(void);\nint x;\nint main(void) {\n  x = 1;\n  while (x < 9)\n    x = x + 2;\n"
    source.write_text(f"{text}  if (x == 2)\n    reach_error();\n  return 0;\n}}\n", encoding="utf-8")
    given = ["--engine", "impact", "--undefined", "pure", "--witness", str(witness), "--annotate", str(folder)]
    assert run(["verify", str(source), *given]) == 0
    assert run(["replay", str(witness), str(source)]) == 0
    assert "confirmed: unreach-call and" in capsys.readouterr().out
    lines = (folder / "a.c").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "invariant:" not in line] == source.read_text(encoding="utf-8").splitlines()
    assert any("invariant:" in line for line in lines)
    assert run(["verify", str(source), "--annotate", str(tmp_path)]) == 3  # the source is not written over


def test_the_name_says_the_format(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", file, "--witness", "w.txt"]) == 3
    assert ".graphml" in capsys.readouterr().err
