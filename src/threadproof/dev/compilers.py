"""What compilers say about a generated program: gcc if it is installed, and the bundled clang.

`-Wextra` without what it says about the values that the original compares. Assembly is made, because some warnings need
more than a parser; not by gcc of a large text, whose single function would take it gigabytes.
"""

from __future__ import annotations

import shutil
import tempfile
from enum import Enum
from pathlib import Path

from threadproof.ir.program import DataModel
from threadproof.toolchain.compiler import bundled_zig, compiler_run


class InstalledCompiler(Enum):
    GCC = "gcc"
    CLANG = "clang"


# A copy of a variable may be written as the variable: comparing both is no mistake of the text.
_UNASKED = ("-Wno-type-limits", "-Wno-sign-compare", "-Wno-tautological-compare")
_WARNINGS = ("-Wall", "-Wextra", *_UNASKED, "-Werror")
LARGE = 300_000
SECONDS = 600
_TARGETS = {DataModel.ILP32: "x86-linux-gnu", DataModel.LP64: "x86_64-linux-gnu"}


def installed() -> list[InstalledCompiler]:
    return [InstalledCompiler.GCC, InstalledCompiler.CLANG] if shutil.which("gcc") else [InstalledCompiler.CLANG]


def complaint(text: str, model: DataModel, compiler: InstalledCompiler, *flags: str) -> str:
    """The first error or warning; empty if there is none."""
    with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
        path = Path(folder) / "sequential.c"
        path.write_text(text, encoding="utf-8")
        parsed = compiler is InstalledCompiler.GCC and len(text) > LARGE
        output = ["-fsyntax-only"] if parsed else ["-S", "-o", str(Path(folder) / "out.s")]
        command = [*_command(compiler, model), *_WARNINGS, *flags, *output, str(path)]
        done = compiler_run(command, Path(folder), SECONDS)
    said = [line for line in done.messages.splitlines() if "error:" in line]
    return f"{compiler.value}: {said[0] if said else done.messages.strip()}" if done.exit_code else ""


def _command(compiler: InstalledCompiler, model: DataModel) -> list[str]:
    if compiler is InstalledCompiler.GCC:
        return ["gcc", "-m64" if model is DataModel.LP64 else "-m32"]
    flags = ("-fno-sanitize=all", "-Wno-unused-command-line-argument")  # zig adds flags of its own
    return [bundled_zig(), "cc", "-target", _TARGETS[model], *flags]
