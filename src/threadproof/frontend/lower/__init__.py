"""LLVM's instructions in the instruction set of `ir`."""
