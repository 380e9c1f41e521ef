"""The program: expressions, instructions, functions, memory objects, address layout, printer, legality check.

Everything is a frozen value. May import: core.
"""
