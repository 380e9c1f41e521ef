"""Threadproof: a verifier for multi-threaded C programs.

    from threadproof import verify, load

`verify(["a.c"], properties=["unreach-call"])` gives one `Answer` per property, `load(["a.c"])` the program.
Everything is imported on first use, so that `import threadproof` and `threadproof --help` cost nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes a moment to import, in which Ctrl-C could not be caught
if TYPE_CHECKING:
    from typing import Any

    from threadproof.api import estimate, load, verify

__all__ = ["__version__", "estimate", "load", "verify"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("estimate", "load", "verify"):
        from threadproof import api

        return getattr(api, name)
    raise AttributeError(f"module 'threadproof' has no attribute '{name}'")
