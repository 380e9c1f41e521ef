"""The runtime library: `runtime.c`, compiled once per data model and compiler, its text kept in the cache."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from threadproof.frontend.cache import cache_folder, write_atomically
from threadproof.frontend.clang import compile_c
from threadproof.frontend.debug_info import DebugInfo
from threadproof.frontend.link import Unit
from threadproof.frontend.llvm_parser import parse_module
from threadproof.frontend.options import Checks, FrontendOptions
from threadproof.ir.program import DataModel

RUNTIME_FILE = "<runtime>"


def runtime_unit(data_model: DataModel, options: FrontendOptions) -> Unit:
    """A fresh unit each time: a unit holds names that belong to one program."""
    text = _text(data_model, options.clang, options.timeout, options.checks)
    module = parse_module(text, RUNTIME_FILE, data_model.pointer_bytes)
    return Unit(module, DebugInfo(module.metadata, only_file=RUNTIME_FILE))


@cache
def _text(data_model: DataModel, clang: str | None, timeout: float, checks: Checks) -> str:
    source = Path(str(files("threadproof.frontend") / "runtime.c"))
    key = "\0".join((source.read_text(encoding="utf-8"), data_model.value, checks.value, _compiler(clang)))
    entry = cache_folder() / "runtime" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.ll"
    try:
        return entry.read_text(encoding="utf-8")
    except OSError:
        options = FrontendOptions(data_model=data_model, clang=clang, timeout=timeout, checks=checks)
        text = compile_c(str(source), options)
        text = "\n".join(line for line in text.split("\n") if not line.startswith("attributes #"))
        write_atomically(entry, text)
        return text


def _compiler(clang: str | None) -> str:
    if clang is not None:
        return clang
    try:
        return f"ziglang {version('ziglang')}"
    except PackageNotFoundError:
        return "ziglang"
