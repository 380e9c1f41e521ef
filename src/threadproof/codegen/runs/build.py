"""C text to a loaded library: the bundled clang and linker, a time limit on every call, a cache by content.

`zig cc -c` and then `zig ld.lld -shared`: `zig cc -shared` would first build a C library for many seconds. Without
optimisation it is `zig clang -c`, the same compiler for the plain processor without zig's own cache: a third less work.
"""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from enum import Enum
from functools import lru_cache
from pathlib import Path

from threadproof.core.errors import InternalError
from threadproof.toolchain.compiler import CannotStart, TookTooLong, bundled_zig, compiler_run
from threadproof.toolchain.fingerprint import processor
from threadproof.toolchain.store import ContentStore

COMPILE_S = 240.0
LINK_S = 60.0
LARGE = 2_500
"""Instructions beyond which optimisation is not worth the waiting (zig knows nothing between none and all of it)."""

_MACHINES = ContentStore("machines", ".so", 0.7)
_FLAGS = (
    "-x", "c", "-std=gnu11", "-w", "-fPIC", "-fvisibility=hidden", "-fno-sanitize=all", "-fno-stack-protector",
    "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-fomit-frame-pointer", "-g0",
)  # fmt: skip


class CompilerEffort(Enum):
    """How much the compiler optimises."""

    NONE = "-O0"
    FULL = "-O2"

    @staticmethod
    def for_size(instructions: int) -> CompilerEffort:
        return CompilerEffort.NONE if instructions > LARGE else CompilerEffort.FULL


@lru_cache(maxsize=64)
def library(text: str, effort: CompilerEffort) -> ctypes.CDLL:
    """The library made from `text`, from the cache if it was ever made before."""
    digest = hashlib.sha256("\0".join((processor(), effort.value, *_FLAGS, text)).encode()).hexdigest()
    path = _MACHINES.find(digest) or _MACHINES.put(digest, _made(text, effort))
    try:
        return ctypes.CDLL(str(path))
    except OSError:  # given up in this moment by another process: once more
        return ctypes.CDLL(str(_MACHINES.put(digest, _made(text, effort))))


def _made(text: str, effort: CompilerEffort) -> bytes:
    with tempfile.TemporaryDirectory(prefix="threadproof-") as scratch:
        folder = Path(scratch)
        (folder / "machine.c").write_text(text, encoding="utf-8")
        compiler = "clang" if effort is CompilerEffort.NONE else "cc"
        zig(folder, COMPILE_S, compiler, "-c", effort.value, *_FLAGS, "machine.c", "-o", "machine.o")
        zig(folder, LINK_S, "ld.lld", "-shared", "-s", "machine.o", "-o", "machine.so")
        return (folder / "machine.so").read_bytes()


def zig(folder: Path, seconds: float, *arguments: str) -> None:
    """Compiles or links in the folder, which has the text of a step machine."""
    try:
        done = compiler_run([bundled_zig(), *arguments], folder, seconds, folder)
    except (TookTooLong, CannotStart) as problem:
        raise InternalError(f"the step machine was not compiled: {problem}") from None
    if done.exit_code != 0:
        raise InternalError(f"the step machine does not compile: {done.messages[:2000]}")
