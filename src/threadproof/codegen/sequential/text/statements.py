"""Instructions as C statements: which file writes what, and what there is no C for."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.text.call_text import CallText
from threadproof.codegen.sequential.text.choice_text import choose
from threadproof.codegen.sequential.text.control_text import ControlText
from threadproof.codegen.sequential.text.creation_text import end_thread
from threadproof.codegen.sequential.text.dying import Dying
from threadproof.codegen.sequential.text.memory_text import MemoryText
from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.codegen.sequential.text.sync_calls import SyncCalls
from threadproof.codegen.sequential.text.thread_lines import ThreadLines
from threadproof.codegen.sequential.text.writer import Writer
from threadproof.ir import instr as ir
from threadproof.ir.expr import may_trap, opposite
from threadproof.ir.instr import Instr


class Statements:
    """The statements of one copy of a function."""

    def __init__(self, lines: ThreadLines, scope: CopyScope) -> None:
        self._lines = lines
        self._to = Writer(lines, scope)
        self._dying = Dying(lines.flow, lines.stops, scope.copy, lines.module) if lines.module.forgets else None
        self._memory = MemoryText(self._to)
        self._control = ControlText(self._to, self._dying)
        self._calls = CallText(self._to)
        self._syncs = SyncCalls(self._to)

    def write(self, node: FlowNode, instr: Instr, following: str | None) -> None:
        self._lines.falling = True
        try:
            self._write(node, instr, following)
            if self._dying is not None and self._lines.falling and not isinstance(instr, ir.ENDS_BLOCK):
                for name in self._dying.after(node, instr):
                    self._to.put(self._to.forget(name), instr)
        except NoC as missing:
            self._to.module.without_c[node.site] = str(missing)

    def _write(self, node: FlowNode, instr: Instr, following: str | None) -> None:
        match instr:
            case ir.Jump() | ir.Branch() | ir.Switch():
                self._control.write(node, instr, following)
            case ir.Call():
                self._calls.call(node, instr)
            case ir.Return():
                self._return(node, instr)
            case ir.Sync():
                self._syncs.write(node, instr)
            case ir.Assume():
                self._assume(node, instr)
            case ir.Error() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                self._end(instr)
            case ir.Nondet():
                choose(self._to, instr)
            case ir.Assign():
                self._assign(instr)
            case _:
                self._in_memory(node, instr)

    def _in_memory(self, node: FlowNode, instr: Instr) -> None:
        match instr:
            case ir.Load():
                self._memory.load(instr)
            case ir.Store():
                self._memory.store(instr)
            case ir.Rmw():
                self._memory.rmw(instr)
            case ir.CompareExchange():
                self._memory.compare_exchange(instr)
            case ir.Alloc():
                self._memory.alloc(node, instr)
            case ir.ObjectSize():
                self._memory.object_size(instr)
            case ir.Free():
                self._memory.free(instr)
            case ir.StackSave() | ir.StackRestore() | ir.Fence():
                pass
            case _:
                raise NoC(f"the instruction {type(instr).__name__}")

    def _assign(self, instr: ir.Assign) -> None:
        if self._to.is_read(instr.dst):
            value = self._to.printer.assigned(instr.value, self._to.scope.kind(instr.dst.name))
            self._to.put(f"{self._to.scope.register(instr.dst).text} = {value};", instr)
        elif may_trap(instr.value):
            self._to.put(f"(void)({self._to.printer.value(instr.value).text});", instr)

    def _return(self, node: FlowNode, instr: ir.Return) -> None:
        """To a caller; from the start routine, to the end of the thread."""
        starts, called = node.copy == self._to.thread.copies[0], bool(self._to.flow.callers[node.copy])
        self._lines.falling = False
        if starts and called:
            self._to.put(f"if (!{self._to.scope.return_location()}) {{", instr)
        if starts and not self._to.thread.index:
            self._to.put("return 0;", instr)
        elif starts:
            end_thread(self._to, instr.value, instr)
        if starts and called:
            self._to.put("}", instr)
        if called:
            self._calls.give_back(node, instr)

    def _assume(self, node: FlowNode, instr: ir.Assume) -> None:
        """Until a thread whose assumption has failed moves, the others go on."""
        if node in self._to.stops.solo or self._to.flow.atomic(node):
            self._to.put(f"assume({self._to.printer.condition(instr.condition)});", instr)
            return
        fails = self._to.printer.condition(opposite(instr.condition))
        self._to.put(f"if ({fails}) {{ {self._lines.leave(self._to.stops.ending)} }}", instr)

    def _end(self, instr: ir.Error | ir.Halt | ir.Undefined | ir.Unsupported) -> None:
        self._lines.falling = False
        match instr:
            case ir.Error():
                self._to.put("reach_error();", instr)
                self._to.put("abort();", instr)
            case ir.Halt():
                self._to.put("abort();" if instr.kind is ir.HaltKind.ABORT else "return 0;", instr)
            case ir.Undefined():
                self._to.put("__builtin_unreachable();", instr)
            case ir.Unsupported():
                self._to.beyond(instr.construct, instr)
