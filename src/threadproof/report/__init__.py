"""Answers for people and programs: terminal, lanes of a counterexample, JSON, drawings. Pure functions.

May import: core, the printer of ir.
"""
