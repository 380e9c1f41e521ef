"""Lazy abstraction with interpolants for threads (Impact), with partial-order reduction.

May import: everything but other engines.
"""

from threadproof.engines.impact.engine import check

__all__ = ["check"]
