"""The runtime library: the C files in `runtime/`, compiled once per data model and compiler, their text cached.

A program gets the files it uses something of, and of those only the functions it reaches.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from threadproof.frontend.clang import compile_c
from threadproof.frontend.debug_info import DebugInfo
from threadproof.frontend.link import Unit
from threadproof.frontend.llvm.parser import parse_module
from threadproof.frontend.options import Checks, FrontendOptions
from threadproof.ir.program import DataModel
from threadproof.toolchain.cache import cache_folder, write_atomically
from threadproof.toolchain.compiler import bundled_zig

RUNTIME_FILE = "<runtime>"
_CHECKED = "arithmetic.c"  # the one file whose overflows are the program's; in the others they would be our own
_DEFINED = re.compile(r'^define (?!internal|private)[^@\n]*@"?([\w.$]+)"?\(', re.MULTILINE)
_VARIABLE = re.compile(r"^@([\w.$]+) = (?:dso_local )?global ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Library:
    """The runtime library for one data model, one compiler and one set of checks."""

    data_model: DataModel
    options: FrontendOptions

    def defines(self, symbol: str) -> bool:
        return symbol in self._index()

    def unit(self, symbol: str) -> Unit:
        """The file that defines it. A fresh unit each time: a unit holds names that belong to one program."""
        module = parse_module(self._texts()[self._index()[symbol]], RUNTIME_FILE, self.data_model.pointer_bytes)
        return Unit(module, DebugInfo(module.metadata, only_file=RUNTIME_FILE))

    def functions(self) -> frozenset[str]:
        return frozenset(self._index())

    def _index(self) -> dict[str, str]:
        return _index(self.data_model, self.options.clang, self.options.timeout, self.options.checks)

    def _texts(self) -> dict[str, str]:
        return _texts(self.data_model, self.options.clang, self.options.timeout, self.options.checks)


@cache
def _index(data_model: DataModel, clang: str | None, timeout: float, checks: Checks) -> dict[str, str]:
    """Function, or variable that programs may name -> the file that defines it."""
    texts = _texts(data_model, clang, timeout, checks)
    return {name: file for file, text in texts.items() for name in (*_DEFINED.findall(text), *_VARIABLE.findall(text))}


@cache
def _texts(data_model: DataModel, clang: str | None, timeout: float, checks: Checks) -> dict[str, str]:
    """File -> its LLVM text."""
    folder = Path(str(files("threadproof.frontend") / "runtime"))
    shared = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.h")))
    plain = FrontendOptions(data_model=data_model, clang=clang, timeout=timeout)
    checked = replace(plain, checks=checks)
    return {
        path.name: _text(path, shared, checked if path.name == _CHECKED else plain)
        for path in sorted(folder.glob("*.c"))
    }


def _text(source: Path, shared: str, options: FrontendOptions) -> str:
    from hashlib import sha256

    text = source.read_text(encoding="utf-8")
    key = "\0".join((text, shared, options.data_model.value, options.checks.value, _compiler(options.clang)))
    entry = cache_folder() / "runtime" / f"{sha256(key.encode()).hexdigest()[:32]}.ll"
    try:
        return entry.read_text(encoding="utf-8")
    except OSError:
        text = compile_c(str(source), options)
        text = "\n".join(line for line in text.split("\n") if not line.startswith("attributes #"))
        write_atomically(entry, text)
        return text


def _compiler(clang: str | None) -> str:
    if clang is not None:
        return clang
    about = os.stat(bundled_zig())  # to ask for its version takes longer than to read the cache
    return f"zig {about.st_size} {about.st_mtime_ns}"
