"""Runs a program on the real machine, with threads pushed about at random, and says how it ended.

The program becomes a shared object (bundled clang and linker: no C library's start files are needed) that a small
Python process loads; `native_harness.c` forks one child per run. A fence and now and then a pause stand before every
statement: without the fences the processor's store buffers would show behaviours that interleaving does not have.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from threadproof.dev.native import shared_object
from threadproof.ir.ctypes import CArray, CRecord, CType, Scalar
from threadproof.ir.program import Lifetime, Program

HARNESS = Path(__file__).parent / "native_harness.c"
_LOADER = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).run_all(int(sys.argv[2]), int(sys.argv[3]))"


class NoRealRuns(Exception):
    """This machine cannot run what the bundled clang makes."""


def watched(program: Program) -> list[str]:
    """Globals that hold plain numbers: those whose bytes mean the same natively and in the model."""
    return [
        variable.name
        for variable in program.globals.values()
        if variable.lifetime is Lifetime.PROGRAM and _is_plain(variable.ctype) and variable.name == variable.c_name
    ]


def _is_plain(ctype: CType | None) -> bool:
    match ctype:
        case Scalar():
            return not ctype.name.startswith("pthread")
        case CArray():
            return _is_plain(ctype.element)
        case CRecord():
            return ctype.name == "struct pair"
        case _:
            return False


def shaken(source: str, names: list[str]) -> str:
    """The program with a disturbance before every statement, and a function that prints the variables."""
    lines = ["void shake(void);", "void show(const char *, const volatile void *, unsigned long);"]
    for line in source.splitlines():
        if line.startswith(" "):
            lines.append("shake();")
        lines.append(line)
    shows = " ".join(f'show("{name}", &{name}, sizeof {name});' for name in names)
    # The functions `main` and `dump` are the harness's to call.
    return "\n".join([*lines, f"void dump(void) {{ {shows} }}", ""])


def run(source: str, names: list[str], folder: Path, *, runs: int, seed: int) -> list[str]:
    """One line per run: `ended x=01000000 y=...`, `failed`, `assumed`, `hung` or `crashed`."""
    (folder / "program.c").write_text(shaken(source, names), encoding="utf-8")
    native = shared_object([folder / "program.c", HARNESS], folder, defines=["main=program_main"])
    command = [sys.executable, "-I", "-S", "-c", _LOADER, str(native), str(runs), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise NoRealRuns(done.stderr[-500:])
    return [re.sub(r"\s+", " ", line.strip()) for line in done.stdout.splitlines()]
