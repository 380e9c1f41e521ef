"""Cases on the real machine: gcc if it is installed, otherwise the bundled clang; with the real C library either way.

With gcc there are two checkers of memory that share nothing with Threadproof: its address sanitizer, and valgrind, which
also sees what the C library does by itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from library_case import Case, Kind, Observed, native_text

from threadproof.dev.native import CannotBuild, shared_object
from threadproof.toolchain.compiler import bundled_zig

_GCC = ("gcc", "-O0", "-g", "-w", "-std=gnu11", "-fno-builtin", "-pthread")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize=nonnull-attribute", "-fno-sanitize-recover=all")
_LOADER = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).run_all(int(sys.argv[2]))"
_LIMIT_MS = {Kind.SAFE: 20_000, Kind.UNSAFE: 20_000, Kind.ASK: 20_000, Kind.HANGS: 500}
_FOUND = 99  # exit code of the sanitizer


class Checker(Enum):
    NONE = "none"
    SANITIZER = "sanitizer"
    VALGRIND = "valgrind"


class NoRealRuns(Exception):
    """This machine cannot run what its compilers make."""


def checkers() -> tuple[Checker, ...]:
    if shutil.which("gcc") is None:
        return ()
    return (Checker.SANITIZER, Checker.VALGRIND) if shutil.which("valgrind") else (Checker.SANITIZER,)


def observe(cases: Sequence[Case], folder: Path, checker: Checker = Checker.NONE) -> list[Observed]:
    """What each case does; all are of one kind."""
    command = _built(cases, folder, checker)
    limit = max(_LIMIT_MS[case.kind] for case in cases)
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC0"}
    environment["ASAN_OPTIONS"] = (
        f"exitcode={_FOUND}:detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1:symbolize=0"
    )
    done = subprocess.run(
        [*command, str(limit)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=600,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != len(cases):
        raise NoRealRuns(done.stderr[-500:])
    return [_observed(line) for line in lines]


def _built(cases: Sequence[Case], folder: Path, checker: Checker) -> list[str]:
    source, program = folder / "native.c", folder / "native.out"
    source.write_text(native_text(cases), encoding="utf-8")
    if shutil.which("gcc") is None:
        try:
            native = shared_object([source], folder)
        except CannotBuild as error:
            raise NoRealRuns(str(error)) from None
        return [sys.executable, "-I", "-S", "-c", _LOADER, str(native)]
    extra = _SANITIZERS if checker is Checker.SANITIZER else ()
    command = [*_GCC, *extra, str(source), "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoRealRuns(done.stderr[-2000:])
    before = ("valgrind", "-q", "--error-exitcode=0", "--leak-check=no") if checker is Checker.VALGRIND else ()
    return [*before, str(program)]


def _observed(line: str) -> Observed:
    _, how, code, errors, _, *values = line.split()
    return Observed(how, int(code), int(errors), tuple(map(int, values)))


def faulty(seen: Observed) -> bool:
    """Whether the checker found something."""
    return seen.errors > 0 or seen.how == "signal" or (seen.how == "exit" and seen.code == _FOUND)


def compiler() -> str:
    return "gcc" if shutil.which("gcc") else f"the bundled clang ({Path(bundled_zig()).name})"
