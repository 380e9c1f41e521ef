"""Bounded model checking: all interleavings and all inputs up to a bound in one formula.

May import: everything but other engines.
"""

from threadproof.engines.bmc.engine import check

__all__ = ["check"]
