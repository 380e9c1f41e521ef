"""The C that is the same for all programs: of the step machine here, of a search in its engine's folder."""

from __future__ import annotations

from importlib.resources import files


def kernel(name: str, room: str = "threadproof.codegen") -> str:
    return (files(room) / "kernel" / name).read_text(encoding="utf-8")


def search_kernel(room: str, *names: str) -> str:
    """The text of a search that is compiled once for all programs."""
    return "\n".join([*map(kernel, ("words.h", "arrays.h", "crowd.h")), *(kernel(name, room) for name in names)])
