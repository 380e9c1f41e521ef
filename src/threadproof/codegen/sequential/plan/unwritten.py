"""Instructions that have no C, known once somebody has tried to write them, as what they are: unsupported.

The run ends there, so what only they lead to is left out. Written nevertheless, it would read variables that nothing in
the text sets, and its accesses would keep other threads from moving.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Unsupported
from threadproof.ir.program import Block, Program, reachable_blocks


def ending_at(program: Program, why: Mapping[Site, str]) -> Program:
    """The program with an unsupported instruction at each of these places; all others keep theirs."""
    functions = dict(program.functions)
    for name in dict.fromkeys(site.function for site in why):
        blocks = [_ending_at(name, block, why) for block in functions[name].blocks]
        functions[name] = replace(functions[name], blocks=reachable_blocks(blocks))
    return replace(program, functions=functions)


def _ending_at(function: str, block: Block, why: Mapping[Site, str]) -> Block:
    for number, instr in enumerate(block.instrs):
        reason = why.get(Site(function, block.label, number))
        if reason is not None:
            return replace(block, instrs=(*block.instrs[:number], Unsupported(reason, loc=instr.loc)))
    return block
