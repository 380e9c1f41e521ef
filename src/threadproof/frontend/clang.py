"""The door to clang: C in, LLVM text out, one clear message when that fails."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import signal
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from threadproof.core.errors import InputError
from threadproof.frontend.cache import cache_folder
from threadproof.frontend.forgotten import declarations
from threadproof.frontend.options import Checks, FrontendOptions, Locals
from threadproof.ir.program import DataModel

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


@cache
def bundled_zig() -> str:
    """Path of the zig binary inside the `ziglang` package; called directly, its Python launcher is slow."""
    spec = importlib.util.find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for name in ("zig", "zig.exe"):
            if (Path(folder) / name).exists():
                return str(Path(folder) / name)
    raise InputError("the bundled clang is missing: the package 'ziglang' is not installed")


def _command(options: FrontendOptions) -> list[str]:
    if options.clang is not None:
        return [options.clang, f"--target={_PLAIN_CLANG_TARGETS[options.data_model]}"]
    return [bundled_zig(), "cc", "-target", _TARGETS[options.data_model]]


def _user_flags(options: FrontendOptions) -> list[str]:
    flags = [f"-I{folder}" for folder in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-U{undefine}" for undefine in options.undefines]
    if options.std is not None:
        flags.append(f"-std={options.std}")
    return flags


def _run(command: list[str], scratch: str, timeout: float, path: str) -> tuple[int, str]:
    """Exit code and messages. The whole process group dies on a time-out: zig starts clang as a child."""
    environment = dict(os.environ)
    environment["ZIG_GLOBAL_CACHE_DIR"] = str(cache_folder() / "zig")
    environment["ZIG_LOCAL_CACHE_DIR"] = scratch  # zig keeps every output there and never cleans up
    environment["LC_ALL"] = "C"
    environment["PWD"] = os.getcwd()  # debug information then names folders as Python does, not by symbolic links
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            process_group=0,
        )
    except OSError as error:
        raise InputError(f"cannot run the compiler {command[0]}: {error.strerror}") from None
    try:
        _, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise InputError(f"{path}: clang did not finish within {timeout:g} s") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return process.returncode, stderr.decode("utf-8", errors="replace")


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
