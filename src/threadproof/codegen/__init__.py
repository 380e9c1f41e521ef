"""ir to C: a fast step machine with the results of the reference semantics, compiled and loaded.

May import: core, ir, sync, analysis, automaton; the words of semantics (states, outcomes, limits); toolchain.
"""
