"""The reference meaning of a program: immutable states and one pure `step`. Simple before fast: the oracle of all tests.

May import: ir, sync.
"""
