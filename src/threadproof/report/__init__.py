"""Answers for people and programs: terminal, lanes of a counterexample, JSON, drawings. Pure functions.

May import: core, ir, automaton and the text of the partition, which it draws.
"""
