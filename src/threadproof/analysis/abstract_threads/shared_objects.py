"""Which memory objects more than one thread can know: reachable from globals, arguments of threads, their results."""

from __future__ import annotations

from threadproof.analysis.abstract_threads.threads import ThreadTree
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root
from threadproof.ir.expr import Expr
from threadproof.ir.instr import Return, Sync
from threadproof.sync.facts import Family, sync_facts


def shared_objects(tree: ThreadTree, points_to: PointsTo) -> frozenset[Root]:
    found: set[Root] = set()
    todo = [Root(ObjectKind.GLOBAL, name) for name in tree.program.globals]
    for name in tree.threads:
        for expr in _given(tree, name):
            todo.extend(place.root for place in points_to.expression(name, expr))
    while todo:
        root = todo.pop()
        if root not in found:
            found.add(root)
            todo.extend(place.root for place in points_to.content(root))
    return frozenset(found)


def _given(tree: ThreadTree, name: str) -> list[Expr]:
    """What a thread hands to others without storing it."""
    given: list[Expr] = []
    for instr in tree.program.functions[name].instrs():
        match instr:
            case Sync() if sync_facts(instr).family is not Family.KEY:  # a key's value stays in its thread
                given += [instr.args[kept] for kept in sync_facts(instr).keeps]
            case Return() if instr.value is not None:
                given.append(instr.value)
            case _:
                pass
    return given
