"""Instructions as C statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from threadproof.analysis.points_to import Site
from threadproof.codegen.sequential.dying import Dying
from threadproof.codegen.sequential.expressions import Printer
from threadproof.codegen.sequential.flow import Node
from threadproof.codegen.sequential.options import Choices
from threadproof.codegen.sequential.random_text import one_of
from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.shapes import Kind, Sign, container, unsigned
from threadproof.codegen.sequential.sync_text import ASK_SELF, CALLS, Signature
from threadproof.codegen.sequential.threads import Copy, Pool
from threadproof.ir import instr as ir
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Expr,
    GlobalRef,
    Reg,
    Select,
    const,
    may_trap,
    negate,
    registers,
)
from threadproof.ir.instr import Edge, Instr, RmwOp
from threadproof.sync.operations import OPERATIONS, Cancellation, Guarded

if TYPE_CHECKING:
    from threadproof.codegen.sequential.thread_text import CopyScope, ThreadText

_RMW = {
    RmwOp.ADD: BinaryOp.ADD,
    RmwOp.SUB: BinaryOp.SUB,
    RmwOp.AND: BinaryOp.AND,
    RmwOp.OR: BinaryOp.OR,
    RmwOp.XOR: BinaryOp.XOR,
}
_BOUNDS = {
    RmwOp.MAX: CompareOp.SLT,
    RmwOp.MIN: CompareOp.SLT,
    RmwOp.UMAX: CompareOp.ULT,
    RmwOp.UMIN: CompareOp.ULT,
}


class Statements:
    """The statements of one copy of a function."""

    def __init__(self, text: ThreadText, scope: CopyScope) -> None:
        self.text, self.scope, self.module = text, scope, text.module
        self.printer = Printer(scope)
        self.printer.helpers = self.module.helpers
        self.index = text.thread.index
        self._dying = Dying(text.flow, text.stops, scope.copy, self.module) if text.module.forgets else None

    def write(self, node: Node, instr: Instr, following: str | None) -> None:
        lines = self.text.lines
        before = len(lines)
        try:
            self._write(node, instr, following)
            if self._dying is not None and self.text.falling and not isinstance(instr, ir.ENDS_BLOCK):
                self._forget(self._dying.after(node, instr), instr)
        except NoC as missing:
            del lines[before:]
            self._beyond(str(missing), instr)
            self.text.falling = not isinstance(instr, ir.ENDS_BLOCK)
            if isinstance(instr, ir.Call):  # its callees still say where they return to
                for callee in self.text.flow.callees(node, instr):
                    self.text.label(self._callee_back(node, callee))

    def _write(self, node: Node, instr: Instr, following: str | None) -> None:
        self.text.falling = True
        match instr:
            case ir.Jump() | ir.Branch() | ir.Switch():
                self._control(node, instr, following)
            case ir.Call():
                self._call(node, instr)
            case ir.Return():
                self._return(node, instr)
            case ir.Sync():
                self._sync(node, instr)
            case ir.Assume() | ir.Error() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                self._ending(node, instr)
            case _:
                self._plain(node, instr)

    def _forget(self, names: list[str], instr: Instr) -> None:
        for name in names:
            self.put(f"{self._register(name)} = 0;", instr)

    def _register(self, name: str) -> str:
        return self.scope.register(Reg(name, self.scope.kind(name).width)).text

    def put(self, text: str, instr: Instr) -> None:
        self.text.put(text, instr.loc)

    def _beyond(self, what: str, instr: Instr) -> None:
        quoted = what.replace("\\", "/").replace('"', "'")
        self.module.helpers.add("beyond")
        self.put(f'beyond("{quoted}");', instr)

    def is_read(self, reg: Reg | None) -> bool:
        return reg is not None and reg.name in self.scope.facts.read

    def assign(self, reg: Reg | None, value: str, instr: Instr) -> None:
        """`reg = value;`, or just the value where nobody reads the register."""
        if reg is not None and self.is_read(reg):
            self.put(f"{self.scope.register(reg).text} = {value};", instr)
        elif value.endswith(")") and value[0].isalpha():
            self.put(f"{value};", instr)

    # --- data --------------------------------------------------------------------------------------------------------

    def _plain(self, node: Node, instr: Instr) -> None:
        match instr:
            case ir.Assign():
                if self.is_read(instr.dst):
                    value = self.printer.assigned(instr.value, self.scope.kind(instr.dst.name))
                    self.assign(instr.dst, value, instr)
                elif may_trap(instr.value):
                    self.put(f"(void)({self.printer.value(instr.value).text});", instr)
            case ir.Load():
                self._load(instr)
            case ir.Store():
                self._store(instr)
            case ir.Rmw():
                self._rmw(instr)
            case ir.CompareExchange():
                self._compare_exchange(instr)
            case ir.Alloc():
                self._alloc(node, instr)
            case ir.Free():
                self.put(f"free({self.printer.pointer(instr.address).text});", instr)
            case ir.Nondet():
                self._nondet(instr)
            case ir.StackSave():
                self.assign(instr.dst, "0", instr)
            case ir.StackRestore() | ir.Fence():
                pass
            case _:
                raise NoC(f"the instruction {type(instr).__name__}")

    def _load(self, instr: ir.Load) -> None:
        if instr.size not in (1, 2, 4, 8, 16):
            if not self.is_read(instr.dst) or instr.size > container(instr.dst.width) // 8:
                raise NoC(f"an access of {instr.size} bytes")
            target = self.scope.register(instr.dst).text
            self.put(f"{target} = 0;", instr)
            self.put(f"memcpy(&{target}, {self.printer.pointer(instr.address).text}, {instr.size});", instr)
            return
        place = self.printer.place(instr.address, instr.size)
        if not self.is_read(instr.dst):
            self.put(f"(void){place.inner};", instr)
            return
        kind = self.scope.kind(instr.dst.name)
        self.assign(instr.dst, self._from(place.text, place.kind, kind, instr.dst.width), instr)

    def _from(self, text: str, source: Kind, target: Kind, width: int) -> str:
        """What was read, as a value for a register."""
        if target.sign is Sign.POINTER:
            return text if source.sign is Sign.POINTER else f"(void *)(uptr){text}"
        if source.sign is Sign.POINTER:
            return f"(uptr){text}"
        if width < source.width:
            whole = text if source.sign is Sign.UNSIGNED else f"({unsigned(source.width).text}){text}"
            return f"{whole} & {(1 << width) - 1}u"
        return text

    def _store(self, instr: ir.Store) -> None:
        if instr.size not in (1, 2, 4, 8, 16):
            if instr.size > 8:
                raise NoC(f"an access of {instr.size} bytes")
            value = self.printer.unsigned(instr.value).text
            where = self.printer.pointer(instr.address).text
            self.put(f"{{ u64 bytes = {value}; memcpy({where}, &bytes, {instr.size}); }}", instr)
            return
        place = self.printer.place(instr.address, instr.size)
        self.put(f"{place.text} = {self._to(instr.value, place.kind)};", instr)

    def _to(self, value: Expr, kind: Kind) -> str:
        if value.width == kind.width:
            return self.printer.assigned(value, kind)
        return self.printer.unsigned(value).text  # zero-extended by C

    def _rmw(self, instr: ir.Rmw) -> None:
        place = self.printer.place(instr.address, instr.size)
        old = instr.dst
        self.scope.facts.kinds.setdefault(old.name, unsigned(old.width))
        before = self.scope.register(old)
        self.put(f"{before.text} = {self._from(place.text, place.kind, before.kind, old.width)};", instr)
        match instr.op:
            case RmwOp.XCHG:
                new: Expr = instr.value
            case RmwOp.NAND:
                both = Binary(BinaryOp.AND, old, instr.value)
                new = Binary(BinaryOp.XOR, both, const(-1, old.width))
            case op if op in _RMW:
                new = Binary(_RMW[op], old, instr.value)
            case op:
                smaller = Compare(_BOUNDS[op], old, instr.value)
                larger = op in (RmwOp.MAX, RmwOp.UMAX)
                new = Select(smaller, instr.value, old) if larger else Select(smaller, old, instr.value)
        self.put(f"{place.text} = {self._to(new, place.kind)};", instr)

    def _compare_exchange(self, instr: ir.CompareExchange) -> None:
        place = self.printer.place(instr.address, instr.size)
        old = self.scope.register(instr.old)
        self.put(f"{old.text} = {self._from(place.text, place.kind, old.kind, instr.old.width)};", instr)
        same = self.printer.condition(Compare(CompareOp.EQ, instr.old, instr.expected))
        new = self._to(instr.desired, place.kind)
        if self.is_read(instr.success):
            self.assign(instr.success, same, instr)
            same = self.scope.register(instr.success).text
        self.put(f"if ({same}) {place.text} = {new};", instr)

    def _alloc(self, node: Node, instr: ir.Alloc) -> None:
        found = self.scope.facts.objects.get(instr.dst.name)
        if found is None:
            size = self.printer.unsigned(instr.size).text
            call = f"calloc(1, {size})" if instr.fill is ir.Fill.ZERO else f"malloc({size})"
            self.module.helpers.add(call.split("(")[0])
            self.assign(instr.dst, call, instr)
        elif self._runs_often(node):
            self.module.helpers.add("anything")
            self.put(f"ANYTHING({self.scope.local(instr.dst.name).name});", instr)

    def _runs_often(self, node: Node) -> bool:
        """Whether the instruction may be executed more than once: the local is a new one each time."""
        cyclic = self.module.code.loops[node.copy.function].cyclic
        return bool(self.text.flow.callers[node.copy]) or node.block in cyclic

    def _nondet(self, instr: ir.Nondet) -> None:
        if not self.is_read(instr.dst):
            return
        width, low, high = instr.dst.width, instr.low, instr.high
        target = self.scope.register(instr.dst)
        if width == 1 or (low, high) == (0, 1):
            self.module.helpers.add("nondet bool _Bool")
            self.put(f"{target.text} = {self._cast(target.kind)}__VERIFIER_nondet_bool();", instr)
            return
        if self.module.options.choices is Choices.RANDOM and (instr.values or high - low < 1 << 16):
            several = instr.values or tuple(range(low, min(high, low + 63) + 1))
            texts = tuple(self.printer.assigned(const(value, width), target.kind) for value in several)
            self.put(f"{target.text} = {one_of(texts)};", instr)
            return
        name, kind = _nondet_function(width, low < 0)
        self.module.helpers.add(f"nondet {name} {kind}")
        self.put(f"{target.text} = {self._cast(target.kind)}__VERIFIER_nondet_{name}();", instr)
        if instr.values:
            each = [Compare(CompareOp.EQ, instr.dst, const(value, width)) for value in instr.values]
            some = " || ".join(self.printer.condition(one) for one in each)
            self.put(f"assume({some});  // which is enough to see all there is", instr)
            return
        size = container(width)
        whole = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if low < 0 else (0, (1 << size) - 1)
        if (low, high) != whole:
            reg = instr.dst
            compare = CompareOp.SLE if low < 0 else CompareOp.ULE
            parts = [Compare(compare, const(low, width), reg)] if low != whole[0] else []
            parts += [Compare(compare, reg, const(high, width))] if high != whole[1] else []
            for part in parts:
                self.put(f"assume({self.printer.condition(part)});", instr)

    def _cast(self, kind: Kind) -> str:
        return "(void *)(uptr)" if kind.sign is Sign.POINTER else ""

    # --- control -----------------------------------------------------------------------------------------------------

    def _moves(self, edge: Edge) -> list[str]:
        """Parallel moves in an order that no move disturbs, with copies where there is none."""
        todo = [(dst, value) for dst, value in edge.moves if self.is_read(dst) and value != dst]
        lines: list[str] = []
        while todo:
            free = [m for m in todo if not any(m[0].name in registers(v) for d, v in todo if d != m[0])]
            if not free:
                dst, value = todo[0]
                kind = self.scope.kind(dst.name)
                temp = self.module.names.name(("swap", self.index, dst.name), f"T{self.index}_old")
                space = "" if kind.text.endswith("*") else " "
                raise NoC(f"moves in a circle ({kind.text}{space}{temp})")
            dst, value = free[0]
            lines.append(
                f"{self.scope.register(dst).text} = {self.printer.assigned(value, self.scope.kind(dst.name))};"
            )
            todo.remove(free[0])
        return lines

    def _way(self, node: Node, edge: Edge, following: str | None) -> str:
        forgotten = [] if self._dying is None else self._dying.on_edge(node, edge)
        dead = [f"{self._register(name)} = 0;" for name in forgotten]
        return " ".join([*self._moves(edge), *dead, self.text.jump(node, edge, following)]).strip()

    def _control(self, node: Node, instr: ir.Jump | ir.Branch | ir.Switch, following: str | None) -> None:
        match instr:
            case ir.Jump():
                way = self._way(node, instr.edge, following)
                if way:
                    self.put(way, instr)
                self.text.falling = instr.edge.target == following and "continue;" not in way and "goto" not in way
            case ir.Branch():
                then, otherwise = self._way(node, instr.then, following), self._way(node, instr.otherwise, following)
                if then:
                    self.put(f"if ({self.printer.condition(instr.condition)}) {{ {then} }}", instr)
                    if otherwise:
                        self.put(f"else {{ {otherwise} }}" if not _leaves(then) else otherwise, instr)
                elif otherwise:
                    self.put(f"if ({self.printer.condition(opposite(instr.condition))}) {{ {otherwise} }}", instr)
                self.text.falling = not (_leaves(then) and _leaves(otherwise))
            case ir.Switch():
                self.put(f"switch ({self.printer.unsigned(instr.value).text}) {{", instr)
                width = instr.value.width
                for value, edge in instr.cases:
                    way = self._way(node, edge, None)
                    self.put(f"case {value & ((1 << width) - 1)}{'ull' if width > 32 else 'u'}: {way}", instr)
                self.put(f"default: {self._way(node, instr.default, None)}", instr)
                self.put("}", instr)
                self.text.falling = False

    def _result(self, copy: Copy) -> str:
        function = self.module.code.function(copy)
        name = self.module.names.name(("result", self.index, copy), f"T{self.index}_{copy.function}_result")
        kind = unsigned(function.result_width)
        self.module.declare(name, f"{kind.text} {name} = 0;")
        return name

    def _return_name(self, copy: Copy, recursive: bool) -> str:
        name = self.module.names.name(("return", self.index, copy), f"T{self.index}_return_{copy.function}")
        self.module.declare(name, f"u32 {name}[DEPTH] = {{0}};" if recursive else f"u32 {name} = 0;")
        return name

    def _call(self, node: Node, instr: ir.Call) -> None:
        callees = self.text.flow.callees(node, instr)
        if not callees:
            raise NoC("a call through a pointer to no known function")
        if isinstance(instr.callee, str):
            self._enter(node, instr, callees[0], "")
        else:
            where = self.printer.pointer(instr.callee)
            for callee in callees:
                mark = self.module.function_mark(callee.function)
                self.put(f"if ((void *){where.inner} == {mark}) {{", instr)
                self._enter(node, instr, callee, "  ")
                self.put("}", instr)
            self.put("__builtin_unreachable();", instr)
        self.text.falling = False
        if isinstance(instr.callee, str):
            self._come_back(node, instr, callees[0])
        else:
            for callee in callees:
                self._come_back(node, instr, callee)

    def _come_back(self, node: Node, instr: ir.Call, callee: Copy) -> None:
        """Where the callee returns to."""
        several = len(self.text.flow.callees(node, instr)) > 1
        if several and self.text.falling:
            self.put(self.text.goto(self._after_label(node)), instr)
        self.text.label(self._callee_back(node, callee))
        self.text.falling = True
        width = self.module.code.function(callee).result_width
        if instr.dst is not None and self.is_read(instr.dst) and width:
            kind = self.scope.kind(instr.dst.name)
            self.put(f"{self.scope.register(instr.dst).text} = {self._cast(kind)}{self._result(callee)};", instr)
        if self.module.forgets and self._asks_where(callee) and callee.function not in self.module.code.recursive:
            self.put(f"{self._return_name(callee, False)} = 0;", instr)
        if several and callee == self.text.flow.callees(node, instr)[-1]:
            self.text.label(self._after_label(node))

    def _after_label(self, node: Node) -> str:
        return self.module.names.name(("after", self.index, node), f"T{self.index}_after_call")

    def _callee_back(self, node: Node, callee: Copy) -> str:
        number = self.text.flow.callers[callee].index(node) + 1
        key = ("back", self.index, node, callee)
        return self.module.names.name(key, f"T{self.index}_{callee.function}_back{number}")

    def _enter(self, node: Node, instr: ir.Call, callee: Copy, indent: str) -> None:
        from threadproof.codegen.sequential.thread_text import CopyScope

        inner = CopyScope(self.module, self.text.thread, callee)
        function = self.module.code.function(callee)
        plus = " + 1" if inner.recursive else ""
        if inner.recursive:
            self.module.helpers.add("beyond")
            self.put(f'{indent}if ({inner.depth()} + 1 == DEPTH) beyond("the bound on the depth of recursion");', instr)
        for param, arg in zip(function.params, instr.args, strict=True):
            if param.name in inner.facts.read:
                value = self.printer.assigned(arg, inner.kind(param.name))
                self.put(f"{indent}{inner.register(param, plus).text} = {value};", instr)
        number = self.text.flow.callers[callee].index(node) + 1
        if self._asks_where(callee):
            name = self._return_name(callee, inner.recursive)
            where = f"{name}[{inner.depth()} + 1]" if inner.recursive else name
            self.put(f"{indent}{where} = {number};", instr)
        if inner.recursive:
            self.put(f"{indent}{inner.depth()}++;", instr)
        self.put(f"{indent}{self.text.goto(self.text.block_label(callee, function.blocks[0].label))}", instr)

    def _asks_where(self, copy: Copy) -> bool:
        return len(self.text.flow.callers[copy]) > 1 or self._is_start(copy)

    def _is_start(self, copy: Copy) -> bool:
        return copy == self.text.thread.copies[0]

    def _return(self, node: Node, instr: ir.Return) -> None:
        copy = node.copy
        callers = self.text.flow.callers[copy]
        self.text.falling = False
        if not callers:
            self._end_thread(instr.value, instr) if self._is_start(copy) else None
            return
        function = self.module.code.function(copy)
        if self._is_start(copy):
            name = self._return_name(copy, self.scope.recursive)
            where = f"{name}[{self.scope.depth()}]" if self.scope.recursive else name
            self.put(f"if (!{where}) {{", instr)
            self._end_thread(instr.value, instr)
            self.put("}", instr)
        if instr.value is not None and function.result_width and self._result_is_read(copy):
            self.put(f"{self._result(copy)} = {self.printer.unsigned(instr.value).text};", instr)
        if not self._asks_where(copy):
            if self.scope.recursive:
                self.put(f"{self.scope.depth()}--;", instr)
            self.put(self.text.goto(self._callee_back(callers[0], copy)), instr)
            return
        name = self._return_name(copy, self.scope.recursive)
        where = f"{name}[{self.scope.depth()}--]" if self.scope.recursive else name
        self.put(f"switch ({where}) {{", instr)
        for number, caller in enumerate(callers[:-1], start=1):
            self.put(f"case {number}: {self.text.goto(self._callee_back(caller, copy))}", instr)
        self.put(f"default: {self.text.goto(self._callee_back(callers[-1], copy))}", instr)
        self.put("}", instr)

    def _result_is_read(self, copy: Copy) -> bool:
        for caller in self.text.flow.callers[copy]:
            call = self.text.flow.nodes[caller]
            assert isinstance(call, ir.Call)
            if call.dst is not None and call.dst.name in self.module.facts(caller.copy.function).read:
                return True
        return False

    def _ending(self, node: Node, instr: Instr) -> None:
        self.text.falling = False
        match instr:
            case ir.Assume():
                self.text.falling = True
                if node in self.text.stops.solo or self.text.flow.atomic(node):
                    self.put(f"assume({self.printer.condition(instr.condition)});", instr)
                else:
                    fails = self.printer.condition(opposite(instr.condition))
                    self.put(f"if ({fails}) {{ pc[{self.index}] = {self.text.stops.ending}; continue; }}", instr)
            case ir.Error():
                self.put("reach_error();", instr)
                self.put("abort();", instr)
            case ir.Halt():
                self.put("abort();" if instr.kind is ir.HaltKind.ABORT else "return 0;", instr)
            case ir.Undefined():
                self.put("__builtin_unreachable();", instr)
            case ir.Unsupported():
                self._beyond(instr.construct, instr)
            case _:
                raise AssertionError(instr)

    # --- threads and synchronisation ---------------------------------------------------------------------------------

    def _end_thread(self, value: Expr | None, instr: Instr) -> None:
        if not self.index and not isinstance(instr, ir.Sync):
            self.put("return 0;", instr)
            return
        if "results" in self.module.helpers:
            result = "0" if value is None else self.printer.pointer(value).text
            if result != "0":
                self.put(f"results[{self.index}] = {result};", instr)
        self.put(f"pc[{self.index}] = FINISHED;", instr)
        self.put("continue;", instr)

    def _sync(self, node: Node, instr: ir.Sync) -> None:
        operation = OPERATIONS[instr.op]
        if operation.cancellation is Cancellation.POINT and "cancels" in self.module.helpers:
            self.put(f"if (cancelled[{self.index}] && !uncancellable[{self.index}]) {{", instr)
            if instr.op.startswith("cond_relock"):
                self._call_sync("cond_relock", instr)
            self._end_thread(const(-1, self.module.pointer_bits), instr)
            self.put("}", instr)
        match instr.op:
            case "thread_create":
                self._create(node, instr)
            case "thread_exit":
                self._end_thread(instr.args[0], instr)
                self.text.falling = False
            case "thread_self":
                self._number(instr, f"{self.index + 1}")
            case "atomic_begin" if self.module.options.choices is Choices.RANDOM:
                self.put("in_atomic = 1;", instr)
            case "atomic_begin" | "atomic_end" | "cancel_point" | "cond_signal" | "cond_broadcast":
                self._number(instr, "0")
            case op if isinstance(operation, Guarded):
                signature = Signature(operation, self.module.pointer_bits)
                args = [self._argument(instr.args[i], pointer) for i, pointer in signature.arguments]
                args += [f"{self.index + 1}"] if signature.asks_self else []
                self.module.sync.add(op)
                self._number(instr, f"{op}({', '.join(args)})")
            case op:
                self._call_sync(op, instr)

    def _call_sync(self, op: str, instr: ir.Sync) -> None:
        if op.startswith("thread_join"):
            wanted = ((0, False), (1, True)) if "results" in self.module.helpers else ((0, False),)
        else:
            wanted = CALLS[op]
        args = [self._argument(instr.args[i], pointer) for i, pointer in wanted]
        args += [f"{self.index + 1}"] if op in ASK_SELF else []
        self.module.sync.add(op)
        dst = instr.dst if op == instr.op else None
        call = f"{op}({', '.join(args)})"
        if op == "key_get" and dst is not None and self.scope.kind(dst.name).sign is not Sign.POINTER:
            call = f"(uptr){call}"
        self._number(instr, call) if dst is instr.dst else self.put(f"{call};", instr)

    def _argument(self, arg: Expr, pointer: bool) -> str:
        if pointer:
            return self.printer.pointer(arg).text
        return self.printer.assigned(arg, unsigned(arg.width))

    def _number(self, instr: ir.Sync, value: str) -> None:
        """The result of an operation; handles are as wide as pointers."""
        if instr.dst is None or not self.is_read(instr.dst):
            if value.endswith(")"):
                self.put(f"{value.removeprefix('(uptr)')};", instr)
            return
        kind = self.scope.kind(instr.dst.name)
        cast = (
            "(void *)(uptr)" if kind.sign is Sign.POINTER and not value.startswith("key_get") and value != "0" else ""
        )
        self.put(f"{self.scope.register(instr.dst).text} = {cast}{value};", instr)

    def _create(self, node: Node, instr: ir.Sync) -> None:
        site = Site(node.copy.function, node.block, node.number)
        targets = self.module.code.targets(site, instr)
        if len(targets) == 1 and isinstance(instr.args[1], GlobalRef):
            self._start(self.text.thread.pools[targets[0]], instr, "")
        else:
            where = self.printer.pointer(instr.args[1])
            for number, target in enumerate(targets):
                mark = self.module.function_mark(target)
                self.put(f"{'else ' if number else ''}if ((void *){where.inner} == {mark}) {{", instr)
                self._start(self.text.thread.pools[target], instr, "  ")
                self.put("}", instr)
            self.put("else __builtin_unreachable();", instr)
        self._number(instr, "0")

    def _start(self, pool: Pool, instr: ir.Sync, indent: str) -> None:
        if pool.enough and len(pool.members) == 1:
            for line in self._start_member(pool.members[0], pool, instr):
                self.put(f"{indent}{line}", instr)
            return
        name = self.module.names.name(("created", pool.creator, pool.start), f"T{pool.creator}_created_{pool.start}")
        self.module.declare(name, f"u32 {name} = 0;")
        self.put(f"{indent}switch ({name}++) {{", instr)
        for number, member in enumerate(pool.members):
            lines = self._start_member(member, pool, instr)
            self.put(f"{indent}case {number}: {' '.join(lines)} break;", instr)
        self.module.helpers.add("beyond")
        self.put(f'{indent}default: beyond("the bound on threads");', instr)
        self.put(f"{indent}}}", instr)

    def _start_member(self, member: int, pool: Pool, instr: ir.Sync) -> list[str]:
        from threadproof.codegen.sequential.thread_text import CopyScope

        thread = self.module.threads[member]
        scope = CopyScope(self.module, thread, thread.copies[0])
        function = self.module.code.function(thread.copies[0])
        handle = self.printer.place(instr.args[0], self.module.pointer_bits // 8)
        value = f"(void *){member + 1}" if handle.kind.sign is Sign.POINTER else f"{member + 1}"
        lines = [f"{handle.text} = {value};", f"pc[{member}] = 1;"]
        for param in function.params:
            if param.name in scope.facts.read:
                kind = scope.kind(param.name)
                lines.append(f"{scope.register(param).text} = {self.printer.assigned(instr.args[2], kind)};")
        return lines


def _leaves(way: str) -> bool:
    return way.endswith("continue;") or way.startswith("goto ") or " goto " in way


def _nondet_function(width: int, signed: bool) -> tuple[str, str]:
    """The function of the usual family that gives any value of so many bits, and its C type."""
    names = {8: "char", 16: "short", 32: "int", 64: "longlong", 128: "int128"}
    size = container(width)
    name = names[size] if signed else f"u{names[size]}"
    return name, (Kind(Sign.SIGNED, size).text if signed else unsigned(size).text)


_FLIPPED = {CompareOp.EQ: CompareOp.NE, CompareOp.NE: CompareOp.EQ}
_TURNED = {
    CompareOp.ULT: CompareOp.ULE,
    CompareOp.ULE: CompareOp.ULT,
    CompareOp.SLT: CompareOp.SLE,
    CompareOp.SLE: CompareOp.SLT,
}


def opposite(condition: Expr) -> Expr:
    match condition:
        case Compare(op=op) if op in _FLIPPED:
            return Compare(_FLIPPED[op], condition.left, condition.right)
        case Compare():
            return Compare(_TURNED[condition.op], condition.right, condition.left)
        case _:
            return negate(condition)
