"""A static prover of `no-data-race`, for programs of any size of data and any number of threads.

What it cannot prove it tries: random runs that are led to the pairs of accesses in question may show a race.
"""

from threadproof.engines.races.check import check
from threadproof.engines.races.prove import prove

__all__ = ["check", "prove"]
