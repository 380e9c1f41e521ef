"""C to a shared object that this machine can load, with the bundled clang and linker: no system compiler needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from threadproof.core.errors import ThreadproofError
from threadproof.toolchain.compiler import bundled_zig, compiler_run

_FLAGS = ("-O0", "-w", "-fPIC", "-fwrapv", "-fno-sanitize=all", "-fno-stack-protector", "-std=gnu11")
_TRAPS = ("-fsanitize=unreachable", "-fsanitize-trap=unreachable")
_SECONDS = 120


class CannotBuild(ThreadproofError):
    """The compiler or the linker refused; the text is what it said."""


def shared_object(sources: Sequence[Path], folder: Path, *, defines: Sequence[str] = ()) -> Path:
    """Compiles the files and links them; whatever they leave undefined is looked up when the object is loaded."""
    objects: list[Path] = []
    for source in sources:
        objects.append(folder / f"{source.stem}.o")
        _zig(folder, "cc", "-c", *_FLAGS, *(f"-D{define}" for define in defines), str(source), "-o", str(objects[-1]))
    return linked(objects, folder)


def compiled(source: Path, target: Path) -> Path:
    """One object, by clang itself: half the time of `zig cc`, but headers must be the text's own."""
    _zig(target.parent, "clang", "-c", *_FLAGS, *_TRAPS, str(source), "-o", str(target))
    return target


def linked(objects: Sequence[Path], folder: Path) -> Path:
    _zig(folder, "ld.lld", "-shared", *map(str, objects), "-o", "native.so")
    return folder / "native.so"


def _zig(folder: Path, *arguments: str) -> None:
    done = compiler_run([bundled_zig(), *arguments], folder, _SECONDS, folder)
    if done.exit_code != 0:
        raise CannotBuild(done.messages[-500:])
