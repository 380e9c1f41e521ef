"""C in, LLVM text out, one clear message when that fails."""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from threadproof.core.errors import InputError
from threadproof.frontend.forgotten import declarations
from threadproof.frontend.options import Checks, FrontendOptions, Locals
from threadproof.ir.reading import DataModel
from threadproof.toolchain.compiler import CannotStart, Compiled, CompilerProcess, TookTooLong, bundled_zig

_TARGETS = {
    DataModel.ILP32: "i386-unknown-linux5.10.0-gnu2.34.0",
    DataModel.LP64: "x86_64-unknown-linux5.10.0-gnu2.31.0",
}
_GLIBC_MINOR = {DataModel.ILP32: 34, DataModel.LP64: 31}
_HEADERS = (
    "include",
    *(f"libc/include/{name}" for name in ("x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any")),
)
_PLAIN_CLANG_TARGETS = {DataModel.ILP32: "i386-linux-gnu", DataModel.LP64: "x86_64-linux-gnu"}

# Old C is to be read, not to be refused; -w alone leaves these errors.
_OLD_C = (
    "-Wno-implicit-function-declaration", "-Wno-int-conversion", "-Wno-implicit-int",
    "-Wno-incompatible-function-pointer-types", "-Wno-incompatible-pointer-types", "-Wno-return-mismatch",
    "-Wno-return-type",
)  # fmt: skip

_FLAGS = (
    "-x", "c", "-S", "-emit-llvm", "-O0", "-g", "-w",
    "-Xclang", "-disable-O0-optnone",
    "-fno-stack-protector",
    "-fgnu89-inline",  # without it the bodies of C99 `inline` functions vanish
    *_OLD_C,
)  # fmt: skip

_CHECK_FLAGS = {
    Checks.NONE: ("-fno-sanitize=all",),
    # Division by zero is left out: the semantics sees it by itself.
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
    with ClangRun(path, options) as begun:
        return begun.text()


class ClangRun:
    """One C file on its way to LLVM text. Clang works from the moment this is made; `text` waits for it."""

    def __init__(self, path: str, options: FrontendOptions) -> None:
        self._path, self._options = path, options
        self._scratch = tempfile.TemporaryDirectory(prefix="threadproof-")
        try:
            self._output = Path(self._scratch.name) / "out.ll"
            self._process = self._begin(_NO_INLINE)
        except BaseException:
            self._scratch.cleanup()
            raise

    def __enter__(self) -> ClangRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()
        self._scratch.cleanup()

    def text(self) -> str:
        found = self._finish()
        if found.exit_code != 0 or not self._output.exists():
            self._process = self._begin(())
            found = self._finish()
        if found.exit_code != 0 or not self._output.exists():
            raise InputError(_first_error(found.messages, self._path))
        return self._output.read_text(encoding="utf-8", errors="replace")

    def _begin(self, extra: Sequence[str]) -> CompilerProcess:
        options, path = self._options, self._path
        command = [*_command(options), *_FLAGS, *_CHECK_FLAGS[options.checks], *_LOCALS_FLAGS[options.locals]]
        command += [*_user_flags(options), *(f"-fno-builtin-{name}" for name in options.own)]
        if options.declare:
            header = Path(self._scratch.name) / "forgotten.h"
            header.write_text(declarations(options.declare), encoding="ascii")
            command += ["-include", str(header)]
        file = path if not path.startswith(("-", "@")) else os.path.join(".", path)
        try:
            return CompilerProcess([*command, *extra, "-o", str(self._output), file], Path(self._scratch.name))
        except CannotStart as problem:
            raise InputError(str(problem)) from None

    def _finish(self) -> Compiled:
        try:
            return self._process.finish(self._options.timeout)
        except TookTooLong:
            raise InputError(f"{self._path}: clang did not finish within {self._options.timeout:g} s") from None


def syntax_tree(path: str, options: FrontendOptions) -> str:
    """Clang's own tree of one C file, as JSON."""
    with tempfile.TemporaryDirectory(prefix="threadproof-") as scratch:
        tree = Path(scratch) / "tree.json"
        flags = ["-x", "c", "-fsyntax-only", "-w", *_OLD_C, "-Xclang", "-ast-dump=json", *_user_flags(options)]
        file = path if not path.startswith(("-", "@")) else os.path.join(".", path)
        try:
            process = CompilerProcess([*_command(options), *flags, file], Path(scratch), output=tree)
            found = process.finish(options.timeout)
        except (CannotStart, TookTooLong) as problem:
            raise InputError(str(problem)) from None
        if found.exit_code != 0:
            raise InputError(_first_error(found.messages, path))
        return tree.read_text(encoding="utf-8", errors="replace")


def _command(options: FrontendOptions) -> list[str]:
    if options.clang is not None:
        return [options.clang, f"--target={_PLAIN_CLANG_TARGETS[options.data_model]}"]
    return [*_bundled_clang(), f"--target={_TARGETS[options.data_model]}", *_as_zig_cc(options.data_model)]


def _bundled_clang() -> list[str]:
    return [bundled_zig(), "clang"]


def _as_zig_cc(data_model: DataModel) -> list[str]:
    """What `zig cc` tells the clang inside of zig, so that clang can be called by itself: `zig cc` takes twice as long
    for a cache of its own. `tests/unit/frontend/test_bundled_clang.py` holds the two against each other."""
    library = Path(bundled_zig()).parent / "lib"
    headers = [word for name in _HEADERS for word in ("-isystem", str(library / name))]
    language = ["-gdwarf-4", "-fPIC", "-fno-spell-checking", f"-D__GLIBC_MINOR__={_GLIBC_MINOR[data_model]}"]
    return ["-nostdinc", *headers, *language]


def _user_flags(options: FrontendOptions) -> list[str]:
    flags = [f"-I{folder}" for folder in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-U{undefine}" for undefine in options.undefines]
    flags += [word for header in options.headers for word in ("-include", header)]
    if options.std is not None:
        flags.append(f"-std={options.std}")
    return flags


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
