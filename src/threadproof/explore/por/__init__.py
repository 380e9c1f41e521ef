"""Partial-order reductions, one per file with its paper. Each explores a transition system of `explore.lts` and says
what it found; stateless ones count executions, stateful ones close cycles.
"""
