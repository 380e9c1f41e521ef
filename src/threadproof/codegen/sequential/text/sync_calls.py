"""Operations of the sync table, as calls of the functions that `sync_text` prints."""

from __future__ import annotations

from threadproof.codegen.sequential.options import Choices
from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.text.creation_text import create, end_thread
from threadproof.codegen.sequential.text.sync_text import ASK_SELF, CALLS, Signature
from threadproof.codegen.sequential.text.writer import Writer, from_number
from threadproof.codegen.sequential.values.scalars import Sign, unsigned
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr, GlobalRef, TlsRef, const, registers, walk
from threadproof.sync.facts import FACTS, Act, does, sync_facts
from threadproof.sync.operations import OPERATIONS, Cancellation, Guarded

_NOTHING = (Act.BEGIN, Act.END, Act.CANCEL_POINT, Act.SIGNAL, Act.BROADCAST)
"""Operations that are done by being where they are."""


class SyncCalls:
    def __init__(self, writer: Writer) -> None:
        self._to, self._module = writer, writer.module

    def write(self, node: FlowNode, instr: ir.Sync) -> None:
        index = self._to.thread.index
        if OPERATIONS[instr.op].cancellation is Cancellation.POINT and self._module.asks_cancellation:
            self._maybe_cancelled(instr)
        match sync_facts(instr).act:
            case Act.CREATE:
                create(self._to, node, instr)
                self._result(instr, "0")
            case Act.EXIT:
                end_thread(self._to, instr.args[0], instr)
                self._to.lines.falling = False
            case Act.SELF:
                self._result(instr, self._to.handle)
            case Act.BEGIN if self._module.options.choices is Choices.RANDOM:
                self._to.put("in_atomic = 1;", instr)
            case Act.LOOK if _is_variable(instr.args[0]):
                pass
            case act if act in _NOTHING:
                self._result(instr, "0")
            case act:
                self._result(instr, self._call(instr.op, instr))
                if act is Act.JOIN and node in self._to.stops.numbers and index in self._module.tables.joiners:
                    self._to.put(f"waits_for[{index}] = 0;", instr)

    def _maybe_cancelled(self, instr: ir.Sync) -> None:
        index = self._to.thread.index
        self._to.put(f"if (cancelled[{index}] && !uncancellable[{index}]) {{", instr)
        if does(instr, Act.WAKE):
            self._to.put('beyond("cancelling a thread that waits on a condition variable");', instr)
        else:
            end_thread(self._to, const(-1, self._module.pointer_bits), instr)
        self._to.put("}", instr)

    def _call(self, op: str, instr: ir.Sync) -> str:
        self._module.sync.add(op)
        operation = OPERATIONS[op]
        if isinstance(operation, Guarded):
            signature = Signature(operation, self._module.pointer_bits)
            wanted, asks_self = signature.arguments, signature.asks_self
        elif FACTS[op].act is Act.JOIN:
            wanted = ((0, False), (1, True))[: 2 if self._module.asks_results else 1]
            asks_self = self._module.asks_itself
        else:
            wanted, asks_self = CALLS[op], op in ASK_SELF
        args = [self._argument(instr.args[i], pointer) for i, pointer in wanted]
        return f"{op}({', '.join(args + [self._to.handle] * asks_self)})"

    def _argument(self, arg: Expr, pointer: bool) -> str:
        if pointer:
            return self._to.printer.pointer(arg).text
        return self._to.printer.assigned(arg, unsigned(arg.width))

    def _result(self, instr: ir.Sync, value: str) -> None:
        """What an operation gives, where it is read; a call is made anyway."""
        if instr.dst is None or not self._to.is_read(instr.dst):
            if value.endswith(")"):
                self._to.put(f"{value};", instr)
            return
        target = self._to.scope.register(instr.dst)
        gives_pointer = does(instr, Act.KEY_GET)
        if gives_pointer and target.kind.sign is not Sign.POINTER:
            value = f"(uptr){value}"
        elif not gives_pointer and value != "0":
            value = from_number(target.kind) + value
        self._to.put(f"{target.text} = {value};", instr)


def _is_variable(address: Expr) -> bool:
    """Whether a variable that is always there lies at the address."""
    return not registers(address) and any(isinstance(part, GlobalRef | TlsRef) for part in walk(address))
