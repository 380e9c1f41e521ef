"""C in, LLVM text out, one clear message when that fails."""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from pathlib import Path

from threadproof.core.errors import InputError
from threadproof.frontend.forgotten import declarations
from threadproof.frontend.options import Checks, FrontendOptions, Locals
from threadproof.ir.program import DataModel
from threadproof.toolchain.compiler import CannotStart, Compiled, TookTooLong, bundled_zig, compiler_run

_TARGETS = {DataModel.ILP32: "x86-linux-gnu", DataModel.LP64: "x86_64-linux-gnu"}
_PLAIN_CLANG_TARGETS = {DataModel.ILP32: "i386-linux-gnu", DataModel.LP64: "x86_64-linux-gnu"}

_FLAGS = (
    "-x", "c", "-S", "-emit-llvm", "-O0", "-g", "-w",
    "-Xclang", "-disable-O0-optnone",
    "-fno-stack-protector",
    "-fgnu89-inline",  # without it the bodies of C99 `inline` functions vanish
    # Old C is to be read, not to be refused; -w alone leaves these errors.
    "-Wno-implicit-function-declaration", "-Wno-int-conversion", "-Wno-implicit-int",
    "-Wno-incompatible-function-pointer-types", "-Wno-incompatible-pointer-types", "-Wno-return-mismatch",
    "-Wno-return-type",
)  # fmt: skip

_CHECK_FLAGS = {
    Checks.NONE: ("-fno-sanitize=all",),
    # Division by zero is left out: the semantics sees it by itself. `all` goes first: zig adds checks.
    Checks.OVERFLOW: (
        "-fno-sanitize=all",
        "-fsanitize=signed-integer-overflow,shift-base",
        "-fno-sanitize-trap=all",
    ),
}

# Of the address sanitizer only the markers where a local's life begins and ends are asked for.
_LOCALS_FLAGS = {
    Locals.FUNCTION: (),
    Locals.BLOCK: ("-Xclang", "-fsanitize-address-use-after-scope"),
}

# Whatever the dialect, some mix of `inline` and `extern` makes clang keep a body for itself. Without the word every
# body is emitted; the few programs that need it (a body that a second one replaces) are compiled again with it.
_NO_INLINE = ("-Dinline=", "-D__inline=", "-D__inline__=")

_SHOWN_LINES = 3
_NEXT_MESSAGE = re.compile(r"(error|note|warning): |generated\.$")


def compile_c(path: str, options: FrontendOptions) -> str:
    """LLVM text of one C file."""
    with tempfile.TemporaryDirectory(prefix="threadproof-") as scratch:
        output = Path(scratch) / "out.ll"
        common = [*_command(options), *_FLAGS, *_CHECK_FLAGS[options.checks], *_LOCALS_FLAGS[options.locals]]
        common += [*_user_flags(options), *(f"-fno-builtin-{name}" for name in options.own)]
        if options.declare:
            header = Path(scratch) / "forgotten.h"
            header.write_text(declarations(options.declare), encoding="ascii")
            common += ["-include", str(header)]
        files = ["-o", str(output), path if not path.startswith(("-", "@")) else os.path.join(".", path)]
        messages = ""
        for extra in (_NO_INLINE, ()):
            code, messages = _run([*common, *extra, *files], scratch, options.timeout, path)
            if code == 0 and output.exists():
                return output.read_text(encoding="utf-8", errors="replace")
        raise InputError(_first_error(messages, path))


def _command(options: FrontendOptions) -> list[str]:
    if options.clang is not None:
        return [options.clang, f"--target={_PLAIN_CLANG_TARGETS[options.data_model]}"]
    return [bundled_zig(), "cc", "-target", _TARGETS[options.data_model]]


def _user_flags(options: FrontendOptions) -> list[str]:
    flags = [f"-I{folder}" for folder in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-U{undefine}" for undefine in options.undefines]
    flags += [word for header in options.headers for word in ("-include", header)]
    if options.std is not None:
        flags.append(f"-std={options.std}")
    return flags


def _run(command: list[str], scratch: str, timeout: float, path: str) -> Compiled:
    try:
        return compiler_run(command, Path(scratch), timeout)
    except TookTooLong:
        raise InputError(f"{path}: clang did not finish within {timeout:g} s") from None
    except CannotStart as problem:
        raise InputError(str(problem)) from None


def _first_error(messages: str, path: str) -> str:
    """Clang's own first error with the source line it shows."""
    lines = messages.splitlines()
    for number, line in enumerate(lines):
        if re.search(r"\berror: ", line):
            following = itertools.takewhile(lambda text: not _NEXT_MESSAGE.search(text), lines[number + 1 :])
            shown = (line, *itertools.islice(following, _SHOWN_LINES - 1))
            return "\n".join(_printable(part) for part in shown)
    first = next((line for line in lines if line.strip()), "no message")
    return f"{path}: clang failed: {_printable(first)}"


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() or c in "\t " else "?" for c in line[:300]).rstrip()
