"""Loops that count: `for (i = first; i < bound; i += step)`, seen in single assignment form.

Invariants: in one execution of the loop the counter takes strictly increasing values (it is below `bound` before every
increment, and does not wrap), once per round; the loop is entered at most once per thread, because it is a whole
strongly connected component; it is left through `leaving` only when the counter has reached the bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.analysis.control.loops import cycles
from threadproof.analysis.values.symbolic import Symbols
from threadproof.core.graph import components
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, Expr, Reg, registers
from threadproof.ir.instr import Branch, defs, edges
from threadproof.ir.program import Function


@dataclass(frozen=True, slots=True)
class CountedLoop:
    header: str
    blocks: frozenset[str]
    counter: Reg
    firsts: frozenset[Expr]  # values with which it is entered
    step: int
    bound: Expr
    order: CompareOp  # how the counter is compared with it
    leaving: str  # the block after it
    defined: frozenset[str]  # registers that change inside

    def is_counter(self, symbol: Expr) -> bool:
        """Whether the symbol is the counter, or the counter made wider."""
        if isinstance(symbol, Convert) and symbol.width >= symbol.operand.width:
            symbol = symbol.operand
        return symbol == self.counter

    def is_fixed(self, expr: Expr) -> bool:
        return not self.defined & set(registers(expr))


def counted_loops(function: Function, symbols: Symbols) -> dict[str, CountedLoop]:
    """For each block of a counted loop, that loop."""
    by_component: dict[int, set[str]] = {}
    for label, number in cycles(function).items():
        by_component.setdefault(number, set()).add(label)
    found: dict[str, CountedLoop] = {}
    for blocks in by_component.values():
        loop = _counted(function, symbols, frozenset(blocks))
        if loop is not None:
            found.update(dict.fromkeys(blocks, loop))
    return found


def once_per_round(function: Function, loop: CountedLoop, label: str) -> bool:
    """Whether a block is executed at most once per round: it lies on no cycle that leaves out the header."""
    return not _cyclic(function, loop.blocks - {loop.header}, label)


def every_round(function: Function, loop: CountedLoop, label: str) -> bool:
    """Whether every round executes the block: without it, no cycle leads through the header."""
    return label == loop.header or not _cyclic(function, loop.blocks - {label}, loop.header)


def _cyclic(function: Function, blocks: frozenset[str], label: str) -> bool:
    following = {
        b.label: tuple(dict.fromkeys(e.target for e in edges(b.instrs[-1]) if e.target in blocks))
        for b in function.blocks
        if b.label in blocks
    }
    return any(
        label in component and (len(component) > 1 or label in following[label]) for component in components(following)
    )


def _counted(function: Function, symbols: Symbols, blocks: frozenset[str]) -> CountedLoop | None:
    entries = {e.target for b in function.blocks if b.label not in blocks for e in edges(b.instrs[-1])} & blocks
    if len(entries) != 1:
        return None
    header = next(iter(entries))
    test = _test(function, symbols, header, blocks)
    if test is None:
        return None
    counter, bound, order, leaving = test
    firsts: set[Expr] = set()
    steps: set[int] = set()
    for label, value in _arriving(function, header, counter):
        step = _increment(symbols.expand(value), counter) if label in blocks else None
        if label not in blocks:
            firsts.add(symbols.expand(value))
        elif step is None:
            return None
        else:
            steps.add(step)
    defined = frozenset(
        name for b in function.blocks if b.label in blocks for i in b.instrs for name in _defined(i, blocks)
    )
    if not firsts or len(steps) != 1 or defined & set(registers(bound)) or _may_wrap(max(steps), bound, order):
        return None
    return CountedLoop(
        header, blocks, counter, frozenset(firsts), steps.pop(), bound, order, leaving, defined | {counter.name}
    )


def _may_wrap(step: int, bound: Expr, order: CompareOp) -> bool:
    """A counter below its bound can be increased by one; by more only if the bound is known and far enough away."""
    if step == 1:
        return False
    top = (1 << (bound.width - (order is CompareOp.SLT))) - 1
    return not isinstance(bound, Const) or bound.value - 1 + step > top


def _defined(instr: object, blocks: frozenset[str]) -> Iterator[str]:
    for reg in defs(instr):  # type: ignore[arg-type]
        yield reg.name
    for edge in edges(instr):  # type: ignore[arg-type]
        if edge.target in blocks:
            for dst, _ in edge.moves:
                yield dst.name


def _test(
    function: Function, symbols: Symbols, header: str, blocks: frozenset[str]
) -> tuple[Reg, Expr, CompareOp, str] | None:
    """The header's question: the counter, its bound, and where the loop is left."""
    last = function.block(header).instrs[-1]
    if not isinstance(last, Branch) or (last.then.target in blocks) == (last.otherwise.target in blocks):
        return None
    stays = last.then.target in blocks
    match symbols.expand(last.condition):
        case Compare(op=CompareOp.SLT | CompareOp.ULT as order, left=Reg() as counter, right=bound) if stays:
            return counter, bound, order, last.otherwise.target
        case Compare(op=CompareOp.SLE | CompareOp.ULE as order, left=bound, right=Reg() as counter) if not stays:
            below = CompareOp.SLT if order is CompareOp.SLE else CompareOp.ULT
            return counter, bound, below, last.then.target
        case _:
            return None


def _arriving(function: Function, header: str, counter: Reg) -> Iterator[tuple[str, Expr]]:
    """The counter's value on every edge into the header; itself where the edge does not say."""
    for block in function.blocks:
        for edge in edges(block.instrs[-1]):
            if edge.target == header:
                yield block.label, dict(edge.moves).get(counter, counter)


def _increment(value: Expr, counter: Reg) -> int | None:
    match value:
        case Binary(op=BinaryOp.ADD, left=left, right=Const(value=step)) if left == counter:
            return step if 0 < step < 1 << 16 else None
        case _:
            return None
