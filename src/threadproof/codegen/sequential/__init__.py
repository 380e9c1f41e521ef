"""Sequentialization: the program, all interleavings of its threads included, as one sequential C program.

`sequentialize` is the way in. May import what `codegen` may.
"""

from threadproof.codegen.sequential.options import Choices, Options, Reduction, SelfChecks, Staying
from threadproof.codegen.sequential.refusal import Refused
from threadproof.codegen.sequential.write import Sequential, sequentialize

__all__ = ["Choices", "Options", "Reduction", "Refused", "SelfChecks", "Sequential", "Staying", "sequentialize"]
