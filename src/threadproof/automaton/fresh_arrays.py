"""Loops that fill a block which was just allocated with arbitrary values, left out: its bytes are arbitrary already.

    int *a = malloc(4 * n); for (int i = 0; i < n; i++) a[i] = nondet();

What is left of the loop is the question whether its last element lies inside the block, and the counter's last value.

Invariants: the result has the executions of the program up to choices (arbitrary values are chosen when they are
first read), and at most more values of bytes that the loop wrote with fewer (`_Bool`). So a `true` of the result is one
of the program; a schedule of the result need not replay on the program.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    PtrAdd,
    Reg,
    Select,
    registers,
)
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Branch,
    Edge,
    Fill,
    Instr,
    Jump,
    Nondet,
    Storage,
    Store,
    Undefined,
    UndefinedKind,
    Volatility,
    defs,
    edges,
    uses,
)
from threadproof.ir.program import Block, Function, Program

_WIDE = 64  # of offsets
_OUTSIDE = "outside'"


def without_filling_loops(program: Program) -> Program:
    """The same object if there is no such loop."""
    functions = {name: _without(function) for name, function in program.functions.items()}
    changed = any(functions[name] is not function for name, function in program.functions.items())
    return replace(program, functions=functions) if changed else program


@dataclass(frozen=True, slots=True)
class _FillingLoop:
    before: Block  # ends with the jump to the head
    head: Block
    body: list[Block]
    alloc: Alloc
    counter: Reg
    bound: Reg
    store: Store
    leaving: Edge


def _without(function: Function) -> Function:
    blocks = {block.label: block for block in function.blocks}
    for label in list(blocks):
        loop = _found(function, blocks, blocks[label]) if label in blocks else None
        if loop is None:
            continue
        outside = f"{_OUTSIDE}{loop.head.label}"
        blocks[loop.before.label] = _left(loop, outside)
        blocks[outside] = Block(outside, (Undefined(UndefinedKind.OUT_OF_BOUNDS, loc=loop.store.loc),))
        for gone in (loop.head, *loop.body):
            del blocks[gone.label]
    same = all(blocks.get(block.label) is block for block in function.blocks)
    return function if same else replace(function, blocks=tuple(blocks.values()))


def _left(loop: _FillingLoop, outside: str) -> Block:
    """What is left of the loop, behind the allocation."""
    counter, bound, loc = loop.counter, loop.bound, loop.store.loc
    some = Compare(CompareOp.SLT, Const(0, bound.width), bound)
    needed = Binary(BinaryOp.MUL, Convert(ConvertOp.ZEXT, bound, _WIDE), Const(loop.store.size, _WIDE))
    size = loop.alloc.size if loop.alloc.size.width == _WIDE else Convert(ConvertOp.ZEXT, loop.alloc.size, _WIDE)
    beyond = Binary(BinaryOp.AND, some, Compare(CompareOp.ULT, size, needed))
    end = Assign(counter, Select(some, bound, Const(0, counter.width)), loc=loc)
    ways = Branch(beyond, Edge(outside, ()), loop.leaving, loc=loc)
    return replace(loop.before, instrs=(*loop.before.instrs[:-1], end, ways))


# --- finding them ----------------------------------------------------------------------------------------------------


def _found(function: Function, blocks: dict[str, Block], head: Block) -> _FillingLoop | None:
    match head.instrs:
        case [Branch(condition=Compare(op=CompareOp.SLT, left=Reg() as counter, right=Reg() as bound)) as branch]:
            pass
        case _:
            return None
    into = [block for block in blocks.values() if any(e.target == head.label for e in edges(block.instrs[-1]))]
    body = _straight(blocks, branch.then, head.label)
    if body is None or len(into) != 2 or body[-1] not in into or any(block.label == head.label for block in body):
        return None
    [before] = [block for block in into if block is not body[-1]]
    inside = [instr for block in body for instr in block.instrs]
    store = _filling(inside, counter, bound)
    alloc = None if store is None else _allocation(before, store, counter)
    if store is None or alloc is None or branch.then.moves or branch.otherwise.moves:
        return None
    if (
        bound in _written_behind(alloc, before)
        or bound.width >= _WIDE
        or _used_elsewhere(function, [head, *body], inside, counter)
    ):
        return None
    return _FillingLoop(before, head, body, alloc, counter, bound, store, branch.otherwise)


def _straight(blocks: dict[str, Block], first: Edge, head: str) -> list[Block] | None:
    """Blocks that lead one to the next and back to the head, and nothing else leads to."""
    found: list[Block] = []
    edge, last = first, head
    while edge.target != head:
        into = [b for b in blocks.values() if any(e.target == edge.target for e in edges(b.instrs[-1]))]
        block = blocks[edge.target]
        jump = block.instrs[-1]
        if [b.label for b in into] != [last] or not isinstance(jump, Jump) or jump.edge.moves or block in found:
            return None
        found.append(block)
        edge, last = jump.edge, block.label
    return found or None


def _filling(inside: list[Instr], counter: Reg, bound: Reg) -> Store | None:
    """The store, if the body is `a[i] = any value; i = i + 1;`."""
    match [instr for instr in inside if not isinstance(instr, Jump)]:
        case [Nondet(dst=value), Store(address=PtrAdd(base=Reg() as block)) as store, Assign() as step]:
            assert isinstance(store.address, PtrAdd)
            next_one = Binary(BinaryOp.ADD, counter, Const(1, counter.width))
            fixed = len({block, bound, counter, value}) == 4
            stored = {*registers(store.value)} == {value.name} and store.volatility is Volatility.ORDINARY
            right = _is_element(store.address.offset, counter, store.size)
            return store if step == replace(step, dst=counter, value=next_one) and fixed and stored and right else None
        case _:
            return None


def _is_element(offset: Expr, counter: Reg, size: int) -> bool:
    wide = Convert(ConvertOp.SEXT, counter, _WIDE)
    if size == 1 and offset == wide:
        return True
    shift = Binary(BinaryOp.SHL, wide, Const(size.bit_length() - 1, _WIDE))
    return offset == Binary(BinaryOp.MUL, wide, Const(size, _WIDE)) or (size & (size - 1) == 0 and offset == shift)


def _allocation(before: Block, store: Store, counter: Reg) -> Alloc | None:
    """What was allocated just before the loop, if the store goes there and the counter begins with 0."""
    assert isinstance(store.address, PtrAdd)
    place = next((n for n, i in enumerate(before.instrs) if isinstance(i, Alloc) and _is_block(i)), None)
    last = before.instrs[-1]
    if place is None or not isinstance(last, Jump) or last.edge.moves:
        return None
    alloc = before.instrs[place]
    assert isinstance(alloc, Alloc)
    values: dict[str, Expr] = {alloc.dst.name: alloc.dst}
    for instr in before.instrs[place + 1 : -1]:
        if not isinstance(instr, Assign) or instr.dst.name in registers(alloc.size) or instr.dst == alloc.dst:
            return None
        value = instr.value
        values[instr.dst.name] = values.get(value.name, value) if isinstance(value, Reg) else value
    begins = values.get(counter.name)
    base = store.address.base
    same = isinstance(base, Reg) and values.get(base.name) == alloc.dst
    return alloc if same and isinstance(begins, Const) and begins.value == 0 else None


def _is_block(alloc: Alloc) -> bool:
    return alloc.storage is Storage.HEAP and alloc.fill is Fill.ARBITRARY


def _written_behind(alloc: Alloc, block: Block) -> set[Reg]:
    place = block.instrs.index(alloc)
    return {reg for instr in block.instrs[place + 1 :] for reg in defs(instr)}


def _used_elsewhere(function: Function, loop: list[Block], inside: list[Instr], counter: Reg) -> bool:
    """Whether a register of the body, the counter aside, is read outside."""
    made = {reg.name for instr in inside for reg in defs(instr)} - {counter.name}
    labels = {block.label for block in loop}
    for block in function.blocks:
        for instr in block.instrs if block.label not in labels else ():
            moved = (value for edge in edges(instr) for _, value in edge.moves)
            if any(name in made for expr in (*uses(instr), *moved) for name in registers(expr)):
                return True
    return False
