"""A static prover of `no-deadlock`, for programs with any number of threads: the order in which locks are taken."""

from threadproof.engines.deadlocks.prove import check

__all__ = ["check"]
