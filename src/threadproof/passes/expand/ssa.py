"""Static single assignment: every register is written once; values of several origins meet on edges.

Paper: M. Braun et al., Simple and Efficient Construction of Static Single Assignment Form, CC 2013.
Differs: registers meet wherever several edges enter a block and they are live; phis that only repeat one value are
removed afterwards (their Alg. 3).
Invariants: afterwards every register has one definition, which comes before its uses on every path; a register no
path defines keeps its name and has none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr, GlobalRef, Reg
from threadproof.ir.instr import Assign, Edge, Instr, Jump, defs, edges
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Block, Function
from threadproof.ir.simplify import substitute
from threadproof.passes.expand.rename import renamed
from threadproof.passes.rewrite import map_expressions

START = "<start>"


def single_assignment(function: Function) -> Function:
    return _without_copies(_assigned(_Builder(_reachable(function)).run()))


def _reachable(function: Function) -> Function:
    """With a first block nothing jumps to, without blocks nothing reaches, in an order where most definitions come
    before their uses."""
    by_label = {block.label: block for block in function.blocks}
    first = function.blocks[0].label
    order: list[str] = []
    seen = {first}
    stack = [(first, iter(edges(by_label[first].instrs[-1])))]
    while stack:
        label, following = stack[-1]
        edge = next(following, None)
        if edge is None:
            order.append(label)
            stack.pop()
        elif edge.target not in seen:
            seen.add(edge.target)
            stack.append((edge.target, iter(edges(by_label[edge.target].instrs[-1]))))
    blocks = tuple(by_label[label] for label in reversed(order))
    if first != START:
        blocks = (Block(START, (Jump(Edge(first), loc=function.loc),)), *blocks)
    return replace(function, blocks=blocks)


@dataclass(slots=True)
class _Builder:
    function: Function
    counts: Counter[str] = field(default_factory=Counter[str])
    entry: dict[str, dict[str, Reg]] = field(default_factory=dict[str, dict[str, Reg]])
    leaving: dict[str, dict[str, Reg]] = field(default_factory=dict[str, dict[str, Reg]])
    merged: dict[str, list[Reg]] = field(default_factory=dict[str, list[Reg]])  # per block: originals with a phi

    def run(self) -> Function:
        live = {label: points[0] for label, points in live_before(self.function).items()}
        incoming: dict[str, list[tuple[str, Edge]]] = {block.label: [] for block in self.function.blocks}
        for block in self.function.blocks:
            for edge in edges(block.instrs[-1]):
                incoming[edge.target].append((block.label, edge))
        widths = self._widths()
        renamed_blocks: list[Block] = []
        for block in self.function.blocks:
            self._open(block.label, incoming[block.label], live[block.label], widths)
            renamed_blocks.append(self._rename(block))
        blocks = tuple(self._with_phis(block) for block in renamed_blocks)
        return replace(self.function, blocks=blocks)

    def _widths(self) -> dict[str, int]:
        found = {param.name: param.width for param in self.function.params}
        for instr in self.function.instrs():
            found.update((reg.name, reg.width) for reg in defs(instr))
            for edge in edges(instr):
                found.update((dst.name, dst.width) for dst, _ in edge.moves)
        return found

    def _fresh(self, reg: Reg) -> Reg:
        self.counts[reg.name] += 1
        number = self.counts[reg.name]
        return Reg(reg.name if number == 1 else f"{reg.name}'{number}", reg.width)

    def _open(self, label: str, incoming: list[tuple[str, Edge]], live: frozenset[str], widths: dict[str, int]) -> None:
        """The names with which a block starts: its own phis where several values may meet."""
        if not incoming:
            self.counts.update(param.name for param in self.function.params)
            self.entry[label] = {param.name: param for param in self.function.params}
            return
        moved = {dst.name for _, edge in incoming for dst, _ in edge.moves}
        only = self.leaving.get(incoming[0][0]) if len(incoming) == 1 else None
        names: dict[str, Reg] = {}
        self.merged[label] = []
        for name in sorted(live):
            if name not in widths:
                continue
            if only is not None and name not in moved:
                if name in only:
                    names[name] = only[name]
            else:
                original = Reg(name, widths[name])
                names[name] = self._fresh(original)
                self.merged[label].append(original)
        self.entry[label] = names

    def _rename(self, block: Block) -> Block:
        names = dict(self.entry[block.label])
        out: list[Instr] = []
        for instr in block.instrs:
            replacement: dict[str, Expr] = dict(names)

            def read(expr: Expr, current: dict[str, Expr] = replacement) -> Expr:
                return substitute(expr, current)

            def write(reg: Reg) -> Reg:
                names[reg.name] = self._fresh(reg)
                return names[reg.name]

            out.append(renamed(instr, read, write, lambda edge: edge))
        self.leaving[block.label] = names
        return replace(block, instrs=tuple(out))

    def _with_phis(self, block: Block) -> Block:
        names = self.leaving[block.label]

        def complete(edge: Edge) -> Edge:
            given = {dst.name: value for dst, value in edge.moves}
            moves: list[tuple[Reg, Expr]] = []
            for original in self.merged[edge.target]:
                value = given.get(original.name) or names.get(original.name)
                if value is not None:
                    moves.append((self.entry[edge.target][original.name], value))
            return Edge(edge.target, tuple(moves))

        last = map_expressions(block.instrs[-1], lambda expr: expr, complete)
        return replace(block, instrs=(*block.instrs[:-1], last))


def _assigned(function: Function) -> Function:
    """Where only one edge enters a block its moves are plain assignments."""
    arrivals: Counter[str] = Counter(edge.target for block in function.blocks for edge in edges(block.instrs[-1]))
    first: dict[str, tuple[Instr, ...]] = {}

    def emptied(edge: Edge) -> Edge:
        if arrivals[edge.target] != 1 or not edge.moves:
            return edge
        first[edge.target] = tuple(Assign(dst, value) for dst, value in edge.moves)
        return Edge(edge.target)

    lasts = [map_expressions(block.instrs[-1], lambda expr: expr, emptied) for block in function.blocks]
    blocks = tuple(
        replace(block, instrs=(*first.get(block.label, ()), *block.instrs[:-1], last))
        for block, last in zip(function.blocks, lasts, strict=True)
    )
    return replace(function, blocks=blocks)


def _without_copies(function: Function) -> Function:
    """Phis that only ever repeat one value disappear; so do copies of registers and constants."""
    while True:
        replacement = _repeated(function)
        if not replacement:
            return function
        function = _replaced(function, replacement)


def _repeated(function: Function) -> dict[str, Expr]:
    incoming: dict[str, set[Expr]] = {}
    arrivals: Counter[str] = Counter(edge.target for block in function.blocks for edge in edges(block.instrs[-1]))
    moves: Counter[str] = Counter()
    where: dict[str, str] = {}
    for block in function.blocks:
        for edge in edges(block.instrs[-1]):
            for dst, value in edge.moves:
                moves[dst.name] += 1
                where[dst.name] = edge.target
                if value != dst:
                    incoming.setdefault(dst.name, set()).add(value)
    found = _copies(function)
    for name, values in incoming.items():
        if len(values) == 1 and moves[name] == arrivals[where[name]]:
            value = _last(next(iter(values)), found)
            if isinstance(value, Reg | Const | GlobalRef) and value != Reg(name, value.width):
                found[name] = value
    return {name: _last(value, found) for name, value in found.items()}


def _copies(function: Function) -> dict[str, Expr]:
    """Registers that are assigned another register or a constant."""
    found: dict[str, Expr] = {}
    for instr in function.instrs():
        if isinstance(instr, Assign):
            value = _last(constant(instr.value) or instr.value, found)
            if isinstance(value, Reg | Const | GlobalRef) and value != instr.dst:
                found[instr.dst.name] = value
    return found


def _last(value: Expr, found: dict[str, Expr]) -> Expr:
    """Where a chain of replacements ends."""
    while isinstance(value, Reg) and value.name in found:
        value = found[value.name]
    return value


def _replaced(function: Function, replacement: dict[str, Expr]) -> Function:
    def read(expr: Expr) -> Expr:
        return constant(replaced := substitute(expr, replacement)) or replaced

    def drop(edge: Edge) -> Edge:
        return Edge(edge.target, tuple((dst, value) for dst, value in edge.moves if dst.name not in replacement))

    def gone(instr: Instr) -> bool:
        return isinstance(instr, Assign) and instr.dst.name in replacement

    blocks = tuple(
        replace(block, instrs=tuple(map_expressions(i, read, drop) for i in block.instrs if not gone(i)))
        for block in function.blocks
    )
    return replace(function, blocks=blocks)
