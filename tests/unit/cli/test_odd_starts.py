"""Odd ways to be started: each ends with a clear message and the right exit code."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "threadproof", "verify"]
TRUE = "int main(void) { return 0; }\n"


def started(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run([*COMMAND, *words], cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    return done.returncode, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("ok.c", "@odd.c", "back\\slash.c"):
        (tmp_path / name).write_text(TRUE)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ok.c", "./ok.c"), "./ok.c is given twice"),
        (("ok.c", "-I", "/nonexistent"), "-I /nonexistent: there is no such directory"),
        (("ok.c", "-D", "A B"), "-D 'A B': not a macro (NAME or NAME=VALUE)"),
        (("back\\slash.c",), "cannot read back\\slash.c: the compiler takes no file name with a backslash"),
    ],
)
def test_what_cannot_be_used(folder: Path, words: tuple[str, ...], message: str):
    assert started(folder, *words) == (3, f"threadproof: error: {message}\n")


def test_a_file_name_that_looks_like_an_option_file(folder: Path):
    assert started(folder, "@odd.c", "--engine", "explicit") == (0, "")


def test_a_directory_that_is_gone(tmp_path: Path):
    script = 'mkdir "$1/d" && cd "$1/d" && rmdir "$1/d" && shift && exec "$@"'
    words = ["sh", "-c", script, "sh", str(tmp_path), *COMMAND, "ok.c"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 3
    assert done.stderr.endswith("threadproof: error: the current directory does not exist any more\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams_do_not_change_the_exit_code(folder: Path, closed: str):
    words = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, "ok.c", "--engine", "explicit"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_before_anything_has_begun(folder: Path):
    """In the middle of importing the command line: a module that interrupts its importer stands in its way."""
    program = "import signal, sys; from threadproof import __main__ as start\n" \
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n" \
        "sys.modules['click'] = type('Slow', (), {'__getattr__': lambda *_: signal.raise_signal(signal.SIGINT)})()\n" \
        "start.main()"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "threadproof: interrupted: unknown\n")


def test_ctrl_c_while_a_class_is_made(tmp_path: Path) -> None:
    """`exec` of a text, as dataclasses do it, makes the interpreter end by the signal though it was caught."""
    hook = "import sys\nclass Hook:\n  def find_spec(self, name, path=None, target=None):\n"
    hook += "    if name == 'threadproof.cli.app': exec('raise KeyboardInterrupt')\nsys.meta_path.insert(0, Hook())\n"
    (tmp_path / "sitecustomize.py").write_text(hook, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-m", "threadproof", "verify", "a.c"]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (130, "threadproof: interrupted: unknown\n")


def test_no_room_for_what_is_said(tmp_path: Path) -> None:
    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with open(tmp_path / "said", "w", encoding="utf-8") as said:
        command = [sys.executable, "-B", "-m", "threadproof", "verify", "--help"]
        ran = subprocess.run(command, stdout=said, stderr=said, preexec_fn=no_room, timeout=60)
    assert ran.returncode == 3


def test_where_nothing_can_be_written_the_verdict_is_not_false(folder: Path):
    """Python ends with 1 when nobody catches an exception: that is `false`."""

    def nothing() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    words = [*COMMAND, "ok.c", "--engine", "explicit"]
    with open(folder / "said", "w", encoding="utf-8") as said:
        done = subprocess.run(words, cwd=folder, stdout=said, stderr=said, preexec_fn=nothing, timeout=900, check=False)
    assert done.returncode == 3


@pytest.mark.parametrize("error", ["MemoryError()", "ImportError('no room')", "ValueError('odd')"])
def test_what_cannot_be_imported_is_no_verdict(folder: Path, error: str):
    (folder / "click.py").write_text(f"raise {error}\n")
    words = [sys.executable, "-c", "from threadproof.__main__ import main; main()", "verify", "ok.c"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 4
    assert done.stderr.startswith(f"threadproof: internal error: {error.split('(')[0]}: ")
