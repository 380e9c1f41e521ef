"""Commands of the workshop: what they say when their input cannot be used, and what they print."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from threadproof.dev import command, counts, exact, lodin


def _ends(main: Callable[..., int | None], arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["command", *arguments])
    with pytest.raises(SystemExit) as ended:
        command.end(main)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_choice_of_many_values_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "wide.c"
    file.write_text("extern unsigned char __VERIFIER_nondet_uchar(void); int x;"
                    "int main(void) { x = __VERIFIER_nondet_uchar(); return 0; }")  # fmt: skip
    assert _ends(exact.main, [str(file), "Pr[<=50] (<> x == 3)"], monkeypatch) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert "has 256 values" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("main", [counts.main, lodin.main])
def test_a_folder_that_is_not_there(
    main: Callable[..., int | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    nowhere = str(tmp_path / "nowhere")
    assert _ends(main, [nowhere] if main is counts.main else ["--folder", nowhere], monkeypatch) == 3
    assert nowhere in capsys.readouterr().err


@pytest.mark.parametrize(("main", "word"), [(counts.main, "met with blocked ones"), (lodin.main, "the true value")])
def test_help_tells_what_is_printed(
    main: Callable[..., int | None], word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert _ends(main, ["--help"], monkeypatch) == 0
    assert word in capsys.readouterr().out
