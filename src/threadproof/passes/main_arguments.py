"""The program's arguments: those that were given, or unknown ones.

Nobody knows them: `argc` is any positive number; where `argv` is used, there are at most MOST of them, the name of the
program included, with at most LONGEST characters each, which are choices made when they are read. Verdicts say so.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from threadproof.analysis.control.call_graph import address_taken
from threadproof.ir.expr import OFFSET_BITS, Compare, CompareOp, Const, Expr, PtrAdd, Reg, Select, registers
from threadproof.ir.instr import Alloc, Assign, Call, Instr, Nondet, Storage, Store, Unsupported, all_uses, defs, edges
from threadproof.ir.program import Block, Function, Program, reachable_blocks

MOST = 3  # arguments, the program's name included
LONGEST = 3  # characters of one
_NAME = "program"
_BOUND = f"at most {MOST - 1} command-line arguments of at most {LONGEST} characters"


def give_main_arguments(program: Program) -> Program:
    main = program.functions[program.entry]
    if not main.params:
        return program
    if program.entry in address_taken(program) or _is_called(program):
        refused = Unsupported("a program that calls its own main", loc=main.loc)
        start = Function("<start>", (), (Block("0", (refused,)),))
        return replace(program, functions={**program.functions, start.name: start}, entry=start.name)
    closed, looked_at = _closed(main, program.arguments)
    outside = program.outside
    if program.arguments is not None or looked_at:
        known = None if program.arguments is None else f"it is started as {shlex.join((_NAME, *program.arguments))}"
        outside = replace(outside, assumed=(*outside.assumed, known or _BOUND))
    return replace(program, functions={**program.functions, program.entry: closed}, outside=outside)


def _is_called(program: Program) -> bool:
    return any(isinstance(instr, Call) and instr.callee == program.entry for instr in program.instrs())


def _closed(main: Function, given: tuple[str, ...] | None) -> tuple[Function, bool]:
    """Without parameters; and whether `argv` is looked at."""
    count, pointers = main.params[0], {param.name for param in main.params[1:2]}
    idle = _idle_stores(main)
    copies = _follow_copies(main, pointers)
    looked_at = any(
        name in pointers
        for i in main.instrs()
        if id(i) not in idle | copies
        for e in all_uses(i)
        for name in registers(e)
    )
    idle |= set() if looked_at else copies
    blocks = [replace(b, instrs=tuple(i for i in b.instrs if id(i) not in idle)) for b in main.blocks]
    blocks = [_cut_at_use(block, {param.name for param in main.params[2:]}) for block in blocks]
    used = {name for b in blocks for i in b.instrs for e in all_uses(i) for name in registers(e)}
    first: list[Instr] = []
    if given is not None:
        first.append(Assign(count, Const(len(given) + 1, count.width), loc=main.loc))
    elif looked_at or count.name in used:
        high = MOST if looked_at else (1 << (count.width - 1)) - 1
        first.append(Nondet(count, "the number of command-line arguments", 1, high, loc=main.loc))
    if looked_at:
        texts = None if given is None else [text.encode() for text in (_NAME, *given)]
        first += _vector(main, count, main.params[1], texts)
    blocks[0] = replace(blocks[0], instrs=(*first, *blocks[0].instrs))
    return replace(main, params=(), blocks=reachable_blocks(blocks)), looked_at


def _vector(main: Function, count: Reg, argv: Reg, texts: list[bytes] | None) -> Iterator[Instr]:
    """`argv` and its strings, in the frame of main. What is not stored here is arbitrary until somebody reads it."""
    number, word = MOST if texts is None else len(texts), argv.width // 8
    array = Reg("%argv", argv.width)
    yield Alloc(array, Const((number + 1) * word, argv.width), Storage.STACK, name="argv", loc=main.loc)
    for index in range(number):
        text = Reg(f"%argv.{index}", argv.width)
        size = LONGEST if texts is None else len(texts[index])
        yield Alloc(text, Const(size + 1, argv.width), Storage.STACK, name=f"argv[{index}]", align=1, loc=main.loc)
        for at, byte in enumerate(b"" if texts is None else texts[index]):
            yield Store(_moved(text, at), Const(byte, 8), 1, loc=main.loc)
        yield Store(_moved(text, size), Const(0, 8), 1, loc=main.loc)
        there = Compare(CompareOp.SLT, Const(index, count.width), count)
        yield Store(_moved(array, index * word), Select(there, text, Const(0, argv.width)), word, loc=main.loc)
    yield Store(_moved(array, number * word), Const(0, argv.width), word, loc=main.loc)
    yield Assign(argv, array, loc=main.loc)


def _moved(base: Reg, offset: int) -> Expr:
    return PtrAdd(base, Const(offset, OFFSET_BITS)) if offset else base


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
            kept.append(Unsupported("the environment (envp)", loc=instr.loc))
            break
        kept.append(instr)
    return replace(block, instrs=tuple(kept))
