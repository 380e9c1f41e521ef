"""The bundled compiler, and compilers in processes of their own with a limit of time."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from threadproof.core.errors import InputError, ThreadproofError
from threadproof.toolchain.cache import cache_folder


class CannotStart(ThreadproofError):
    """The compiler cannot be run; the text is the system's reason."""


class TookTooLong(ThreadproofError):
    """The compiler did not finish within its time."""


class Compiled(NamedTuple):
    exit_code: int
    messages: str  # what it wrote to stderr


@cache
def bundled_zig() -> str:
    """Path of the zig binary inside the `ziglang` package; called directly, its Python launcher is slow."""
    spec = importlib.util.find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for name in ("zig", "zig.exe"):
            if (Path(folder) / name).exists():
                return str(Path(folder) / name)
    raise InputError("the bundled clang is missing: the package 'ziglang' is not installed")


def compiler_run(command: Sequence[str], scratch: Path, seconds: float, folder: Path | None = None) -> Compiled:
    """One run of a compiler or linker in `folder` (default: here), from its beginning to its end."""
    return CompilerProcess(command, scratch, folder).finish(seconds)


class CompilerProcess:
    """A compiler at work in `folder` (default: here). zig keeps every output in `scratch` and never cleans up. What it
    prints goes to `output`, or nowhere."""

    def __init__(
        self, command: Sequence[str], scratch: Path, folder: Path | None = None, output: Path | None = None
    ) -> None:
        where = os.getcwd() if folder is None else str(folder)
        caches = {"ZIG_GLOBAL_CACHE_DIR": str(cache_folder() / "zig"), "ZIG_LOCAL_CACHE_DIR": str(scratch)}
        # PWD: debug information then names folders as Python does, not by symbolic links.
        environment = {**os.environ, **caches, "LC_ALL": "C", "PWD": where}
        self._began = time.monotonic()
        self._name = Path(command[0]).name
        try:
            with open(output or os.devnull, "wb") as printed:
                self._process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.PIPE,
                    process_group=0,
                )
        except OSError as error:
            raise CannotStart(f"cannot run the compiler {command[0]}: {error.strerror}") from None

    def finish(self, seconds: float) -> Compiled:
        """Waits for it, until `seconds` after its beginning."""
        try:
            _, messages = self._process.communicate(timeout=max(0.0, self._began + seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise TookTooLong(f"{self._name} did not finish within {seconds:g} s") from None
        finally:
            self.stop()
        return Compiled(self._process.returncode, messages.decode("utf-8", errors="replace"))

    def stop(self) -> None:
        """The whole process group dies: zig starts clang as a child."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
