"""Formulas and solvers: a small term language, its meaning, its printing, and the only doors to bitwuzla and z3.

`terms` makes terms, `evaluate` says what they mean, `solver` asks. May import: core.
"""
