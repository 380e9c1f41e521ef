"""Which global variables can never be in contention: nobody writes them, or only main's own code uses them.

Only variables that are always accessed by name count; one whose address is a value anywhere may be used by anyone.
"""

from __future__ import annotations

from threadproof.analysis.control.call_graph import address_taken, reachable
from threadproof.ir.expr import Expr, GlobalRef, PtrAdd, TlsRef, walk
from threadproof.ir.instr import CompareExchange, Instr, Load, Rmw, Store, Sync, all_uses
from threadproof.ir.program import Lifetime, Program
from threadproof.sync.facts import sync_facts


def unshared_globals(program: Program) -> frozenset[str]:
    uses = _Uses(program)
    others = reachable(program, address_taken(program))  # code that threads other than main may run
    found: set[str] = set()
    for name, variable in program.globals.items():
        if name in uses.escaped:
            continue
        owned = variable.lifetime is Lifetime.THREAD
        read_only = name not in uses.written
        only_main = not (uses.users.get(name, set()) & others)
        if owned or read_only or only_main:
            found.add(name)
    return frozenset(found)


class _Uses:
    """How each global is used over the whole program."""

    def __init__(self, program: Program) -> None:
        self.escaped = {r.target for g in program.globals.values() for r in g.relocations}
        self.written: set[str] = set()
        self.users: dict[str, set[str]] = {}
        for function in program.functions.values():
            for instr in function.instrs():
                self._note(function.name, instr)

    def _note(self, function: str, instr: Instr) -> None:
        direct = _direct_access(instr)
        for name, writes in direct:
            self.users.setdefault(name, set()).add(function)
            if writes:
                self.written.add(name)
        allowed = [name for name, _ in direct]
        for expr in all_uses(instr):
            for part in walk(expr):
                if isinstance(part, GlobalRef | TlsRef):
                    if part.name in allowed:
                        allowed.remove(part.name)
                    else:
                        self.escaped.add(part.name)


def _direct_access(instr: Instr) -> list[tuple[str, bool]]:
    """Globals the instruction accesses by name, and whether it may write them."""
    match instr:
        case Load():
            places = [(instr.address, False)]
        case Store() | Rmw() | CompareExchange():
            places = [(instr.address, True)]
        case Sync():
            keeps = sync_facts(instr).keeps
            places = [(arg, True) for index, arg in enumerate(instr.args) if index not in keeps]
        case _:
            places = []
    return [(name, writes) for expr, writes in places if (name := _base(expr)) is not None]


def _base(expr: Expr) -> str | None:
    while isinstance(expr, PtrAdd):
        expr = expr.base
    return expr.name if isinstance(expr, GlobalRef | TlsRef) else None
