"""What an answer depends on besides the question: our own files, and everything that they call."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from threadproof import __version__

_ASKED = ("ziglang", "llvmlite", "numpy", "scipy", "bitwuzla", "z3-solver", "lark", "pyyaml")


@cache
def own_files() -> str:
    """Of the version and every file of the package, with its place: two installations that agree have the same code."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256(__version__.encode())
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for name in sorted(names):
            if not name.endswith(".pyc"):
                path = Path(folder) / name
                content = path.read_bytes()
                found.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
                found.update(content)
    return found.hexdigest()


@cache
def everything() -> str:
    """Also of Python, the packages, the processor and the C library, whose mathematics programs get."""
    words = [own_files(), sys.version, processor(), *platform.libc_ver()]
    words += [f"{name} {_version(name)}" for name in _ASKED]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


@cache
def processor() -> str:
    """What code made for this processor may need: machines of one cluster can differ, and share a folder."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as about:
            able = next((line for line in about if line.startswith(("flags", "Features"))), "")
    except OSError:
        able = platform.processor()
    return f"{platform.machine()} {able.strip()}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"
