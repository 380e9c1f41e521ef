"""Paths that differ in what threads do are told apart: blocks are copied per known constant and condition.

Paper: N. Jones, C. Gomard, P. Sestoft, Partial Evaluation and Automatic Program Generation, 1993 (polyvariant
specialisation). Differs: only registers that matter are constants (`deciding.py`); a block that would need more than
MOST copies forgets what they differ in. Besides constants, the outcome of a condition that is asked again is known.
Invariants: every path of the result is a path of the function, and every path of the function is one of the result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr
from threadproof.ir.instr import Assign, Branch, Edge, Instr, Jump, Switch, defs
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Block, Function
from threadproof.ir.simplify import substitute
from threadproof.passes.expand.deciding import Deciding, Splitting, deciding
from threadproof.passes.rewrite import map_expressions

MOST = 20
RESTARTS = 60

Known = tuple[tuple[str, Const], ...]


def specialise(function: Function, splitting: Splitting) -> Function:
    what = deciding(function, splitting)
    if not what.registers and not what.asked:
        return function
    forgotten: dict[str, frozenset[str]] = {}
    for _ in range(RESTARTS):
        attempt = _Copies(function, what, forgotten)
        if attempt.run():
            return replace(function, blocks=tuple(attempt.blocks))
        forgotten = attempt.forgotten
    return function


class _Copies:
    def __init__(self, function: Function, what: Deciding, forgotten: dict[str, frozenset[str]]) -> None:
        self._by_label = {block.label: block for block in function.blocks}
        self._first = function.blocks[0].label
        self._what = what
        self._kept = {
            label: ((points[0] & what.registers) | what.asked_after[label]) - forgotten.get(label, frozenset())
            for label, points in live_before(function).items()
        }
        self.forgotten = forgotten
        self.blocks: list[Block] = []
        self._names: dict[tuple[str, Known], str] = {}
        self._versions: dict[str, list[Known]] = {}
        self._todo: deque[tuple[str, Known]] = deque()
        self._full: str | None = None

    def run(self) -> bool:
        """False if some block needs too many copies; `forgotten` then says more."""
        self._copy(self._first, {})
        while self._todo:
            label, known = self._todo.popleft()
            self.blocks.append(self._specialised(label, known))
            if self._full is not None:
                self._forget(self._full, self._versions[self._full])
                return False
        return True

    def _forget(self, label: str, versions: list[Known]) -> None:
        common = set(versions[0]).intersection(*versions[1:])
        names = frozenset(name for version in versions for name, _ in version)
        kept = {name for name, _ in common}
        self.forgotten = {**self.forgotten, label: self.forgotten.get(label, frozenset()) | (names - kept)}

    def _copy(self, label: str, values: dict[str, Const]) -> str:
        """The name of the copy of a block for these constants."""
        known: Known = tuple(sorted(((n, v) for n, v in values.items() if n in self._kept[label]), key=_by_name))
        name = self._names.get((label, known))
        if name is None:
            versions = self._versions.setdefault(label, [])
            versions.append(known)
            if len(versions) > MOST:
                self._full = label
            name = label if len(versions) == 1 else f"{label}@{len(versions)}"
            self._names[(label, known)] = name
            self._todo.append((label, known))
        return name

    def _specialised(self, label: str, known: Known) -> Block:
        block = self._by_label[label]
        values: dict[str, Const] = dict(known)
        for instr in block.instrs[:-1]:
            if isinstance(instr, Assign):
                _define(values, instr.dst.name, _value(instr.value, values))
            else:
                for reg in defs(instr):
                    values.pop(reg.name, None)
        asked = self._what.asked.get(label)
        last = self._led(_decided(block.instrs[-1], values, asked), values, asked)
        return Block(self._names[(label, known)], (*block.instrs[:-1], last))

    def _led(self, last: Instr, values: dict[str, Const], asked: tuple[str, bool] | None) -> Instr:
        """The last instruction with its edges leading to the right copies."""
        if isinstance(last, Branch) and asked is not None:
            name, plain = asked
            then = self._edge(last.then, values, [(name, Const(int(plain), 1))])
            other = self._edge(last.otherwise, values, [(name, Const(int(not plain), 1))])
            return replace(last, then=then, otherwise=other)
        return map_expressions(last, lambda expr: expr, lambda edge: self._edge(edge, values, ()))

    def _edge(self, edge: Edge, values: dict[str, Const], learnt: Iterable[tuple[str, Const]]) -> Edge:
        after = {**values, **dict(learnt)}
        for dst, value in edge.moves:
            _define(after, dst.name, _value(value, values))
        return Edge(self._copy(edge.target, after), edge.moves)


def _by_name(item: tuple[str, Const]) -> str:
    return item[0]


def _define(values: dict[str, Const], name: str, value: Const | None) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


def _value(expr: Expr, values: dict[str, Const]) -> Const | None:
    return constant(substitute(expr, {**values}))


def _decided(instr: Instr, values: dict[str, Const], asked: tuple[str, bool] | None) -> Instr:
    """A branch whose condition is known only goes one way."""
    match instr:
        case Branch():
            known = _value(instr.condition, values)
            if known is None and asked is not None and asked[0] in values:
                known = Const(int(bool(values[asked[0]].value) is asked[1]), 1)
            if known is not None:
                return Jump(instr.then if known.value else instr.otherwise, loc=instr.loc)
        case Switch():
            known = _value(instr.value, values)
            if known is not None:
                return Jump(dict(instr.cases).get(known.value, instr.default), loc=instr.loc)
        case _:
            pass
    return instr
