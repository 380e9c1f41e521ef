"""One C function per instruction: works on the state in place and answers the next program counter.

As in the reference, an operation that stops, traps or blocks has changed nothing. Beyond the reference, registers
that die here are set to zero on the way out, so that dead registers are zero in every state.
"""

from __future__ import annotations

from threadproof.codegen.machine.accesses import AccessText
from threadproof.codegen.machine.expressions import NoNativeMeaning, number
from threadproof.codegen.machine.numbering import Body
from threadproof.ir import instr as ir
from threadproof.ir.instr import ErrorKind, HaltKind, Instr, UndefinedKind
from threadproof.sync.facts import Act, Attempt, Seen, sync_facts
from threadproof.sync.footprint import tells_who_was_last
from threadproof.sync.operations import OPERATIONS, Cancellation, Guarded

ERROR_KINDS = tuple(ErrorKind)
HALT_KINDS = tuple(HaltKind)
UNDEFINED_KINDS = tuple(UndefinedKind)


class Operation(AccessText):
    """Writes the function of one instruction."""

    def text_of(self, instr: Instr) -> str:
        try:
            self._write(instr)
        except NoNativeMeaning as what:
            self.lines = [f"return not_native(C, {self.text(str(what))});"]
        inside = "\n    ".join(["OPERATION_BEGINS", *self.lines])
        return f"OPERATION(op_{self.pc}) {{\n    {inside}\n}}\n"

    # --- instructions ------------------------------------------------------------------------------------------------

    def _write(self, instr: Instr) -> None:
        match instr:
            case ir.Assign():
                self.go_on((instr.dst, self.temp(self.value(instr.value))))
            case ir.Load():
                self.load(instr)
            case ir.Store():
                self.store(instr)
            case ir.Jump() | ir.Branch() | ir.Switch():
                self._jump(instr)
            case ir.Call():
                self._call(instr)
            case ir.Return():
                self._return(instr)
            case ir.Alloc():
                self.alloc(instr)
            case ir.Sync():
                self._sync(instr)
            case ir.Rmw():
                self.rmw(instr)
            case ir.CompareExchange():
                self.compare_exchange(instr)
            case ir.Nondet():
                self.nondet(instr)
            case ir.Assume():
                condition = self.temp(self.value(instr.condition))
                self.line(f"if (!{condition}) return IS_OPEN ? ASSUME : STOP;")
                self.go_on()
            case _:
                self._rare(instr)

    def _rare(self, instr: Instr) -> None:
        match instr:
            case ir.Fence():
                self.stop_unless_open()
                self.go_on()
            case ir.Free():
                self.stop_unless_open()
                block = self.temp(self.value(instr.address))
                self.line(f"if ({block}) {{ int e = free_heap(S, T, C, {block}); if (e) return e; }}")
                self.go_on()
            case ir.ObjectSize():
                address, size = self.value(instr.address), self.temp("0")
                self.guard(f"block_size(S, C, {address}, &{size})")
                self.go_on((instr.dst, size))
            case ir.StackSave():
                self.go_on((instr.dst, "T->cursor"))
            case ir.StackRestore():
                live = [self.slot(name) for name in sorted(self.live_at(self.pc + 1))]
                self.line(f"u64 live[] = {{{', '.join(live) or '0'}}};")
                self.guard(f"stack_restore(S, T, C, {self.value(instr.address)}, live, {len(live)})")
                self.go_on()
            case ir.Error():
                self.stop_unless_open()
                kind, message = ERROR_KINDS.index(instr.kind), self.text(instr.message)
                self.line(f"C->kind = {kind}; C->text = {message}; return FAIL;")
            case ir.Halt():
                self.stop_unless_open()
                self.line(f"C->kind = {HALT_KINDS.index(instr.kind)}; return HALT;")
            case ir.Undefined():
                self.stop_unless_open()
                self.line(f"return trap_at(C, {UNDEFINED_KINDS.index(instr.kind)}, NO_NAME);")
            case ir.Unsupported():
                self.stop_unless_open()
                self.line(f"return unsupported(C, {self.text(instr.construct)}, NO_NAME);")
            case _:
                raise AssertionError(f"no operation for {instr}")

    # --- control -----------------------------------------------------------------------------------------------------

    def _edge(self, edge: ir.Edge) -> str:
        """The statements that take the edge."""
        outer, self.lines = self.lines, []
        target = self.here.starts[edge.target]
        live = self.live_at(target)
        values = [(dst, self.temp(self.value(value))) for dst, value in edge.moves]
        moved = frozenset(dst.name for dst, _ in edge.moves)
        self.forget(live - moved, moved - live)
        for dst, value in values:
            self.set_register(dst, value, live)
        self.line(f"return {self.to(target)};")
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
        environment = self.numbering.environment
        if environment is not None and instr.callee in environment.functions:
            self._external(instr, args)
            return
        if isinstance(instr.callee, str):
            callee = self.numbering.bodies[instr.callee]
            self.guard(f"may_enter(T, C, {callee.index})")
            self.forget(self.live_at(after) - result)
            self.line(f"R = enter(T, {callee.index}, {self.to(after)});")
            for line in pass_arguments(callee, args):
                self.line(line)
            self.line(f"return {self.to(callee.start)};")
            return
        where = self.temp(self.value(instr.callee))
        fn = self.temp(f"function_at({where})", "u32")
        self.line(f"if ({fn} == FN_COUNT) return trap_at(C, UB_WILD_CALL, NO_NAME);")
        fits = f"FN_PARAMS[{fn}] <= {len(args)} && {len(args)} <= FN_MOST[{fn}]"
        self.line(f"if (!({fits})) return trap_at(C, UB_CALL, FN_NAME[{fn}]);")
        widths = ", ".join(str(arg.width) for arg in instr.args) or "0"
        self.line(f"u64 given[] = {{ {', '.join(args) or '0'} }};")
        self.line(f"static const u32 widths[] = {{ {widths} }};")
        self.guard(f"fit_arguments(C, {fn}, given, widths)")
        self.guard(f"may_enter(T, C, {fn})")
        self.forget(self.live_at(after) - result)
        self.line(f"R = enter(T, {fn}, {self.to(after)});")
        self.line(f"pass_arguments(R, {fn}, given);")
        self.line(f"return (i32)FN_START[{fn}];")

    def _external(self, instr: ir.Call, args: list[str]) -> None:
        """The call is one step: the environment answers it, or lets it wait."""
        self.line(f"u64 args[] = {{ {', '.join(args) or '0'} }}, result = 0;")
        call = f"call_{instr.callee}(S, (i64)number_of(S, T), args, &result, &C->rng)"
        self.line(f"if ({call}) {{ C->kind = OP_ENVIRONMENT; C->number = 0; return BLOCKED; }}")
        if instr.dst is None:
            self.go_on()
        else:
            mask = number((1 << min(instr.dst.width, 64)) - 1)
            self.go_on((instr.dst, f"(result & {mask})"))

    def _return(self, instr: ir.Return) -> None:
        if self.numbering.environment is not None:
            self.line("if (T->nframes && T->frames[T->nframes - 1].handler) return resume(T);")
        value = "0" if instr.value is None else self.temp(self.value(instr.value))
        self.line(f"if (!T->nframes) return finish_thread(S, T, C, {value});")
        if value == "0":
            value = self.temp("0")
        width = self.here.function.result_width
        self.guard(f"fit(C, &{value}, {width}, RESULT_WIDTH[T->frames[T->nframes - 1].pc])")
        self.guard(f"drop_stack(S, T, C, T->mark, T->frame_cursor, (Kept){{&{value}, 1, T->rb}})")
        self.forget(frozenset())
        if any(function == self.here.name for function, _ in self.keeps):
            self.line(f"fill_bytes(R, 0, {8 * self.here.slot_count});")
        self.line(f"return leave(T, {value});")

    # --- synchronisation ---------------------------------------------------------------------------------------------

    def _sync(self, instr: ir.Sync) -> None:
        operation, facts = OPERATIONS[instr.op], sync_facts(instr)
        if facts.act is Act.END:
            self.line("if (T->depth) T->depth--;")
            self.go_on()
            return
        if facts.seen is Seen.BY_OTHERS:
            self.stop_unless_open()
        if facts.act is Act.BEGIN:
            self.line("T->depth++;")
            self.go_on()
            return
        values = ", ".join(self.temp(self.value(arg)) for arg in instr.args) or "0"
        self.line(f"u64 a[] = {{ {values} }}, out = 0;")
        if facts.act is Act.EXIT:
            self.line("return end_thread(S, T, C, a[0], PHASE_ENDING);")
            return
        if operation.cancellation is Cancellation.POINT:
            relocks = int(facts.act is Act.WAKE)
            self.line("touch(C, CANCEL_PLACE(handle_of(S, T)), 1, READ);")
            if relocks:
                self.line("u64 ends = 0;")
                self.guard(f"ends_waiting(S, T, C, a, {int(facts.attempt is Attempt.TIMED)}, &ends)")
            self.line(
                f"if (UNLIKELY({'ends' if relocks else 'is_cancelled(T)'})) return cancel(S, T, C, a, {relocks});"
            )
        if isinstance(operation, Guarded):
            self.guard(f"g_{instr.op}(S, T, C, a, &out, {self._object(instr, operation)})")
        else:
            self.guard(f"p_{instr.op}(S, T, C, a, &out)")
        if facts.act is Act.ARRIVE and tells_who_was_last(self.here.function):
            self.line("touch(C, a[0], 1, WRITE);")
        if instr.dst is None:
            self.go_on()
            return
        width = instr.dst.width
        self.go_on((instr.dst, "out" if width == 64 else f"(out & {number((1 << width) - 1)})"))

    def _object(self, instr: ir.Sync, operation: Guarded) -> str:
        """Bytes and mask of the synchronisation object, if it is known which one it is."""
        known = self.known(instr.args[0]) if instr.args else None
        ends = [f.bits // 8 + max(f.offset32, f.offset64) for f in operation.fields if not f.arg]
        if known is None or not ends or not 0 <= known.offset <= known.size - max(ends):
            return "0, 0"
        data, mask, _, _, constant = self.place(known)
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
