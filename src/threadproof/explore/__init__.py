"""Ways through a program: transition systems, happens-before, brute force, partial-order reductions (`por`).

This is the readable form of what the native engines do, and what symbolic engines build on. May import: core, ir,
sync, analysis, semantics.
"""
