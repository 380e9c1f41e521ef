"""Trace abstraction with proof-sensitive reduction: a fixpoint on the reduced product of the threads.

May import: everything but other engines.
"""

from threadproof.engines.trace.engine import check

__all__ = ["check"]
