"""Programs whose text shows that no heap block is ever lost.

From its allocation on, a block is held by a register that is still needed or by a local pointer variable, through calls
that return it, until main stores it in a global variable. Nothing else writes that variable: it has one store, which
main makes at most once, and its address is used for nothing but that store and loads. So something points to the block
as long as it lives, in every state and at every end. Whoever relies on it has to show besides that no access is out of
bounds.

A thread that ends in the middle takes its registers and locals with it: nobody is cancelled, and while they hold a
block, nothing is called that may end the thread.

What is not of this form may lose nothing all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from threadproof.ir.expr import Expr, GlobalRef, Reg, walk
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Call,
    Edge,
    Free,
    Instr,
    Load,
    Return,
    StackRestore,
    Storage,
    Store,
    all_uses,
    defs,
    edges,
)
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Function, Lifetime, Origin, Program
from threadproof.semantics.pointer_locals import PointerLocals, blocks_made_once
from threadproof.sync.facts import Act, does


def keeps_blocks(program: Program) -> bool:
    """Whether no execution in which all accesses are valid loses a block."""
    return unkept_block(program) is None


def unkept_block(program: Program) -> Alloc | None:
    """An allocation whose blocks may be lost, as far as the text shows."""
    return _KeptBlocks(program).unkept()


class _Held(NamedTuple):
    """Before an instruction, each of these registers, and each of these locals (by the register with its address),
    holds the block."""

    function: str
    block: str
    number: int
    registers: frozenset[str]
    locals: frozenset[str] = frozenset()


class _KeptBlocks:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._live = {name: live_before(function) for name, function in program.functions.items()}
        self._blocks = {name: {one.label: one for one in f.blocks} for name, f in program.functions.items()}
        pointer = program.data_model.pointer_bits // 8
        self._locals = {name: PointerLocals(function, pointer) for name, function in program.functions.items()}
        self._once = blocks_made_once(program.functions[program.entry])
        self._calls: dict[str, list[tuple[str, str, int, Call]]] = {}
        self._stores: Counter[str] = Counter()
        self._used: set[str] = set()  # variables and functions whose addresses are used for more
        for name, function in program.functions.items():
            self._look_at(name, function)
        for variable in program.globals.values():
            self._used.update(one.target for one in variable.relocations)
        self._ending = self._ending_functions()

    def _look_at(self, name: str, function: Function) -> None:
        for block in function.blocks:
            for number, instr in enumerate(block.instrs):
                plain = _plain_address(instr)
                rest = all_uses(instr) if plain is None else _stored(instr)
                self._used.update(part.name for expr in rest for part in walk(expr) if isinstance(part, GlobalRef))
                if isinstance(instr, Store) and plain is not None:
                    self._stores[plain.name] += 1
                if isinstance(instr, Call) and isinstance(instr.callee, str):
                    self._calls.setdefault(instr.callee, []).append((name, block.label, number, instr))

    def _ending_functions(self) -> frozenset[str]:
        """Those in which the running thread may end."""
        found: set[str] = set()
        while True:
            more = {
                name
                for name, function in self._program.functions.items()
                if name not in found and any(self._ends(instr, found) for instr in function.instrs())
            }
            if not more:
                return frozenset(found)
            found |= more

    def _ends(self, instr: Instr, ending: Collection[str]) -> bool:
        if isinstance(instr, Call):
            callee = instr.callee
            return callee in ending if isinstance(callee, str) else not self._used.isdisjoint(ending)
        return does(instr, Act.EXIT)

    def unkept(self) -> Alloc | None:
        cancelled = any(does(instr, Act.CANCEL) for instr in self._program.instrs())
        seen: set[_Held] = set()
        for alloc, at in self._allocated():
            if cancelled or not self._is_kept(at, seen):
                return alloc
        return None

    def _is_kept(self, held: _Held, seen: set[_Held]) -> bool:
        todo = [held]
        while todo:
            at = self._needed(todo.pop())
            if at in seen:
                continue
            seen.add(at)
            following = self._after(at) if at.registers or at.locals else None
            if following is None:
                return False
            todo += following
        return True

    def _allocated(self) -> Iterator[tuple[Alloc, _Held]]:
        for name, function in self._program.functions.items():
            for block in function.blocks:
                for number, instr in enumerate(block.instrs):
                    if isinstance(instr, Alloc) and instr.storage is Storage.HEAP:
                        yield instr, _Held(name, block.label, number + 1, frozenset({instr.dst.name}))

    def _needed(self, at: _Held) -> _Held:
        """What nobody reads again is forgotten: it holds nothing."""
        return at._replace(registers=at.registers & self._live[at.function][at.block][at.number])

    def _after(self, at: _Held) -> list[_Held] | None:
        """Who holds the block behind the instruction; nobody has to, if a variable does or it was freed. None: perhaps
        nobody does."""
        instrs = self._blocks[at.function][at.block].instrs
        instr = instrs[at.number]
        if self._publishes(at, instr) or (isinstance(instr, Free) and _in(instr.address, at.registers)):
            return []
        if self._ends(instr, self._ending):
            return None
        if isinstance(instr, Return):
            return self._returned(at, instr)
        if at.number + 1 == len(instrs):
            ways = edges(instr)
            return [_along(at, edge) for edge in ways] or None  # where the program ends, something has to hold it
        return [self._copied(at, instr)._replace(number=at.number + 1)]

    def _copied(self, at: _Held, instr: Instr) -> _Held:
        known, held, in_locals = self._locals[at.function], at.registers, at.locals
        gone = frozenset(one.name for one in defs(instr))
        match instr:
            case Assign() if _in(instr.value, held):
                return at._replace(registers=held | gone)
            case Load() if known.named(instr.address) in in_locals and self._is_pointer(instr.dst):
                return at._replace(registers=held | gone)
            case Store() if (local := known.named(instr.address)) is not None:
                rest = in_locals - {local}
                return at._replace(locals=rest | {local} if _in(instr.value, held) else rest)
            case StackRestore():
                return at._replace(locals=frozenset(one for one in in_locals if known.outlives(one, instr.address)))
            case _:
                return at._replace(registers=held - gone, locals=in_locals - gone)

    def _returned(self, at: _Held, instr: Return) -> list[_Held] | None:
        """To whom: calls through pointers, and threads, are not followed."""
        if instr.value is None or not _in(instr.value, at.registers):
            return None
        if at.function in (self._program.entry, self._program.at_exit) or at.function in self._used:
            return None
        found: list[_Held] = []
        for function, block, number, call in self._calls.get(at.function, []):
            if call.dst is None or not self._is_pointer(call.dst):
                return None
            found.append(_Held(function, block, number + 1, frozenset({call.dst.name})))
        return found

    def _is_pointer(self, expr: Expr) -> bool:
        """By its width."""
        return expr.width == self._program.data_model.pointer_bits

    def _publishes(self, at: _Held, instr: Instr) -> bool:
        plain = _plain_address(instr)
        if not isinstance(instr, Store) or plain is None or not _in(instr.value, at.registers):
            return False
        variable = self._program.globals.get(plain.name)
        if variable is None or variable.lifetime is not Lifetime.PROGRAM or variable.origin is not Origin.HERE:
            return False
        whole = 8 * instr.size == instr.value.width and self._is_pointer(instr.value)
        entry = self._program.entry
        once = at.function == entry and at.block in self._once and entry not in self._used and entry not in self._calls
        return whole and once and self._stores[plain.name] == 1 and plain.name not in self._used


def _along(at: _Held, edge: Edge) -> _Held:
    moved = {dst.name: _in(value, at.registers) for dst, value in edge.moves}
    kept = (one for one in at.registers if one not in moved)
    return at._replace(
        block=edge.target, number=0, registers=frozenset((*kept, *(name for name, holds in moved.items() if holds)))
    )


def _plain_address(instr: Instr) -> GlobalRef | None:
    """The variable that a load or store names."""
    return instr.address if isinstance(instr, Load | Store) and isinstance(instr.address, GlobalRef) else None


def _stored(instr: Instr) -> tuple[Expr, ...]:
    return (instr.value,) if isinstance(instr, Store) else ()


def _in(expr: Expr, registers: frozenset[str]) -> bool:
    return isinstance(expr, Reg) and expr.name in registers
