"""The only door to compilers: where the bundled one is, how it runs within limits, what it made before.

May import: core.
"""
