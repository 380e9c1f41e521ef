"""Programs as formulas: expressions, pointers, sync operations; unwound programs: events, their order, what is read.

May import: core, ir, analysis, sync, smt.
"""
