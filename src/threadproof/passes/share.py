"""Marks the objects only one thread can access (`unshared`): their accesses concern nobody else."""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.memory.escape import unshared_stack
from threadproof.analysis.memory.sharing import unshared_globals
from threadproof.ir.program import Program


def mark_unshared(program: Program) -> Program:
    stack = unshared_stack(program)
    functions = {name: replace(f, unshared=stack[name]) for name, f in program.functions.items()}
    return replace(program, functions=functions, unshared=unshared_globals(program))
