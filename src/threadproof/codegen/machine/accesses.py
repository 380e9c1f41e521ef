"""Reads and writes of one instruction as C, and what happens to its registers on the way out.

Addresses whose object is known (a global, a local of the running frame) need no lookup; those computed from such an
address are looked for there first.
"""

from __future__ import annotations

from threadproof.codegen.machine.expressions import ExpressionWriter, NoNativeMeaning, masked, number, signed
from threadproof.codegen.machine.numbering import Body, KnownAddress, Numbering
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr, Reg
from threadproof.ir.instr import Fill, Order, RmwOp, Storage
from threadproof.sync.footprint import Mode

_Place = tuple[str, "str | None", bool, int, bool]
"""Bytes, mask, whether it is shared, name, and whether it is constant."""
Keeps = frozenset[tuple[str, str]]
"""Registers (function, name) that keep their value when they are dead: somebody watches them."""


class AccessText(ExpressionWriter):
    """The part of an operation's writer that knows registers and memory."""

    def __init__(self, numbering: Numbering, body: Body, pc: int, keeps: Keeps) -> None:
        super().__init__(numbering, body)
        self.here = body
        self.pc = pc
        self.keeps = keeps

    # --- registers ---------------------------------------------------------------------------------------------------

    def slot(self, reg: Reg | str) -> str:
        return f"R[{self.here.slots[reg if isinstance(reg, str) else reg.name]}]"

    def live_at(self, pc: int) -> frozenset[str]:
        return self.here.live[pc - self.here.start]

    def forget(self, survivors: frozenset[str], also: frozenset[str] = frozenset()) -> None:
        """Zero what was live here (or in `also`) and is not among the survivors."""
        for name in sorted((self.live_at(self.pc) | also) - survivors):
            if (self.here.name, name) in self.keeps:
                continue
            self.line(f"{self.slot(name)} = 0;")
            if name in self.here.masks:
                self.line(f"R[{self.here.masks[name]}] = 0;")

    def set_register(self, reg: Reg, text: str, live: frozenset[str]) -> None:
        if reg.width > 64:
            raise NoNativeMeaning("values of more than 64 bits")
        if reg.name in live or (self.here.name, reg.name) in self.keeps:
            self.line(f"{self.slot(reg)} = {text};")

    def go_on(self, *results: tuple[Reg, str]) -> None:
        """Go on with the next instruction; results are texts that read no register any more."""
        live = self.live_at(self.pc + 1)
        self.forget(live - {reg.name for reg, _ in results})
        for reg, text in results:
            self.set_register(reg, text, live)
        self.line(f"return {self.to(self.pc + 1)};")

    def to(self, target: int) -> str:
        """A program counter. GO_TO takes the one or the other: by their distances, equal operations are equal text."""
        return f"GO_TO({target}, {target - self.pc})"

    def stop_unless_open(self) -> None:
        self.line("if (!IS_OPEN) return STOP;")

    # --- memory ------------------------------------------------------------------------------------------------------

    def _inside(self, address: Expr, size: int) -> KnownAddress | None:
        """The object of an access that is certainly in bounds."""
        if size > 8:
            raise NoNativeMeaning("accesses of more than 8 bytes")
        known = self.known(address)
        return known if known is not None and 0 <= known.offset <= known.size - size else None

    def place(self, known: KnownAddress) -> _Place:
        n = self.numbering
        if known.kind == "local":
            local = self.here.locals[known.key]
            at = local.offset + known.offset
            shared = local.name not in self.here.function.unshared
            return f"(FRAME_DATA + {at})", f"(FRAME_MASK + {at})", shared, n.names.number(local.name), False
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
        data, mask, shared, name, _ = self.place(known)
        if shared:
            self.stop_unless_open()
            self.touch(self.address(known), size)
        if mask is not None:
            self.line(f"if (UNLIKELY({_get(mask, size)})) {{")
            if shared:
                self.line(f"touch(C, {self.address(known)}, {size}, WRITE);")
            self.guard(f"settle(T, C, {data}, {mask}, {size}, {name})")
            self.line("}")
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
            conditions.append("IS_OPEN")
        at = f"+ ({where} - {start[0]}))"
        if mask is not None:
            conditions.append(f"!{_get(f'({mask} {at}', size)}")
        told = f"TOUCH_DATA({where}, {size}); " if shared else ""
        self.line(f"if (LIKELY({' && '.join(conditions)})) {{ {told}{value} = {_get(f'({data} {at}', size)}; }}")
        self.line(f"else {slow}")
        return value

    def _likely(self, address: Expr, size: int) -> tuple[tuple[str, int], _Place] | None:
        """Where the likely object begins, its size, and its place."""
        found = self.numbering.likely(self.here, address)
        if found is None or found.size < size:
            return None
        if found.kind == "local" and found.key not in self.live_at(self.pc):
            return None
        whole = KnownAddress(found.kind, found.key, found.size, 0)
        return (self.address(whole), found.size), self.place(whole)

    def _write_to(self, address: Expr, size: int, value: str, where: str | None = None) -> None:
        known = self._inside(address, size)
        if known is None:
            self._write_at(address, size, value, self.temp(self.value(address) if where is None else where))
            return
        data, mask, shared, name, constant = self.place(known)
        if constant:
            self.line(f"return trap_at(C, UB_CONSTANT, {name});")
            return
        if shared:
            self.stop_unless_open()
            self.touch(self.address(known), size)
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
        writes = [f"TOUCH_DATA({where}, {size});"] if shared else []
        writes.append(_put(f"({data} {at}", size, value))
        if mask is not None:
            writes.append(_put(f"({mask} {at}", size, "0"))
        ready = " && IS_OPEN" if shared else ""
        self.line(f"if (LIKELY({where} - {start[0]} <= {start[1] - size}{ready})) {{ {' '.join(writes)} }}")
        self.line(f"else {slow}")

    # --- footprints: cost nothing where they are not compiled in -----------------------------------------------------

    def touch(self, address: str, size: int) -> None:
        self.line(f"TOUCH_DATA({address}, {size});")

    def touch_as(self, mode: Mode, order: Order) -> None:
        """How the data accesses that follow touch their memory."""
        self.line(f"TOUCH_AS({mode.name}{'' if order is Order.PLAIN else ' | ATOMIC'});")

    def load(self, instr: ir.Load) -> None:
        if instr.dst.width > 64:
            raise NoNativeMeaning("values of more than 64 bits")
        self.touch_as(Mode.READ, instr.order)
        mask_slot = self.here.masks.get(instr.dst.name)
        if mask_slot is not None:
            self._inside(instr.address, instr.size)
            where, value, mask = self.value(instr.address), self.temp("0"), self.temp("0")
            load = "move_raw" if instr.purpose is ir.Purpose.MOVE else "load_raw"
            self.guard(f"{load}(S, T, C, {where}, {instr.size}, &{value}, &{mask})")
            live = self.live_at(self.pc + 1)
            self.forget(live - {instr.dst.name})
            if instr.dst.name in live:
                self.line(f"{self.slot(instr.dst)} = {value}; R[{mask_slot}] = {mask};")
            self.line(f"return {self.to(self.pc + 1)};")
            return
        if instr.purpose is not ir.Purpose.VALUE:
            # The reference keeps arbitrary bytes arbitrary here; without a mask of its own only known ones can pass.
            where, value, mask = self.value(instr.address), self.temp("0"), self.temp("0")
            self._inside(instr.address, instr.size)
            self.guard(f"load_raw(S, T, C, {where}, {instr.size}, &{value}, &{mask})")
            self.line(f"if ({mask}) return not_native(C, {self.text('a copy of arbitrary bytes in an expression')});")
            self.go_on((instr.dst, _low(value, instr.dst.width, instr.size)))
            return
        value = self._read(instr.address, instr.size)
        self.go_on((instr.dst, _low(value, instr.dst.width, instr.size)))

    def store(self, instr: ir.Store) -> None:
        self.touch_as(Mode.WRITE, instr.order)
        if isinstance(instr.value, Reg) and instr.value.name in self.here.masks:
            self._inside(instr.address, instr.size)
            where = self.value(instr.address)
            value, mask = self.slot(instr.value), f"R[{self.here.masks[instr.value.name]}]"
            self.guard(f"store_raw(S, T, C, {where}, {instr.size}, {value}, {mask})")
        else:
            known = self._inside(instr.address, instr.size)
            where = None if known is not None else self.value(instr.address)
            self._write_to(instr.address, instr.size, self.temp(self.value(instr.value)), where)
        self.go_on()

    def rmw(self, instr: ir.Rmw) -> None:
        width, address = 8 * instr.size, instr.address
        adds = instr.op in (RmwOp.ADD, RmwOp.SUB) and instr.dst.name not in self.live_at(self.pc + 1)
        self.touch_as(Mode.ADD if adds else Mode.WRITE, instr.order)
        old = self._read(address, instr.size)
        operand = self.temp(self.value(instr.value))
        new = self.temp(_combined(instr.op, old, operand, width))
        self._write_to(address, instr.size, new)
        self.go_on((instr.dst, old))

    def compare_exchange(self, instr: ir.CompareExchange) -> None:
        self.touch_as(Mode.READ, instr.order)
        old = self._read(instr.address, instr.size)
        success = self.temp(f"{old} == {self.value(instr.expected)}")
        outer, self.lines = self.lines, []
        self.touch_as(Mode.WRITE, instr.order)
        self._write_to(instr.address, instr.size, self.temp(self.value(instr.desired)))
        inside, self.lines = self.lines, outer
        self.line(f"if ({success}) {{ {' '.join(inside)} }}")
        self.go_on((instr.old, old), (instr.success, success))

    def alloc(self, instr: ir.Alloc) -> None:
        name, size, out = instr.name, self.value(instr.size), self.temp("0")
        if instr.storage is Storage.STACK:
            flags = "UNSHARED" if name in self.here.function.unshared else "0"
            label = self.numbering.names.number(name)
            self.guard(f"alloc_stack(S, T, C, {size}, {label}, {instr.align}, {flags}, &{out})")
        else:
            self.stop_unless_open()
            label = self.numbering.names.number(name or f"malloc at line {instr.loc.line}")
            flags = "ZEROED" if instr.fill is Fill.ZERO else "0"
            self.guard(f"alloc_heap(S, T, C, {size}, {label}, {flags}, &{out})")
        self.go_on((instr.dst, out))

    def nondet(self, instr: ir.Nondet) -> None:
        width = instr.dst.width
        if instr.dst.name not in self.live_at(self.pc + 1):
            self.go_on((instr.dst, number(instr.low & ((1 << width) - 1)) if width <= 64 else "0"))
            return
        if width > 64:
            raise NoNativeMeaning("values of more than 64 bits")
        source, out = self.text(instr.source), self.temp("0")
        low, high = number(instr.low & (1 << 64) - 1), number(instr.high & (1 << 64) - 1)
        is_signed = int(instr.low < 0)
        asked = f"T, C, {source}, NO_NAME, {low}, {high}, {is_signed}, {width}, &{out}"
        if instr.values:
            cases = ", ".join(f"(i64){number(value & (1 << 64) - 1)}" for value in instr.values)
            self.line(f"static const i64 cases[] = {{ {cases} }};")
            self.guard(f"choose_case({asked}, cases, {len(instr.values)})")
        else:
            self.guard(f"choose({asked})")
        self.go_on((instr.dst, out))


def _low(value: str, width: int, size: int) -> str:
    return value if width == 8 * size else f"({value} & {number((1 << width) - 1)})"


def _get(place: str, size: int) -> str:
    return f"get{8 * size}{place}" if size in (1, 2, 4, 8) else f"get_bytes({place}, {size})"


def _put(place: str, size: int, value: str) -> str:
    return f"put{8 * size}({place}, {value});" if size in (1, 2, 4, 8) else f"put_bytes({place}, {size}, {value});"


def _combined(op: RmwOp, old: str, value: str, width: int) -> str:
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
