"""One C function per instruction: works on the state in place and answers the next program counter.

As in the reference, an operation that stops, traps or blocks has changed nothing. Beyond the reference, registers
that die here are set to zero on the way out, so that dead registers are zero in every state.
"""

from __future__ import annotations

from threadproof.codegen.expressions import NotNative, Writer, number, signed
from threadproof.codegen.numbering import Body, Known, Numbering
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr, Reg
from threadproof.ir.instr import ErrorKind, Fill, HaltKind, Instr, RmwOp, Storage, UndefinedKind
from threadproof.sync.operations import OPERATIONS, Cancellation, Guarded, Role

ERROR_KINDS = tuple(ErrorKind)
HALT_KINDS = tuple(HaltKind)
UNDEFINED_KINDS = tuple(UndefinedKind)
_Place = tuple[str, "str | None", bool, int, bool]
"""Bytes, mask, whether it is shared, name, and whether it is constant."""
Keeps = frozenset[tuple[str, str]]
"""Registers (function, name) that keep their value when they are dead: somebody watches them."""


class Operation(Writer):
    """Writes the function of one instruction."""

    def __init__(self, numbering: Numbering, body: Body, pc: int, keeps: Keeps) -> None:
        super().__init__(numbering, body)
        self.here = body
        self.pc = pc
        self._keeps = keeps

    def text_of(self, instr: Instr) -> str:
        try:
            self._write(instr)
        except NotNative as what:
            self.lines = [f"return not_native(C, {self.text(str(what))});"]
        inside = "\n    ".join(["u64 *R = T->regs + T->rb;", *self.lines])
        return f"static i32 op_{self.pc}(State *S, Thread *T, Ctx *C) {{\n    {inside}\n}}\n"

    # --- registers ---------------------------------------------------------------------------------------------------

    def _slot(self, reg: Reg | str) -> str:
        return f"R[{self.here.slots[reg if isinstance(reg, str) else reg.name]}]"

    def _live_at(self, pc: int) -> frozenset[str]:
        return self.here.live[pc - self.here.start]

    def _forget(self, survivors: frozenset[str], also: frozenset[str] = frozenset()) -> None:
        """Zero what was live here (or in `also`) and is not among the survivors."""
        for name in sorted((self._live_at(self.pc) | also) - survivors):
            if (self.here.name, name) in self._keeps:
                continue
            self.line(f"{self._slot(name)} = 0;")
            if name in self.here.masks:
                self.line(f"R[{self.here.masks[name]}] = 0;")

    def _set(self, reg: Reg, text: str, live: frozenset[str]) -> None:
        if reg.width > 64:
            raise NotNative("values of more than 64 bits")
        if reg.name in live or (self.here.name, reg.name) in self._keeps:
            self.line(f"{self._slot(reg)} = {text};")

    def _next(self, *results: tuple[Reg, str]) -> None:
        """Go on with the next instruction; results are texts that read no register any more."""
        live = self._live_at(self.pc + 1)
        self._forget(live - {reg.name for reg, _ in results})
        for reg, text in results:
            self._set(reg, text, live)
        self.line(f"return {self.pc + 1};")

    def _stop_unless_open(self) -> None:
        self.line("if (!C->open) return STOP;")

    # --- instructions ------------------------------------------------------------------------------------------------

    def _write(self, instr: Instr) -> None:
        match instr:
            case ir.Assign():
                self._next((instr.dst, self.temp(self.value(instr.value))))
            case ir.Load():
                self._load(instr)
            case ir.Store():
                self._store(instr)
            case ir.Jump() | ir.Branch() | ir.Switch():
                self._jump(instr)
            case ir.Call():
                self._call(instr)
            case ir.Return():
                self._return(instr)
            case ir.Alloc():
                self._alloc(instr)
            case ir.Sync():
                self._sync(instr)
            case ir.Rmw():
                self._rmw(instr)
            case ir.CompareExchange():
                self._compare_exchange(instr)
            case ir.Nondet():
                self._nondet(instr)
            case ir.Assume():
                condition = self.temp(self.value(instr.condition))
                self.line(f"if (!{condition}) return C->open ? ASSUME : STOP;")
                self._next()
            case _:
                self._rare(instr)

    def _rare(self, instr: Instr) -> None:
        match instr:
            case ir.Fence():
                self._stop_unless_open()
                self._next()
            case ir.Free():
                self._stop_unless_open()
                block = self.temp(self.value(instr.address))
                self.line(f"if ({block}) {{ int e = free_heap(S, T, C, {block}); if (e) return e; }}")
                self._next()
            case ir.ObjectSize():
                address, size = self.value(instr.address), self.temp("0")
                self.guard(f"block_size(S, C, {address}, &{size})")
                self._next((instr.dst, size))
            case ir.StackSave():
                self._next((instr.dst, "T->cursor"))
            case ir.StackRestore():
                self.guard(f"stack_restore(S, T, C, {self.value(instr.address)})")
                self._next()
            case ir.Error():
                self._stop_unless_open()
                kind, message = ERROR_KINDS.index(instr.kind), self.text(instr.message)
                self.line(f"C->kind = {kind}; C->text = {message}; return FAIL;")
            case ir.Halt():
                self._stop_unless_open()
                self.line(f"C->kind = {HALT_KINDS.index(instr.kind)}; return HALT;")
            case ir.Undefined():
                self._stop_unless_open()
                self.line(f"return trap_at(C, {UNDEFINED_KINDS.index(instr.kind)}, NO_NAME);")
            case ir.Unsupported():
                self._stop_unless_open()
                self.line(f"return unsupported(C, {self.text(instr.construct)}, NO_NAME);")
            case _:
                raise AssertionError(f"no operation for {instr}")

    # --- memory ------------------------------------------------------------------------------------------------------

    def _inside(self, address: Expr, size: int) -> Known | None:
        """The object of an access that is certainly in bounds."""
        if size > 8:
            raise NotNative("accesses of more than 8 bytes")
        known = self.known(address)
        return known if known is not None and 0 <= known.offset <= known.size - size else None

    def _place(self, known: Known) -> _Place:
        n = self.numbering
        if known.kind == "local":
            local = self.here.locals[known.key]
            at = f"T->base + {local.offset + known.offset}"
            shared = local.name not in self.here.function.unshared
            return f"(T->sdata + {at})", f"(T->smask + {at})", shared, n.names.number(local.name), False
        placed = n.by_name[known.key]
        at, shared = placed.offset + known.offset, n.shared(placed)
        if known.kind == "tls":
            return f"(T->tls + {at})", f"(T->tls_mask + {at})" if n.masked else None, shared, placed.name, False
        if placed.variable.mutability.value == "constant":
            return f"(CONSTANT_BYTES + {at})", None, False, placed.name, True
        return f"(S->g + {at})", f"(S->gmask + {at})" if n.masked else None, shared, placed.name, False

    def _read(self, address: Expr, size: int) -> str:
        """A temporary with the value at the address."""
        known = self._inside(address, size)
        if known is None:
            return self._read_at(address, size)
        data, mask, shared, name, _ = self._place(known)
        if shared:
            self._stop_unless_open()
        if mask is not None:
            self.line(f"if (UNLIKELY({_get(mask, size)}))")
            self.guard(f"settle(T, C, {data}, {mask}, {size}, {name})")
        return self.temp(_get(data, size))

    def _read_at(self, address: Expr, size: int) -> str:
        """Looks first into the object that the address was computed from."""
        where, value = self.temp(self.value(address)), self.temp("0")
        likely = self._likely(address, size)
        slow = f"{{ int e = load(S, T, C, {where}, {size}, &{value}); if (UNLIKELY(e)) return e; }}"
        if likely is None:
            self.line(slow)
            return value
        start, (data, mask, shared, _, _) = likely
        conditions = [f"{where} - {start[0]} <= {start[1] - size}"]
        if shared:
            conditions.append("C->open")
        at = f"+ ({where} - {start[0]}))"
        if mask is not None:
            conditions.append(f"!{_get(f'({mask} {at}', size)}")
        self.line(f"if (LIKELY({' && '.join(conditions)})) {value} = {_get(f'({data} {at}', size)};")
        self.line(f"else {slow}")
        return value

    def _likely(self, address: Expr, size: int) -> tuple[tuple[str, int], _Place] | None:
        """Where the likely object begins, its size, and its place."""
        found = self.numbering.likely(self.here, address)
        if found is None or found.size < size:
            return None
        if found.kind == "local" and found.key not in self._live_at(self.pc):
            return None
        whole = Known(found.kind, found.key, found.size, 0)
        return (self.address(whole), found.size), self._place(whole)

    def _write_to(self, address: Expr, size: int, value: str, where: str | None = None) -> None:
        known = self._inside(address, size)
        if known is None:
            self._write_at(address, size, value, self.temp(self.value(address) if where is None else where))
            return
        data, mask, shared, name, constant = self._place(known)
        if constant:
            self.line(f"return trap_at(C, UB_CONSTANT, {name});")
            return
        if shared:
            self._stop_unless_open()
        self.line(_put(data, size, value))
        if mask is not None:
            self.line(_put(mask, size, "0"))

    def _write_at(self, address: Expr, size: int, value: str, where: str) -> None:
        likely = self._likely(address, size)
        slow = f"{{ int e = store(S, T, C, {where}, {size}, {value}); if (UNLIKELY(e)) return e; }}"
        if likely is None or likely[1][4]:
            self.line(slow)
            return
        start, (data, mask, shared, _, _) = likely
        at = f"+ ({where} - {start[0]}))"
        writes = [_put(f"({data} {at}", size, value)]
        if mask is not None:
            writes.append(_put(f"({mask} {at}", size, "0"))
        ready = " && C->open" if shared else ""
        self.line(f"if (LIKELY({where} - {start[0]} <= {start[1] - size}{ready})) {{ {' '.join(writes)} }}")
        self.line(f"else {slow}")

    def _load(self, instr: ir.Load) -> None:
        if instr.dst.width > 64:
            raise NotNative("values of more than 64 bits")
        mask_slot = self.here.masks.get(instr.dst.name)
        if mask_slot is not None:
            self._inside(instr.address, instr.size)
            where, value, mask = self.value(instr.address), self.temp("0"), self.temp("0")
            self.guard(f"load_raw(S, T, C, {where}, {instr.size}, &{value}, &{mask})")
            live = self._live_at(self.pc + 1)
            self._forget(live - {instr.dst.name})
            if instr.dst.name in live:
                self.line(f"{self._slot(instr.dst)} = {value}; R[{mask_slot}] = {mask};")
            self.line(f"return {self.pc + 1};")
            return
        if instr.purpose is ir.Purpose.COPY:
            # The reference keeps arbitrary bytes arbitrary here; without a mask of its own only known ones can pass.
            where, value, mask = self.value(instr.address), self.temp("0"), self.temp("0")
            self._inside(instr.address, instr.size)
            self.guard(f"load_raw(S, T, C, {where}, {instr.size}, &{value}, &{mask})")
            self.line(f"if ({mask}) return not_native(C, {self.text('a copy of arbitrary bytes in an expression')});")
            self._next((instr.dst, _low(value, instr.dst.width, instr.size)))
            return
        value = self._read(instr.address, instr.size)
        self._next((instr.dst, _low(value, instr.dst.width, instr.size)))

    def _store(self, instr: ir.Store) -> None:
        if isinstance(instr.value, Reg) and instr.value.name in self.here.masks:
            self._inside(instr.address, instr.size)
            where = self.value(instr.address)
            value, mask = self._slot(instr.value), f"R[{self.here.masks[instr.value.name]}]"
            self.guard(f"store_raw(S, T, C, {where}, {instr.size}, {value}, {mask})")
        else:
            known = self._inside(instr.address, instr.size)
            where = None if known is not None else self.value(instr.address)
            self._write_to(instr.address, instr.size, self.temp(self.value(instr.value)), where)
        self._next()

    def _rmw(self, instr: ir.Rmw) -> None:
        width, address = 8 * instr.size, instr.address
        old = self._read(address, instr.size)
        operand = self.temp(self.value(instr.value))
        new = self.temp(_combined(instr.op, old, operand, width))
        self._write_to(address, instr.size, new)
        self._next((instr.dst, old))

    def _compare_exchange(self, instr: ir.CompareExchange) -> None:
        old = self._read(instr.address, instr.size)
        success = self.temp(f"{old} == {self.value(instr.expected)}")
        outer, self.lines = self.lines, []
        self._write_to(instr.address, instr.size, self.temp(self.value(instr.desired)))
        inside, self.lines = self.lines, outer
        self.line(f"if ({success}) {{ {' '.join(inside)} }}")
        self._next((instr.old, old), (instr.success, success))

    def _alloc(self, instr: ir.Alloc) -> None:
        name, size, out = instr.name, self.value(instr.size), self.temp("0")
        if instr.storage is Storage.STACK:
            flags = "UNSHARED" if name in self.here.function.unshared else "0"
            label = self.numbering.names.number(name)
            self.guard(f"alloc_stack(S, T, C, {size}, {label}, {instr.align}, {flags}, &{out})")
        else:
            self._stop_unless_open()
            label = self.numbering.names.number(name or f"malloc at line {instr.loc.line}")
            flags = "ZEROED" if instr.fill is Fill.ZERO else "0"
            self.guard(f"alloc_heap(S, T, C, {size}, {label}, {flags}, &{out})")
        self._next((instr.dst, out))

    def _nondet(self, instr: ir.Nondet) -> None:
        width = instr.dst.width
        if instr.dst.name not in self._live_at(self.pc + 1):
            self._next((instr.dst, number(instr.low & ((1 << width) - 1)) if width <= 64 else "0"))
            return
        if width > 64:
            raise NotNative("values of more than 64 bits")
        source, out = self.text(instr.source), self.temp("0")
        low, high = number(instr.low & (1 << 64) - 1), number(instr.high & (1 << 64) - 1)
        is_signed = int(instr.low < 0)
        self.guard(f"choose(T, C, {source}, NO_NAME, {low}, {high}, {is_signed}, {width}, &{out})")
        self._next((instr.dst, out))

    # --- control -----------------------------------------------------------------------------------------------------

    def _edge(self, edge: ir.Edge) -> str:
        """The statements that take the edge."""
        outer, self.lines = self.lines, []
        target = self.here.starts[edge.target]
        live = self._live_at(target)
        values = [(dst, self.temp(self.value(value))) for dst, value in edge.moves]
        moved = frozenset(dst.name for dst, _ in edge.moves)
        self._forget(live - moved, moved - live)
        for dst, value in values:
            self._set(dst, value, live)
        self.line(f"return {target};")
        inside, self.lines = self.lines, outer
        return " ".join(inside)

    def _jump(self, instr: ir.Jump | ir.Branch | ir.Switch) -> None:
        match instr:
            case ir.Jump():
                self.line(self._edge(instr.edge))
            case ir.Branch():
                condition = self.temp(self.value(instr.condition))
                self.line(f"if ({condition}) {{ {self._edge(instr.then)} }}")
                self.line(f"{{ {self._edge(instr.otherwise)} }}")
            case ir.Switch():
                self.line(f"switch ({self.temp(self.value(instr.value))}) {{")
                for constant, edge in instr.cases:
                    self.line(f"case {number(constant)}: {{ {self._edge(edge)} }}")
                self.line(f"default: {{ {self._edge(instr.default)} }} }}")

    def _call(self, instr: ir.Call) -> None:
        after = self.pc + 1
        args = [self.temp(self.value(arg)) for arg in instr.args]
        result = {reg.name for reg in ir.defs(instr)}
        if isinstance(instr.callee, str):
            callee = self.numbering.bodies[instr.callee]
            self.guard(f"may_enter(T, C, {callee.index})")
            self._forget(self._live_at(after) - result)
            self.line(f"R = enter(T, {callee.index}, {after});")
            for line in pass_arguments(callee, args):
                self.line(line)
            self.line(f"return {callee.start};")
            return
        where = self.temp(self.value(instr.callee))
        fn = self.temp(f"function_at({where})", "u32")
        self.line(f"if ({fn} == FN_COUNT) return trap_at(C, UB_CALL, NO_NAME);")
        self.line(f"if (FN_PARAMS[{fn}] != {len(args)}) return trap_at(C, UB_CALL, FN_NAME[{fn}]);")
        fitting = [body for body in self.numbering.bodies.values() if len(body.function.params) == len(args)]
        self.line(f"switch ({fn}) {{")
        for body in fitting:
            self.line(f"case {body.index}: {self._fit_arguments(instr, body, args)} break;")
        self.line("}")
        self.guard(f"may_enter(T, C, {fn})")
        self._forget(self._live_at(after) - result)
        self.line(f"R = enter(T, {fn}, {after});")
        self.line(f"switch ({fn}) {{")
        for body in fitting:
            self.line(f"case {body.index}: {' '.join(pass_arguments(body, args))} break;")
        self.line("}")
        self.line(f"return (i32)FN_START[{fn}];")

    def _fit_arguments(self, instr: ir.Call, callee: Body, args: list[str]) -> str:
        outer, self.lines = self.lines, []
        for arg, given, param in zip(args, instr.args, callee.function.params, strict=True):
            if given.width != param.width:
                self.guard(f"fit(C, &{arg}, {given.width}, {param.width})")
        inside, self.lines = self.lines, outer
        return " ".join(inside)

    def _return(self, instr: ir.Return) -> None:
        value = "0" if instr.value is None else self.temp(self.value(instr.value))
        self.line(f"if (!T->nframes) return finish_thread(S, T, C, {value});")
        if value == "0":
            value = self.temp("0")
        width = self.here.function.result_width
        self.guard(f"fit(C, &{value}, {width}, RESULT_WIDTH[T->frames[T->nframes - 1].pc])")
        self.guard(f"drop_stack(S, T, C, T->mark, T->frame_cursor, {value}, T->rb)")
        self._forget(frozenset())
        if any(function == self.here.name for function, _ in self._keeps):
            self.line(f"fill_bytes(R, 0, {8 * self.here.slot_count});")
        self.line(f"return leave(T, {value});")

    # --- synchronisation ---------------------------------------------------------------------------------------------

    def _sync(self, instr: ir.Sync) -> None:
        operation = OPERATIONS[instr.op]
        if instr.op == "atomic_end":
            self.line("if (T->depth) T->depth--;")
            self._next()
            return
        if operation.role is not Role.LOCAL:
            self._stop_unless_open()
        if instr.op == "atomic_begin":
            self.line("T->depth++;")
            self._next()
            return
        values = ", ".join(self.temp(self.value(arg)) for arg in instr.args) or "0"
        self.line(f"u64 a[] = {{ {values} }}, out = 0;")
        if instr.op == "thread_exit":
            self.line("return end_thread(S, T, C, a[0]);")
            return
        if operation.cancellation is Cancellation.POINT:
            relocks = int(instr.op.startswith("cond_relock"))
            self.line(f"if (UNLIKELY(must_cancel(T))) return cancel(S, T, C, a, {relocks});")
        if isinstance(operation, Guarded):
            self.guard(f"g_{instr.op}(S, T, C, a, &out, {self._object(instr, operation)})")
        else:
            self.guard(f"p_{instr.op}(S, T, C, a, &out)")
        if instr.dst is None:
            self._next()
            return
        width = instr.dst.width
        self._next((instr.dst, "out" if width == 64 else f"(out & {number((1 << width) - 1)})"))

    def _object(self, instr: ir.Sync, operation: Guarded) -> str:
        """Bytes and mask of the synchronisation object, if it is known which one it is."""
        known = self.known(instr.args[0]) if instr.args else None
        ends = [f.bits // 8 + max(f.offset32, f.offset64) for f in operation.fields if not f.arg]
        if known is None or not ends or not 0 <= known.offset <= known.size - max(ends):
            return "0, 0"
        data, mask, _, _, constant = self._place(known)
        return "0, 0" if constant else f"{data}, {mask or 0}"


def pass_arguments(callee: Body, args: list[str]) -> list[str]:
    """Parameters nobody reads are dead at once."""
    params = callee.function.params
    if any(param.width > 64 for param in params):
        return [f"/* {callee.name} takes values of more than 64 bits */"]
    return [
        f"R[{callee.slots[param.name]}] = {arg};"
        for param, arg in zip(params, args, strict=True)
        if param.name in callee.live[0]
    ]


def _low(value: str, width: int, size: int) -> str:
    return value if width == 8 * size else f"({value} & {number((1 << width) - 1)})"


def _get(place: str, size: int) -> str:
    return f"get{8 * size}{place}" if size in (1, 2, 4, 8) else f"get_bytes({place}, {size})"


def _put(place: str, size: int, value: str) -> str:
    return f"put{8 * size}({place}, {value});" if size in (1, 2, 4, 8) else f"put_bytes({place}, {size}, {value});"


def _combined(op: RmwOp, old: str, value: str, width: int) -> str:
    from threadproof.codegen.expressions import masked

    simple = {RmwOp.ADD: "+", RmwOp.SUB: "-", RmwOp.AND: "&", RmwOp.OR: "|", RmwOp.XOR: "^"}.get(op)
    if simple is not None:
        return masked(f"({old} {simple} {value})", width)
    match op:
        case RmwOp.XCHG:
            return value
        case RmwOp.NAND:
            return masked(f"(~({old} & {value}))", width)
        case RmwOp.MAX:
            return f"{signed(old, width)} >= {signed(value, width)} ? {old} : {value}"
        case RmwOp.MIN:
            return f"{signed(old, width)} <= {signed(value, width)} ? {old} : {value}"
        case RmwOp.UMAX:
            return f"{old} >= {value} ? {old} : {value}"
        case _:
            return f"{old} <= {value} ? {old} : {value}"
