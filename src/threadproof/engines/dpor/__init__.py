"""Stateless search with dynamic partial-order reduction, at native speed.

Complete for programs whose executions are bounded and whose choices have small domains; otherwise it finds bugs.
The search is kernel/*.h, compiled into the program's step machine. May import: all but other engines.
"""

from threadproof.engines.dpor.search import check

__all__ = ["check"]
