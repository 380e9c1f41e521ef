"""Abstraction refinement: an abstract reachability graph over a precision that counterexamples grow.

May import: everything but other engines.
"""

from threadproof.engines.cegar.engine import check

__all__ = ["check"]
