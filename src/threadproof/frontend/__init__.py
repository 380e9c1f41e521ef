"""C -> LLVM IR -> `ir.Program`; the only door to llvmlite.

`clang` compiles, `llvm_*` read LLVM's text, `link` makes one program of several modules, `lower_*` give every
instruction its meaning, `runtime/` is the part of the C library that is ordinary C. What has no meaning here
becomes an `Unsupported` instruction: it fails when reached, and only then. May import: ir, sync (the table), toolchain.
"""

from threadproof.frontend.load import FrontendOptions, load

__all__ = ["FrontendOptions", "load"]
