"""Bounded model checking: all interleavings and all inputs up to a bound in one formula.

May import: everything but other engines.
"""

from threadproof.engines.bmc.engine import check, formulas

__all__ = ["check", "formulas"]
