"""Programs as formulas: expressions, pointers, sync operations; steps, memory and order relations to come.

May import: core, ir, analysis, sync, smt.
"""
