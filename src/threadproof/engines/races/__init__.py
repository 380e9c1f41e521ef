"""A static prover of `no-data-race`, for programs of any size of data and any number of threads.

It proves or says unknown; it never finds a race.
"""

from threadproof.engines.races.check import check

__all__ = ["check"]
