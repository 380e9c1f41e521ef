"""The program is started with arguments nobody knows: `argc` is any positive number, using `argv` is unsupported."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from threadproof.analysis.call_graph import address_taken
from threadproof.ir.expr import Reg, registers
from threadproof.ir.instr import Assign, Call, Instr, Nondet, Store, Unsupported, all_uses, defs, edges
from threadproof.ir.program import Block, Function, Program
from threadproof.passes.rewrite import reachable_blocks


def give_main_arguments(program: Program) -> Program:
    main = program.functions[program.entry]
    if not main.params:
        return program
    if program.entry in address_taken(program) or _is_called(program):
        refused = Unsupported("a program that calls its own main", loc=main.loc)
        start = Function("<start>", (), (Block("0", (refused,)),))
        return replace(program, functions={**program.functions, start.name: start}, entry=start.name)
    return replace(program, functions={**program.functions, program.entry: _closed(main)})


def _is_called(program: Program) -> bool:
    return any(isinstance(instr, Call) and instr.callee == program.entry for instr in program.instrs())


def _closed(main: Function) -> Function:
    count, pointers = main.params[0], {param.name for param in main.params[1:]}
    idle = _idle_stores(main) | _follow_copies(main, pointers)
    kept = [replace(b, instrs=tuple(i for i in b.instrs if id(i) not in idle)) for b in main.blocks]
    blocks = [_cut_at_use(block, pointers) for block in kept]
    used = any(count.name in registers(e) for b in blocks for i in b.instrs for e in all_uses(i))
    if used:
        high = (1 << (count.width - 1)) - 1
        first = Nondet(count, "the number of command-line arguments", 1, high, loc=main.loc)
        blocks[0] = replace(blocks[0], instrs=(first, *blocks[0].instrs))
    return replace(main, params=(), blocks=reachable_blocks(blocks))


def _idle_stores(main: Function) -> set[int]:
    """Stores of a parameter into a local that nothing else ever uses: clang makes one for every parameter."""
    params = {param.name for param in main.params}
    uses = Counter(name for i in main.instrs() for e in all_uses(i) for name in registers(e))
    return {
        id(instr)
        for instr in main.instrs()
        if isinstance(instr, Store)
        and isinstance(instr.address, Reg)
        and isinstance(instr.value, Reg)
        and instr.value.name in params
        and uses[instr.address.name] == 1
    }


def _follow_copies(main: Function, pointers: set[str]) -> set[int]:
    """Copies of the pointers into registers that hold nothing else: a copy is no use. `pointers` gets those too."""
    instrs = list(main.instrs())
    counts = Counter(reg.name for instr in instrs for reg in defs(instr))
    counts.update(dst.name for instr in instrs for edge in edges(instr) for dst, _ in edge.moves)
    found: set[int] = set()
    for instr in instrs:  # in the order of blocks: a copy of a later copy is left to count as a use
        if not isinstance(instr, Assign) or not isinstance(instr.value, Reg):
            continue
        if instr.value.name in pointers and counts[instr.dst.name] == 1:
            pointers.add(instr.dst.name)
            found.add(id(instr))
    return found


def _cut_at_use(block: Block, pointers: set[str]) -> Block:
    kept: list[Instr] = []
    for instr in block.instrs:
        if any(name in pointers for expr in all_uses(instr) for name in registers(expr)):
            kept.append(Unsupported("command-line arguments (argv)", loc=instr.loc))
            break
        kept.append(instr)
    return replace(block, instrs=tuple(kept))
