"""Random testing: whole native runs under several schedulers, with telling values of what is nondeterministic.

Finds bugs, proves nothing: the answer is `Unsafe` or `Unknown`.
"""

from threadproof.engines.random.testing import check

__all__ = ["check"]
