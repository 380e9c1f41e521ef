"""Functions nothing can call are dropped (their addresses would only move everything else)."""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.control.call_graph import address_taken, reachable
from threadproof.ir.program import Program


def drop_uncalled_functions(program: Program) -> Program:
    kept = reachable(program, frozenset({program.entry, program.at_exit}) | address_taken(program))
    functions = {name: function for name, function in program.functions.items() if name in kept}
    return replace(program, functions=functions)
