"""C -> LLVM IR -> `ir.Program`; the only door to llvmlite.

`clang` compiles, `llvm_*` read LLVM's text, `link` makes one program of several modules, `lower_*` give every
instruction its meaning, `runtime/` is the part of the C library that is ordinary C. What has no meaning here
becomes an `Unsupported` instruction: it fails when reached, and only then. May import: ir, sync (the table), toolchain.

Imported on first use: clang begins to work before the rest of the front end is here (`compilations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadproof.frontend.loading import load
    from threadproof.frontend.options import FrontendOptions

__all__ = ["FrontendOptions", "load"]


def __getattr__(name: str) -> Any:
    if name == "load":
        from threadproof.frontend.loading import load

        return load
    if name == "FrontendOptions":
        from threadproof.frontend.options import FrontendOptions

        return FrontendOptions
    raise AttributeError(f"module 'threadproof.frontend' has no attribute '{name}'")
