"""ir to C: a fast step machine with the results of the reference semantics, compiled and loaded.

May import: ir, sync, analysis; the words of semantics (states, outcomes, limits); toolchain.
"""
