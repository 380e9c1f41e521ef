"""Jumps, branches and switches, with the moves on their edges."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.text.dying import Dying
from threadproof.codegen.sequential.text.peephole import Goto, only_goto
from threadproof.codegen.sequential.text.writer import Writer
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr, may_trap, opposite, registers
from threadproof.ir.instr import Edge
from threadproof.ir.simplify import substitute


class ControlText:
    def __init__(self, writer: Writer, dying: Dying | None) -> None:
        self._to, self._dying = writer, dying
        self._printer = writer.printer

    def write(self, node: FlowNode, instr: ir.Jump | ir.Branch | ir.Switch, following: str | None) -> None:
        match instr:
            case ir.Jump():
                way = self._way(node, instr.edge, following)
                if way:
                    self._to.put(way, instr)
                self._to.lines.falling = instr.edge.target == following and not _leaves(way)
            case ir.Branch():
                self._branch(node, instr, following)
            case ir.Switch():
                self._switch(node, instr)

    def _branch(self, node: FlowNode, instr: ir.Branch, following: str | None) -> None:
        then, otherwise = self._way(node, instr.then, following), self._way(node, instr.otherwise, following)
        if then:
            self._put_if(instr.condition, then, instr)
            if otherwise and _leaves(then):
                self._to.put(otherwise, instr)
            elif otherwise:
                self._to.put(f"else {{ {otherwise} }}", instr)
        elif otherwise:
            self._put_if(opposite(instr.condition), otherwise, instr)
        self._to.lines.falling = not (_leaves(then) and _leaves(otherwise))

    def _put_if(self, condition: Expr, way: str, instr: ir.Branch) -> None:
        text = self._printer.condition(condition)
        if not may_trap(condition) and (target := only_goto(way)):
            otherwise = self._printer.condition(opposite(condition))
            self._to.lines.append(Goto(target, instr.loc, text, otherwise))
        else:
            self._to.put(f"if ({text}) {{ {way} }}", instr)

    def _switch(self, node: FlowNode, instr: ir.Switch) -> None:
        self._to.put(f"switch ({self._printer.unsigned(instr.value).text}) {{", instr)
        width = instr.value.width
        for value, edge in instr.cases:
            number = f"{value & ((1 << width) - 1)}{'ull' if width > 32 else 'u'}"
            self._to.put(f"case {number}: {self._way(node, edge, None)}", instr)
        self._to.put(f"default: {self._way(node, instr.default, None)}", instr)
        self._to.put("}", instr)
        self._to.lines.falling = False

    def _way(self, node: FlowNode, edge: Edge, following: str | None) -> str:
        """All that is done on the way to a block; empty if it is nothing, and the block the next."""
        forgotten = [] if self._dying is None else self._dying.on_edge(node, edge)
        dead = [self._to.forget(name) for name in forgotten]
        return " ".join([*self._moves(edge), *dead, self._to.lines.jump(node, edge, following)]).strip()

    def _moves(self, edge: Edge) -> list[str]:
        """Parallel moves in an order that no move disturbs; where they go in a circle, one value is put aside."""
        todo = [(dst, value) for dst, value in edge.moves if self._to.is_read(dst) and value != dst]
        lines: list[str] = []
        while todo:
            free = [m for m in todo if not any(m[0].name in registers(v) for d, v in todo if d != m[0])]
            if not free:
                first = todo[0][0]
                aside = self._to.scope.aside(first)
                lines.append(f"{self._to.scope.register(aside).text} = {self._to.scope.register(first).text};")
                todo = [(dst, substitute(value, {first.name: aside})) for dst, value in todo]
                continue
            dst, value = free[0]
            target = self._to.scope.register(dst)
            lines.append(f"{target.text} = {self._printer.assigned(value, target.kind)};")
            todo.remove(free[0])
        return lines


def _leaves(way: str) -> bool:
    return way.endswith("continue;") or "goto " in way
