"""Stateful exhaustive search over the reference semantics.

Complete for programs with finitely many states whose choices have small domains; otherwise it finds bugs.
"""

from threadproof.engines.explicit.search import check

__all__ = ["check"]
