"""What somebody else wrote is wrong: exit code 3, and a sentence that names the file or the option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from threadproof.cli.main import ExitCode, run

OPEN = "a quotation mark or backslash in it has no end: "


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text("int main(void) { return 0; }\n")
    return "p.c"


def _refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == ExitCode.UNUSABLE
    return capsys.readouterr().err.removeprefix("threadproof: error: ").rstrip("\n")


def test_options_that_are_no_words(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _refused(capsys, "sweep", program, "--options", "'") == f"--options: {OPEN}'"
    assert _refused(capsys, "sequentialize", program, "--backend", "a 'b") == f"--backend: {OPEN}a 'b"


@pytest.mark.parametrize("words", [("verify", "cc"), ("verify", "cc/compile_commands.json"),
                                   ("sweep", "cc/compile_commands.json")])  # fmt: skip
def test_a_compilation_database(program: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    Path("cc").mkdir()  # a folder, and not the compiler of this name
    entry = {"directory": "..", "file": program, "command": f"cc -c '{program}"}
    Path("cc/compile_commands.json").write_text(json.dumps([entry]))
    assert _refused(capsys, *words) == f"cc/compile_commands.json: the command of p.c: {OPEN}cc -c 'p.c"


def test_settings_that_are_no_text(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("threadproof.toml").write_bytes(b"\xff\xfe[x]")
    assert _refused(capsys, "verify", program) == "threadproof.toml: not text in UTF-8: save it as UTF-8"


def test_a_platform_in_c(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = _refused(capsys, "smc", program, "-q", "Pr[<=5] (<> deadlock)", "--platform", program)
    assert said == "--platform p.c: a platform is a Python module, a file whose name ends with .py"


def test_a_long_chain_of_calls_is_sequentialized(tmp_path: Path) -> None:
    """As deep as Python does not recurse."""
    calls = "".join(f"int f{n}(int x) {{ return f{n - 1}(x); }}\n" for n in range(1, 1100))
    file, out = tmp_path / "deep.c", tmp_path / "out.c"
    file.write_text(f"int f0(int x) {{ return x; }}\n{calls}int main(void) {{ return f1099(0); }}\n")
    assert run(["sequentialize", str(file), "-o", str(out)]) == ExitCode.TRUE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--options", "--jobs 2"), "--options '--jobs 2': --jobs goes with --engine explicit"),
        (("--options", "--engine bogus"), "--options '--engine bogus': unknown engine 'bogus'"),
        (("--options", "--bogus"), "--options '--bogus': No such option '--bogus'"),
        (("--options", "other.c"), "--options 'other.c': it names another file, other.c"),
        (("--cluster", "local:2", "--jobs", "3"), "--jobs does not go with --cluster"),
    ],
)
def test_a_sweep_begins_only_with_good_options(
    program: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """They became rows that say error, with exit code 0."""
    Path("other.c").write_text("")
    assert _refused(capsys, "sweep", program, *words).startswith(said)
    assert not Path("sweep.db").exists()
