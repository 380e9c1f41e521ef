"""Stateful exhaustive search: a short try over the reference semantics, then the native step machine.

Complete for programs with finitely many states whose choices have small domains; otherwise it finds bugs.
"""

from threadproof.engines.explicit.engine import check

__all__ = ["check"]
