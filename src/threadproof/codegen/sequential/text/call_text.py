"""Calls and returns. A function is entered by `goto`, and left by one to where it was called from."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.plan.threads import FunctionCopy
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.codegen.sequential.text.writer import Writer, from_number
from threadproof.ir import instr as ir


class CallText:
    def __init__(self, writer: Writer) -> None:
        self._to = writer
        self._module, self._lines, self._flow = writer.module, writer.lines, writer.flow

    # --- calls -------------------------------------------------------------------------------------------------------

    def call(self, node: FlowNode, instr: ir.Call) -> None:
        callees = self._flow.callees(node, instr)
        if not callees:
            raise NoC("a call through a pointer to no known function")
        if isinstance(instr.callee, str):
            self._enter(node, instr, callees[0], "")
        else:
            where = self._to.printer.pointer(instr.callee)
            for callee in callees:
                mark = self._module.function_mark(callee.function)
                self._to.put(f"if ((void *){where.inner} == {mark}) {{", instr)
                self._enter(node, instr, callee, "  ")
                self._to.put("}", instr)
            self._to.put("__builtin_unreachable();", instr)
        self._come_back(node, instr, callees)

    def _enter(self, node: FlowNode, instr: ir.Call, callee: FunctionCopy, indent: str) -> None:
        inner = CopyScope(self._module, self._to.thread, callee)
        function = self._module.code.function(callee)
        lines: list[str] = []
        if inner.recursive:
            lines.append(f'if ({inner.depth()} + 1 == DEPTH) beyond("the bound on the depth of recursion");')
        for param, arg in zip(function.params, instr.args, strict=False):
            if param.name in inner.facts.read:
                value = self._to.printer.assigned(arg, inner.kind(param.name))
                lines.append(f"{inner.register(param, ' + 1').text} = {value};")
        if self._asks_where(callee):
            lines.append(f"{inner.return_location(' + 1')} = {self._number(node, callee)};")
        if inner.recursive:
            lines.append(f"{inner.depth()}++;")
        lines.append(f"goto {self._lines.block_label(callee, function.blocks[0].label)};")
        for line in lines:
            self._to.put(indent + line, instr)

    def _come_back(self, node: FlowNode, instr: ir.Call, callees: list[FunctionCopy]) -> None:
        """Where the callees return to."""
        for callee in callees:
            if callee != callees[0]:
                self._to.put(f"goto {self._after(node)};", instr)
            self._lines.label(self._back(node, callee))
            self._take_result(instr, callee)
        if len(callees) > 1:
            self._lines.label(self._after(node))

    def _take_result(self, instr: ir.Call, callee: FunctionCopy) -> None:
        inner = CopyScope(self._module, self._to.thread, callee)
        width = self._module.code.function(callee).result_width
        if instr.dst is not None and self._to.is_read(instr.dst) and width:
            target = self._to.scope.register(instr.dst)
            self._to.put(f"{target.text} = {from_number(target.kind)}{inner.result()};", instr)
        if self._module.forgets and self._asks_where(callee) and not inner.recursive:
            self._to.put(f"{inner.return_location()} = 0;", instr)

    def _after(self, node: FlowNode) -> str:
        name = self._to.thread.name
        return self._module.names.name(("after", self._to.thread.index, node), f"{name}_after_call")

    def _number(self, node: FlowNode, callee: FunctionCopy) -> int:
        return self._flow.callers[callee].index(node) + 1

    def _back(self, node: FlowNode, callee: FunctionCopy) -> str:
        wish = f"{self._to.thread.name}_{callee.function}_back{self._number(node, callee)}"
        return self._module.names.name(("back", self._to.thread.index, node, callee), wish)

    def _asks_where(self, copy: FunctionCopy) -> bool:
        """Whether a function must be told where to return to."""
        return len(self._flow.callers[copy]) > 1 or copy == self._to.thread.copies[0]

    # --- returns -----------------------------------------------------------------------------------------------------

    def give_back(self, node: FlowNode, instr: ir.Return) -> None:
        """Return to one of the callers."""
        copy, scope = node.copy, self._to.scope
        callers = self._flow.callers[copy]
        if instr.value is not None and self._result_is_read(copy):
            self._to.put(f"{scope.result()} = {self._to.printer.unsigned(instr.value).text};", instr)
        if not self._asks_where(copy):
            if scope.recursive:
                self._to.put(f"{scope.depth()}--;", instr)
            self._to.put(f"goto {self._back(callers[0], copy)};", instr)
            return
        self._to.put(f"switch ({scope.return_location('--')}) {{", instr)
        for number, caller in enumerate(callers[:-1], start=1):
            self._to.put(f"case {number}: goto {self._back(caller, copy)};", instr)
        self._to.put(f"default: goto {self._back(callers[-1], copy)};", instr)
        self._to.put("}", instr)

    def _result_is_read(self, copy: FunctionCopy) -> bool:
        if not self._module.code.function(copy).result_width:
            return False
        for caller in self._flow.callers[copy]:
            call = self._flow.nodes[caller]
            assert isinstance(call, ir.Call)
            if call.dst is not None and call.dst.name in self._module.facts(caller.copy.function).read:
                return True
        return False
