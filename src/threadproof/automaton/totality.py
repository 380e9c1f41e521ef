"""Which instructions certainly come to their end: no trap, no waiting, nothing unsupported.

Said only of the common ones where it is plain to see.
"""

from __future__ import annotations

from threadproof.ir import instr as ir
from threadproof.ir.constant import constant
from threadproof.ir.expr import Binary, Compare, Const, Expr, GlobalRef, PtrAdd, Reg, TlsRef, may_trap
from threadproof.ir.instr import Instr
from threadproof.ir.program import Mutability, Origin, Program
from threadproof.sync.facts import Act, does


class Totality:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._pointer = program.data_model.pointer_bits
        self._definitions: dict[str, dict[str, list[Instr | Expr]]] = {}

    def total(self, function: str, instr: Instr) -> bool:
        if any(may_trap(expr) for expr in ir.all_uses(instr)):
            return False
        match instr:
            case ir.Assign() | ir.Nondet() | ir.StackSave() | ir.Jump() | ir.Branch() | ir.Switch() | ir.Return():
                return True
            case ir.Alloc():
                return isinstance(instr.size, Const)
            case ir.Load():
                return self._in_bounds(function, instr.address, instr.size, writes=False)
            case ir.Store() | ir.Rmw() | ir.CompareExchange():
                value = instr.desired if isinstance(instr, ir.CompareExchange) else instr.value
                inside = self._in_bounds(function, instr.address, instr.size, writes=True)
                return inside and self._is_number(function, value, ())
            case ir.Call(callee=str(callee)):
                wide = 0 if instr.dst is None else instr.dst.width
                return self._program.functions[callee].result_width >= wide
            case ir.Sync() if does(instr, Act.CREATE):
                routine = instr.args[1]
                known = isinstance(routine, GlobalRef) and routine.name in self._program.functions
                return known and self._in_bounds(function, instr.args[0], self._pointer // 8, writes=True)
            case ir.Sync():
                return does(instr, Act.END)
            case _:
                return False

    def _in_bounds(self, function: str, address: Expr, size: int, *, writes: bool) -> bool:
        """Whether the access is to a variable of the program, inside it, and allowed."""
        base, offset = address, 0
        while isinstance(base, PtrAdd):
            by = constant(base.offset)
            if by is None:
                return False
            offset, base = offset + by.value, base.base  # a negative one is a large number, and so out of bounds
        if isinstance(base, Reg):
            local = self._local(function, base.name)
            return local is not None and offset + size <= local
        variable = self._program.globals.get(base.name) if isinstance(base, GlobalRef | TlsRef) else None
        if variable is None or variable.origin is Origin.ELSEWHERE:
            return False
        return offset + size <= variable.size and not (writes and variable.mutability is Mutability.CONSTANT)

    def _local(self, function: str, register: str) -> int | None:
        """The size of the local whose address the register always is; none in functions that end locals early."""
        match self._defined(function, register):
            case [ir.Alloc(storage=ir.Storage.STACK, size=Const(value=size))]:
                body = self._program.functions[function]
                return None if any(isinstance(instr, ir.StackRestore) for instr in body.instrs()) else size
            case _:
                return None

    def _is_number(self, function: str, value: Expr, above: tuple[str, ...]) -> bool:
        """Whether it is surely no pointer far outside its object, which cannot be stored. Memory holds none, and
        arithmetic refuses them."""
        if value.width < self._pointer:
            return True
        match value:
            case Const() | Binary() | Compare():
                return True
            case Reg() if value.name in above:
                return True
            case Reg():
                found = self._defined(function, value.name)
                return bool(found) and all(self._gives_number(function, one, (*above, value.name)) for one in found)
            case _:
                return False

    def _gives_number(self, function: str, definition: Instr | Expr, above: tuple[str, ...]) -> bool:
        match definition:
            case ir.Load() | ir.Rmw() | ir.CompareExchange() | ir.Nondet():
                return True
            case ir.Assign():
                return self._is_number(function, definition.value, above)
            case _:
                return isinstance(definition, Expr) and self._is_number(function, definition, above)

    def _defined(self, function: str, register: str) -> list[Instr | Expr]:
        """All that gives the register a value; nothing for parameters."""
        found = self._definitions.get(function)
        if found is None:
            body = self._program.functions[function]
            found = self._definitions[function] = {}
            for instr in body.instrs():
                for reg in ir.defs(instr):
                    found.setdefault(reg.name, []).append(instr)
                for edge in ir.edges(instr):
                    for dst, value in edge.moves:
                        found.setdefault(dst.name, []).append(value)
            for param in body.params:
                found.pop(param.name, None)
        return found.get(register, [])
