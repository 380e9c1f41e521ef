"""Programs as formulas: expressions and pointers today; steps, memory and order relations to come.

May import: core, ir, analysis, sync, smt.
"""
