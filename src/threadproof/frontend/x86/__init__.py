"""Inline assembly of x86: the text of a template, its operands, registers and flags, and a table of instructions.

May import: the builder and what lies below it. Instructions are carried out on expressions while lowering;
what reaches memory becomes loads, stores and atomic updates of the program.
"""
