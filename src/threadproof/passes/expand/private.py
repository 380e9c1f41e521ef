"""Variables that only their own thread can know: what is stored in them is also kept in registers.

A thread-local variable whose address nobody takes, and a global that only one thread ever names (and there is only one
such thread), have the value their thread gave them last. Conditions on them are then conditions on registers, by which
paths can be told apart. The accesses stay in the code: whoever lists a thread's accesses still finds them.
Invariants: a cell is only loaded and stored as a whole, by name, and begins with the bytes of its image.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from threadproof.analysis.abstract_threads.threads import AbstractThread, ThreadTree
from threadproof.ir.expr import Const, Expr, GlobalRef, Reg, TlsRef, walk
from threadproof.ir.instr import Assign, Edge, Instr, Jump, Load, Store, all_uses
from threadproof.ir.program import Block, Function, GlobalVar, Lifetime

START = "<values>"


@dataclass(frozen=True, slots=True)
class Cell:
    name: str
    size: int
    first: int

    @property
    def register(self) -> Reg:
        return Reg(f"value of {self.name}", 8 * self.size)


Cells = dict[str, frozenset[Cell]]
"""By start routine."""


def private_cells(tree: ThreadTree) -> Cells:
    uses = {name: _named(tree.program.functions[name]) for name in tree.threads}
    pointed = {r.target for variable in tree.program.globals.values() for r in variable.relocations}
    found: dict[str, set[Cell]] = {}
    for variable in tree.program.globals.values():
        users = [tree.threads[name] for name, used in uses.items() if variable.name in used]
        sizes = {size for user in users for size in uses[user.name][variable.name]}
        size = next(iter(sizes)) if len(sizes) == 1 else None
        if size is None or variable.name in pointed or variable.relocations or not _alone(tree, variable, users):
            continue
        first = int.from_bytes(variable.image[:size].ljust(size, b"\0"), "little")
        for user in users:
            found.setdefault(user.start, set()).add(Cell(variable.name, size, first))
    return {start: frozenset(cells) for start, cells in found.items()}


def still_private(tree: ThreadTree, cells: Cells) -> bool:
    """Whether the tree, written out with these cells, has no more threads to share them than that without had."""
    for start, here in cells.items():
        threads = [thread for thread in tree.threads.values() if thread.start == start]
        for cell in here:
            if not _alone(tree, tree.program.globals[cell.name], threads):
                return False
    return True


def _alone(tree: ThreadTree, variable: GlobalVar, users: list[AbstractThread]) -> bool:
    if variable.lifetime is Lifetime.THREAD or not users:
        return True
    one = users[0]
    same = [thread for thread in tree.threads.values() if thread.start == one.start]
    return len(users) == 1 and len(same) == 1 and tree.runs_once(one.name)


def _named(function: Function) -> dict[str, set[int | None]]:
    """The variables a function names, with the sizes of accesses; None among them: it does something else too."""
    found: dict[str, set[int | None]] = {}
    for instr in function.instrs():
        for name, size in _of_instr(instr):
            found.setdefault(name, set()).add(size)
    return found


def _of_instr(instr: Instr) -> Iterator[tuple[str, int | None]]:
    exprs: Iterable[Expr] = all_uses(instr)
    match instr:
        case Load(address=GlobalRef() | TlsRef() as to) if instr.dst.width == 8 * instr.size:
            yield to.name, instr.size
            return
        case Store(address=GlobalRef() | TlsRef() as to) if instr.value.width == 8 * instr.size:
            yield to.name, instr.size
            exprs = (instr.value,)
        case _:
            pass
    for expr in exprs:
        for part in walk(expr):
            if isinstance(part, GlobalRef | TlsRef):
                yield part.name, None


def with_values(function: Function, cells: frozenset[Cell]) -> Function:
    """The function with a register beside each cell."""
    if not cells:
        return function
    by_name = {cell.name: cell for cell in cells}
    ordered = [by_name[name] for name in sorted(by_name)]
    begin = tuple(Assign(cell.register, Const(cell.first, 8 * cell.size), loc=function.loc) for cell in ordered)
    start = Block(START, (*begin, Jump(Edge(function.blocks[0].label), loc=function.loc)))
    blocks = (
        replace(b, instrs=tuple(i for instr in b.instrs for i in _beside(instr, by_name))) for b in function.blocks
    )
    return replace(function, blocks=(start, *blocks))


def _beside(instr: Instr, cells: dict[str, Cell]) -> Iterator[Instr]:
    match instr:
        case Load(address=GlobalRef(name=name) | TlsRef(name=name)) if name in cells:
            unread = Reg(f"{instr.dst.name} unread", instr.dst.width)
            yield replace(instr, dst=unread)
            yield Assign(instr.dst, cells[name].register, loc=instr.loc)
        case Store(address=GlobalRef(name=name) | TlsRef(name=name)) if name in cells:
            yield instr
            yield Assign(cells[name].register, instr.value, loc=instr.loc)
        case _:
            yield instr
