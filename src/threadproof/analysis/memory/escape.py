"""Which stack objects never leave their function: their address is used to access them and for nothing else.

Flow-insensitive and conservative: an address that is stored, returned, turned into a number, or handed to a call that
may keep it, has escaped. Whether a callee keeps a parameter is found by iteration over the call graph.
"""

from __future__ import annotations

from threadproof.ir.expr import Compare, Expr, PtrAdd, Reg, Select, registers
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Call,
    CompareExchange,
    Instr,
    Load,
    Return,
    Rmw,
    StackRestore,
    Storage,
    Store,
    Sync,
    all_uses,
    edges,
)
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import sync_facts

Kept = dict[str, frozenset[int]]
"""Per function, the parameters whose value may outlive the call."""


def unshared_stack(program: Program) -> dict[str, frozenset[str]]:
    """Per function, the names of its stack objects that no other thread can reach."""
    kept = _kept_parameters(program)
    return {name: _private_allocs(function, kept) for name, function in program.functions.items()}


def _kept_parameters(program: Program) -> Kept:
    kept: Kept = {name: frozenset() for name in program.functions}
    changed = True
    while changed:
        changed = False
        for name, function in program.functions.items():
            now = frozenset(
                index
                for index, param in enumerate(function.params)
                if index in kept[name] or _escapes(function, param.name, kept)
            )
            if now != kept[name]:
                kept[name], changed = now, True
    return kept


def _private_allocs(function: Function, kept: Kept) -> frozenset[str]:
    names: dict[str, bool] = {}
    for instr in function.instrs():
        if isinstance(instr, Alloc) and instr.storage is Storage.STACK:
            private = not _escapes(function, instr.dst.name, kept)
            names[instr.name] = names.get(instr.name, True) and private
    return frozenset(name for name, private in names.items() if private and name)


def _escapes(function: Function, root: str, kept: Kept) -> bool:
    derived = _derived(function, root)
    return derived is None or any(_leaks(instr, derived, kept) for instr in function.instrs())


def _derived(function: Function, root: str) -> frozenset[str] | None:
    """Registers that may hold a pointer into the root's object; None if its address becomes a number."""
    derived = {root}
    changed = True
    while changed:
        changed = False
        for instr in function.instrs():
            for target, value in _copies(instr):
                flow = _flow(value, derived)
                if flow is None:
                    return None
                if flow and target not in derived:
                    derived.add(target)
                    changed = True
    return frozenset(derived)


def _copies(instr: Instr) -> list[tuple[str, Expr]]:
    found = [(dst.name, value) for edge in edges(instr) for dst, value in edge.moves]
    if isinstance(instr, Assign):
        found.append((instr.dst.name, instr.value))
    return found


def _flow(value: Expr, derived: set[str]) -> bool | None:
    """Whether the value may be a derived pointer; None if a derived pointer is used as a number."""
    match value:
        case Reg():
            return value.name in derived
        case PtrAdd():
            if _mentions(value.offset, derived):
                return None
            return _flow(value.base, derived)
        case Select():
            if _mentions(value.condition, derived) and not isinstance(value.condition, Compare):
                return None
            then, otherwise = _flow(value.then, derived), _flow(value.otherwise, derived)
            return None if then is None or otherwise is None else then or otherwise
        case Compare():
            return False
        case _:
            return None if _mentions(value, derived) else False


def _mentions(value: Expr, derived: set[str] | frozenset[str]) -> bool:
    return any(name in derived for name in registers(value))


def _leaks(instr: Instr, derived: frozenset[str], kept: Kept) -> bool:
    match instr:
        case Load() | StackRestore():
            return False
        case Store():
            return _mentions(instr.value, derived)
        case Rmw():
            return _mentions(instr.value, derived)
        case CompareExchange():
            return _mentions(instr.expected, derived) or _mentions(instr.desired, derived)
        case Call():
            return _call_leaks(instr, derived, kept)
        case Sync():
            return any(_mentions(instr.args[index], derived) for index in sync_facts(instr).keeps)
        case Assign():
            return False
        case Return():
            return instr.value is not None and _mentions(instr.value, derived)
        case _:
            moved = {id(value) for edge in edges(instr) for _, value in edge.moves}
            return any(
                _mentions(expr, derived)
                for expr in all_uses(instr)
                if id(expr) not in moved and not isinstance(expr, Compare)
            )


def _call_leaks(instr: Call, derived: frozenset[str], kept: Kept) -> bool:
    if not isinstance(instr.callee, str):
        return any(_mentions(arg, derived) for arg in instr.args)
    keeps = kept.get(instr.callee)
    return any(
        _mentions(arg, derived) and (keeps is None or index in keeps or not isinstance(arg, Reg | PtrAdd))
        for index, arg in enumerate(instr.args)
    )
