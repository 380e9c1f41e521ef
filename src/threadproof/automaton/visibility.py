"""Which instructions other threads may notice, and which may have to wait or may end the run.

Invariants: what the reference machine stops before, because others could notice it, is `visible`; so is the size of a
heap block, which the machine reads in passing. Everything that can wait, trap or end the run is `visible` or `may_end`.
"""

from __future__ import annotations

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root
from threadproof.ir import instr as ir
from threadproof.ir.constant import constant
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.expr import Const, Expr, GlobalRef, PtrAdd, TlsRef, may_trap
from threadproof.ir.instr import Instr
from threadproof.ir.program import Function, Lifetime, Mutability, Origin, Program
from threadproof.sync.facts import Act, Seen, does, sync_facts


class SharedMemory:
    """Whether another thread could notice an access."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to

    def shared(self, function: str, address: Expr) -> bool:
        base = address
        while isinstance(base, PtrAdd):
            base = base.base
        if isinstance(base, GlobalRef | TlsRef):
            return self._global(base.name)
        if self._points_to.wild:
            return True
        places = self._points_to.expression(function, address)
        return not places or any(self._root(root) for root, _ in places)

    def _global(self, name: str) -> bool:
        variable = self._program.globals.get(name)
        if (
            variable is not None
            and variable.lifetime is Lifetime.PROGRAM
            and variable.mutability is Mutability.CONSTANT
        ):
            return False
        return name not in self._program.unshared

    def _root(self, root: Root) -> bool:
        match root.kind:
            case ObjectKind.STACK:
                assert root.site is not None
                return root.name not in self._program.functions[root.site.function].unshared
            case ObjectKind.GLOBAL | ObjectKind.THREAD_LOCAL:
                return self._global(root.name)
            case _:
                return True


class Visibility:
    def __init__(self, program: Program, points_to: PointsTo, callees: Callees) -> None:
        self._program = program
        self._callees = callees
        self._memory = SharedMemory(program, points_to)
        self._leaves_shared = self._with_shared_locals()
        self._cached: dict[Site, tuple[bool, bool]] = {}

    def visible(self, site: Site, instr: Instr) -> bool:
        return self._facts(site, instr)[0]

    def may_end(self, site: Site, instr: Instr) -> bool:
        """Whether the run may end before the instruction is over: by a trap, an assumption, something unsupported."""
        return self._facts(site, instr)[1]

    def _facts(self, site: Site, instr: Instr) -> tuple[bool, bool]:
        found = self._cached.get(site)
        if found is None:
            found = self._cached[site] = (self._visible(site.function, instr), not self._total(site, instr))
        return found

    def _visible(self, function: str, instr: Instr) -> bool:
        match instr:
            case ir.Load() | ir.Store() | ir.Rmw() | ir.CompareExchange():
                return self._memory.shared(function, instr.address)
            case ir.Alloc():
                return instr.storage is ir.Storage.HEAP
            case ir.Return() | ir.StackRestore():  # locals die, and others may hold their addresses
                return function in self._leaves_shared
            case ir.Sync():
                return sync_facts(instr).seen is Seen.BY_OTHERS and not does(instr, Act.END)
            case ir.Free() | ir.ObjectSize() | ir.Fence():
                return True
            case ir.Error() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                return True
            case _:
                return False

    def _with_shared_locals(self) -> frozenset[str]:
        """Functions that have locals which others may access, or call one: what still points to a dead local keeps it
        on the stack until a function below is left."""
        functions = self._program.functions
        found = {name for name, function in functions.items() if _has_shared_locals(function)}
        while True:
            more = {name for name, f in functions.items() if name not in found and self._calls_one_of(f, found)}
            if not more:
                return frozenset(found)
            found |= more

    def _calls_one_of(self, function: Function, names: set[str]) -> bool:
        calls = ((site, instr) for site, instr in sites(function) if isinstance(instr, ir.Call))
        return any(not names.isdisjoint(self._callees.of(site, call)) for site, call in calls)

    def _total(self, site: Site, instr: Instr) -> bool:
        """Whether the instruction certainly comes to its end. Said only of the common ones where it is plain to see."""
        if any(may_trap(expr) for expr in ir.all_uses(instr)):
            return False
        match instr:
            case ir.Assign() | ir.Nondet() | ir.StackSave() | ir.Jump() | ir.Branch() | ir.Switch() | ir.Return():
                return True
            case ir.Alloc():
                return isinstance(instr.size, Const)
            case ir.Load() | ir.Store():
                return self._in_bounds(instr)
            case ir.Call(callee=str(callee)):
                wide = 0 if instr.dst is None else instr.dst.width
                return self._program.functions[callee].result_width >= wide
            case ir.Sync():
                return does(instr, Act.END)
            case _:
                return False

    def _in_bounds(self, instr: ir.Load | ir.Store) -> bool:
        """Whether the access is to a variable of the program, inside it, and allowed."""
        base, offset = instr.address, 0
        while isinstance(base, PtrAdd):
            by = constant(base.offset)
            if by is None:
                return False
            offset, base = offset + by.value, base.base  # a negative one is a large number, and so out of bounds
        variable = self._program.globals.get(base.name) if isinstance(base, GlobalRef | TlsRef) else None
        if variable is None or variable.origin is Origin.ELSEWHERE:
            return False
        if isinstance(instr, ir.Store):
            number = isinstance(instr.value, Const) or instr.value.width < self._program.data_model.pointer_bits
            if variable.mutability is Mutability.CONSTANT or not number:  # a pointer may point where none can be kept
                return False
        return offset + instr.size <= variable.size


def _has_shared_locals(function: Function) -> bool:
    return any(
        isinstance(instr, ir.Alloc) and instr.storage is ir.Storage.STACK and instr.name not in function.unshared
        for instr in function.instrs()
    )
