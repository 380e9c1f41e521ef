"""Which instructions other threads may notice, and which may have to wait or may end the run.

Invariants: what the reference machine stops before, because others could notice it, is `visible`; so is the size of a
heap block, which the machine reads in passing. Everything that can wait, trap or end the run is `visible` or `may_end`.
"""

from __future__ import annotations

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root
from threadproof.automaton.totality import Totality
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.expr import Expr, GlobalRef, PtrAdd, TlsRef
from threadproof.ir.instr import Instr
from threadproof.ir.program import Function, Lifetime, Mutability, Program
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
        return not places or any(self.shared_object(root) for root, _ in places)

    def _global(self, name: str) -> bool:
        variable = self._program.globals.get(name)
        if (
            variable is not None
            and variable.lifetime is Lifetime.PROGRAM
            and variable.mutability is Mutability.CONSTANT
        ):
            return False
        return name not in self._program.unshared

    def shared_object(self, root: Root) -> bool:
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
        self._ends = Totality(program)
        self._cached: dict[Site, tuple[bool, bool]] = {}

    def visible(self, site: Site, instr: Instr) -> bool:
        return self._facts(site, instr)[0]

    def may_end(self, site: Site, instr: Instr) -> bool:
        """Whether the run may end before the instruction is over: by a trap, an assumption, something unsupported."""
        return self._facts(site, instr)[1]

    def _facts(self, site: Site, instr: Instr) -> tuple[bool, bool]:
        found = self._cached.get(site)
        if found is None:
            found = self._cached[site] = (
                self._visible(site.function, instr),
                not self._ends.total(site.function, instr),
            )
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


def _has_shared_locals(function: Function) -> bool:
    return any(
        isinstance(instr, ir.Alloc) and instr.storage is ir.Storage.STACK and instr.name not in function.unshared
        for instr in function.instrs()
    )
