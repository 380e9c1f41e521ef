"""The reference meaning of a program: immutable states and one pure `step`. Simple before fast: all tests' oracle.

May import: ir, sync.
"""
