"""Loads, stores and what else is done with memory, as C."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.text.writer import Writer
from threadproof.codegen.sequential.values.places import SIZES
from threadproof.codegen.sequential.values.scalars import CKind, Sign, check_width, container, unsigned
from threadproof.codegen.sequential.values.typed import Typed
from threadproof.ir import instr as ir
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Select, const
from threadproof.ir.instr import RmwOp
from threadproof.semantics.run import MAX_STACK_OBJECT

_BINARY = {
    RmwOp.ADD: BinaryOp.ADD,
    RmwOp.SUB: BinaryOp.SUB,
    RmwOp.AND: BinaryOp.AND,
    RmwOp.OR: BinaryOp.OR,
    RmwOp.XOR: BinaryOp.XOR,
}
_LESS = {
    RmwOp.MAX: CompareOp.SLT,
    RmwOp.MIN: CompareOp.SLT,
    RmwOp.UMAX: CompareOp.ULT,
    RmwOp.UMIN: CompareOp.ULT,
}


class MemoryText:
    def __init__(self, writer: Writer) -> None:
        self._to = writer
        self._printer, self._scope = writer.printer, writer.scope

    def load(self, instr: ir.Load) -> None:
        if instr.size not in SIZES:
            self._load_bytes(instr)
            return
        place = self._printer.place(instr.address, instr.size)
        if not self._to.is_read(instr.dst):
            self._to.put(f"(void){place.inner};", instr)
            return
        target = self._scope.register(instr.dst)
        self._to.put(f"{target.text} = {_read(place, target.kind, instr.dst.width)};", instr)

    def _load_bytes(self, instr: ir.Load) -> None:
        where = self._printer.pointer(instr.address).text
        if not self._to.is_read(instr.dst):
            self._to.put(f"{{ u8 bytes[{instr.size}]; memcpy(bytes, {where}, {instr.size}); }}", instr)
            return
        target = self._scope.register(instr.dst)
        if instr.size > container(target.kind.width) // 8:
            raise NoC(f"an access of {instr.size} bytes for a value of {instr.dst.width} bits")
        self._to.put(f"{target.text} = 0;", instr)
        self._to.put(f"memcpy(&{target.text}, {where}, {instr.size});", instr)

    def store(self, instr: ir.Store) -> None:
        if instr.size not in SIZES:
            self._store_bytes(instr)
            return
        place = self._printer.place(instr.address, instr.size)
        self._to.put(f"{place.text} = {self._written(instr.value, place.kind)};", instr)

    def _store_bytes(self, instr: ir.Store) -> None:
        value = self._printer.unsigned(instr.value).text
        where = self._printer.pointer(instr.address).text
        kind = unsigned(8 * instr.size)
        check_width(kind.width, self._scope.pointer_bits)
        self._to.put(f"{{ {kind.text} bytes = {value}; memcpy({where}, &bytes, {instr.size}); }}", instr)

    def _written(self, value: Expr, kind: CKind) -> str:
        """A value for a place; C extends it with zeros."""
        return self._printer.assigned(value, kind) if value.width == kind.width else self._printer.unsigned(value).text

    def rmw(self, instr: ir.Rmw) -> None:
        place = self._printer.place(instr.address, instr.size)
        old = self._scope.register(instr.dst)
        self._to.put(f"{old.text} = {_read(place, old.kind, instr.dst.width)};", instr)
        self._to.put(f"{place.text} = {self._written(_updated(instr), place.kind)};", instr)

    def compare_exchange(self, instr: ir.CompareExchange) -> None:
        place = self._printer.place(instr.address, instr.size)
        old = self._scope.register(instr.old)
        self._to.put(f"{old.text} = {_read(place, old.kind, instr.old.width)};", instr)
        same = self._printer.condition(Compare(CompareOp.EQ, instr.old, instr.expected))
        new = self._written(instr.desired, place.kind)
        if self._to.is_read(instr.success):
            success = self._scope.register(instr.success).text
            self._to.put(f"{success} = {same};", instr)
            same = success
        self._to.put(f"if ({same}) {place.text} = {new};", instr)

    def alloc(self, node: FlowNode, instr: ir.Alloc) -> None:
        if instr.dst.name in self._scope.facts.objects:
            if self._runs_often(node) or instr.dst.name in self._scope.facts.read_first:
                self._to.put(f"ANYTHING({self._scope.local(instr.dst.name).name});", instr)
            return
        size = self._printer.unsigned(instr.size).text
        if instr.storage is ir.Storage.STACK and not isinstance(instr.size, Const):
            self._to.put(f'if ({size} > {MAX_STACK_OBJECT}) beyond("a local array that no stack holds");', instr)
        call = f"calloc(1, {size})" if instr.fill is ir.Fill.ZERO else f"malloc({size})"
        if self._to.module.asks_sizes and instr.storage is ir.Storage.HEAP:
            call = f"sized({call}, {size})"
        target = f"{self._scope.register(instr.dst).text} = " if self._to.is_read(instr.dst) else ""
        self._to.put(f"{target}{call};", instr)

    def _runs_often(self, node: FlowNode) -> bool:
        """Whether the instruction may be executed more than once: the local is a new one each time."""
        cyclic = self._to.module.code.loops[node.copy.function].cyclic
        return bool(self._to.flow.callers[node.copy]) or node.block in cyclic

    def object_size(self, instr: ir.ObjectSize) -> None:
        if self._to.is_read(instr.dst):
            call = f"size_of({self._printer.pointer(instr.address).text})"
            self._to.put(f"{self._scope.register(instr.dst).text} = {call};", instr)

    def free(self, instr: ir.Free) -> None:
        self._to.put(f"release({self._printer.pointer(instr.address).text});", instr)


def _read(place: Typed, target: CKind, width: int) -> str:
    """What lies at a place, as a value of so many bits for a register."""
    text, source = place.text, place.kind
    if target.sign is Sign.POINTER:
        return text if source.sign is Sign.POINTER else f"(void *)(uptr){text}"
    if source.sign is Sign.POINTER:
        return f"(uptr){text}"
    if width < source.width:
        whole = text if source.sign is Sign.UNSIGNED else f"({unsigned(source.width).text}){text}"
        return f"{whole} & {(1 << width) - 1}u"
    return text


def _updated(instr: ir.Rmw) -> Expr:
    """What a read-modify-write leaves, in terms of what was there."""
    old, value = instr.dst, instr.value
    match instr.op:
        case RmwOp.XCHG:
            return value
        case RmwOp.NAND:
            return Binary(BinaryOp.XOR, Binary(BinaryOp.AND, old, value), const(-1, old.width))
        case RmwOp.MAX | RmwOp.UMAX:
            return Select(Compare(_LESS[instr.op], old, value), value, old)
        case RmwOp.MIN | RmwOp.UMIN:
            return Select(Compare(_LESS[instr.op], old, value), old, value)
        case op:
            return Binary(_BINARY[op], old, value)
