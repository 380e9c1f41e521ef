"""A program rewritten for analyses of threads: one function per abstract thread, without calls, in SSA form.

What an analysis finds out about a function then holds for one thread in one calling context. The result is a legal
program with the same behaviours.
"""

from threadproof.passes.expand.deciding import Splitting
from threadproof.passes.expand.inline import TooLarge
from threadproof.passes.expand.tree import expand_threads

__all__ = ["Splitting", "TooLarge", "expand_threads"]
