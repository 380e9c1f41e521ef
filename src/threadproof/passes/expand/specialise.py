"""Loops that create or join threads are written out where their course is known: blocks are copied per constant.

Paper: N. Jones, C. Gomard, P. Sestoft, Partial Evaluation and Automatic Program Generation, 1993 (polyvariant
specialisation). Differs: only registers that decide about such loops are constants; a block that would need more than
MOST copies forgets the registers in which they differ.
Invariants: every path of the result is a path of the function, and every path of the function is one of the result.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from threadproof.analysis.loops import cycles
from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr, registers
from threadproof.ir.instr import Assign, Branch, Edge, Instr, Jump, Switch, Sync, defs, edges, uses
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Block, Function
from threadproof.ir.simplify import substitute
from threadproof.passes.rewrite import map_expressions

MOST = 20
THREAD_OPERATIONS = ("thread_create", "thread_join", "thread_join_int")

Known = tuple[tuple[str, Const], ...]


def specialise(function: Function) -> Function:
    relevant = _deciding(function)
    if not relevant:
        return function
    forgotten: dict[str, frozenset[str]] = {}
    while True:
        attempt = _Copies(function, relevant, forgotten)
        if attempt.run():
            return replace(function, blocks=tuple(attempt.blocks))
        forgotten = attempt.forgotten


def _deciding(function: Function) -> frozenset[str]:
    """Registers that decide, directly or through others, how a loop with thread operations goes on."""
    component = cycles(function)
    loops = {
        component[block.label]
        for block in function.blocks
        if block.label in component
        and any(isinstance(instr, Sync) and instr.op in THREAD_OPERATIONS for instr in block.instrs)
    }
    wanted = {
        name
        for block in function.blocks
        if component.get(block.label, -1) in loops
        for expr in uses(block.instrs[-1])
        for name in registers(expr)
    }
    sources: dict[str, set[str]] = {}
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, Assign):
                sources.setdefault(instr.dst.name, set()).update(registers(instr.value))
            for edge in edges(instr):
                for dst, value in edge.moves:
                    sources.setdefault(dst.name, set()).update(registers(value))
    todo = list(wanted)
    while todo:
        for name in sources.get(todo.pop(), ()):
            if name not in wanted:
                wanted.add(name)
                todo.append(name)
    return frozenset(wanted)


class _Copies:
    def __init__(self, function: Function, relevant: frozenset[str], forgotten: dict[str, frozenset[str]]) -> None:
        self._by_label = {block.label: block for block in function.blocks}
        self._first = function.blocks[0].label
        self._kept = {
            label: (points[0] & relevant) - forgotten.get(label, frozenset())
            for label, points in live_before(function).items()
        }
        self.forgotten = forgotten
        self.blocks: list[Block] = []
        self._names: dict[tuple[str, Known], str] = {}
        self._versions: dict[str, list[Known]] = {}
        self._todo: deque[tuple[str, Known]] = deque()

    def run(self) -> bool:
        """False if some block needs too many copies; `forgotten` then says more."""
        self._copy(self._first, {})
        while self._todo:
            label, known = self._todo.popleft()
            self.blocks.append(self._specialised(label, known))
            for versions_of, versions in self._versions.items():
                if len(versions) > MOST:
                    self._forget(versions_of, versions)
                    return False
        return True

    def _forget(self, label: str, versions: list[Known]) -> None:
        common = set(versions[0]).intersection(*versions[1:])
        names = frozenset(name for version in versions for name, _ in version)
        kept = {name for name, _ in common}
        self.forgotten = {**self.forgotten, label: self.forgotten.get(label, frozenset()) | (names - kept)}

    def _copy(self, label: str, values: dict[str, Const]) -> str:
        """The name of the copy of a block for these constants."""
        known: Known = tuple(sorted((n, v) for n, v in values.items() if n in self._kept[label]))
        name = self._names.get((label, known))
        if name is None:
            versions = self._versions.setdefault(label, [])
            versions.append(known)
            name = label if len(versions) == 1 else f"{label}@{len(versions)}"
            self._names[(label, known)] = name
            self._todo.append((label, known))
        return name

    def _specialised(self, label: str, known: Known) -> Block:
        block = self._by_label[label]
        values: dict[str, Const] = dict(known)
        for instr in block.instrs[:-1]:
            if isinstance(instr, Assign):
                self._define(values, instr.dst.name, _value(instr.value, values))
            else:
                for reg in defs(instr):
                    values.pop(reg.name, None)
        last = map_expressions(_decided(block.instrs[-1], values), lambda expr: expr, lambda e: self._led(e, values))
        return Block(self._names[(label, known)], (*block.instrs[:-1], last))

    def _define(self, values: dict[str, Const], name: str, value: Const | None) -> None:
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value

    def _led(self, edge: Edge, values: dict[str, Const]) -> Edge:
        after = dict(values)
        for dst, value in edge.moves:
            self._define(after, dst.name, _value(value, values))
        return Edge(self._copy(edge.target, after), edge.moves)


def _value(expr: Expr, values: dict[str, Const]) -> Const | None:
    return constant(substitute(expr, {**values}))


def _decided(instr: Instr, values: dict[str, Const]) -> Instr:
    """A branch whose condition is known only goes one way."""
    match instr:
        case Branch():
            known = _value(instr.condition, values)
            if known is not None:
                return Jump(instr.then if known.value else instr.otherwise, loc=instr.loc)
        case Switch():
            known = _value(instr.value, values)
            if known is not None:
                return Jump(dict(instr.cases).get(known.value, instr.default), loc=instr.loc)
        case _:
            pass
    return instr
