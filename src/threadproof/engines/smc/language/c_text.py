"""Terms as C text over the state block of the native machine: the same values as `evaluate` gives.

Integers are `i64` that wrap (arithmetic is done unsigned), floats are `double`; threads are slots.
"""

from __future__ import annotations

from threadproof.codegen.machine.monitor import MonitorText
from threadproof.codegen.machine.numbering import Numbering
from threadproof.core.errors import InputError
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.syntax import Quantifier
from threadproof.ir.ctypes import Encoding
from threadproof.ir.program import Mutability

_HELPERS = """
static inline i64 q_div(i64 a, i64 b) { return !b ? 0 : b == -1 ? (i64)(0 - (u64)a) : a / b; }
static inline i64 q_mod(i64 a, i64 b) { return !b || b == -1 ? 0 : a % b; }
static inline double q_fdiv(double a, double b) { return b == 0 ? 0 : a / b; }
static inline double q_f32(u64 v) { u32 w = (u32)v; float f; copy_bytes(&f, &w, 4); return f; }
static inline double q_f64(u64 v) { double f; copy_bytes(&f, &v, 8); return f; }
static inline int q_alive(State *S, u32 slot) {
    return slot < SLOTS && S->t[slot].phase != PHASE_NONE && S->t[slot].phase != PHASE_FINISHED;
}
static inline u64 q_known(const u8 *data, const u8 *mask, u32 size) {
    u64 v = 0;
    for (u32 i = 0; i < size; i++) if (!mask || !mask[i]) v |= (u64)data[i] << (8 * i);
    return v;
}
static u64 q_peek(State *S, u64 a, u32 size) {
    Area A = area_of(S, a);
    u32 rank = rank_in(&A, a);
    if (!rank) return 0;
    Ref r = ref_in(S, &A, rank - 1);
    if ((r.flags & FREED) || a - r.start + size > r.size) return 0;
    return q_known(r.data + (a - r.start), r.mask ? r.mask + (a - r.start) : 0, size);
}
/* Registers and stack bytes of the topmost frame of a function. */
static int q_frame(State *S, u32 slot, u32 fn, u32 *rb, u32 *base) {
    if (!q_alive(S, slot)) return 0;
    Thread *T = &S->t[slot];
    if (T->fn == fn) { *rb = T->rb; *base = T->base; return 1; }
    for (u32 i = T->nframes; i-- > 0;)
        if (T->frames[i].fn == fn) { *rb = T->frames[i].rb; *base = T->frames[i].base; return 1; }
    return 0;
}
static u64 q_reg(State *S, u32 slot, u32 fn, u32 reg) {
    u32 rb, base;
    return q_frame(S, slot, fn, &rb, &base) ? S->t[slot].regs[rb + reg] : 0;
}
static u64 q_local(State *S, u32 slot, u32 fn, u32 at, u32 extent, i64 offset, u32 size) {
    u32 rb, base;
    if (slot == SLOTS)
        for (slot = 0; slot < SLOTS && !q_frame(S, slot, fn, &rb, &base);) slot++;
    if (!q_frame(S, slot, fn, &rb, &base) || offset < 0 || offset + size > extent) return 0;
    return q_known(S->t[slot].sdata + base + at + offset, S->t[slot].smask + base + at + offset, size);
}
static u64 q_own(State *S, u32 slot, u32 at, u32 extent, i64 offset, u32 size) {
    const u8 *mask = 0;
    if (!q_alive(S, slot) || offset < 0 || offset + size > extent) return 0;
#if MASKED_GLOBALS
    mask = S->t[slot].tls_mask + at + offset;
#endif
    return q_known(S->t[slot].tls + at + offset, mask, size);
}
"""


class NoText(InputError):
    """The native machine cannot evaluate this; the reference semantics can."""


def c_text(numbering: Numbering, term: e.Term, prefix: str = "q") -> MonitorText:
    """`prefix` tells the names of texts apart that go into one machine."""
    printer = _Printer(numbering, prefix)
    text = printer.text(term)
    return MonitorText(text, (_HELPERS, *printer.declarations), frozenset(printer.keeps))


def _chain(term: e.Term, op: str) -> list[e.Term]:
    """Operands of `a op b op c`: compilers count how deep brackets are nested."""
    operands: list[e.Term] = []
    while isinstance(term, e.Bin) and term.op == op:
        operands.append(term.right)
        term = term.left
    return [term, *reversed(operands)]


class _Printer:
    def __init__(self, numbering: Numbering, prefix: str) -> None:
        self._numbering = numbering
        self._prefix = prefix
        self.declarations: list[str] = []
        self.keeps: set[tuple[str, str]] = set()
        self._depth = 0

    def text(self, term: e.Term) -> str:
        match term:
            case e.Num():
                return repr(term.value) if isinstance(term.value, float) else f"((i64){term.value % (1 << 64)}ULL)"
            case e.Un():
                return self._unary(term)
            case e.Bin():
                return self._binary(term)
            case e.If():
                then, otherwise = self.text(term.then), self.text(term.otherwise)
                if e.is_float(term):
                    then, otherwise = f"(double){then}", f"(double){otherwise}"
                return f"({self.text(term.condition)} ? {then} : {otherwise})"
            case e.Stands():
                return self._stands(term)
            case e.Quant():
                return self._quant(term)
            case e.RegValue():
                body = self._numbering.bodies[term.function]
                self.keeps.add((term.function, term.register))
                slot = body.slots[term.register]
                value = f"q_reg(S, {self._slot(term.process)}, {body.index}, {slot})"
                return _decoded(value, term.bits, term.encoding)
            case e.Mem():
                return self._memory(term)

    # --- operators ---------------------------------------------------------------------------------------------------

    def _unary(self, term: e.Un) -> str:
        operand = self.text(term.operand)
        match term.op:
            case "-" if not e.is_float(term.operand):
                return f"((i64)(0ULL - (u64)({operand})))"
            case "!":
                return f"((i64)!({operand}))"
            case _:
                return f"({term.op}({operand}))"

    def _binary(self, term: e.Bin) -> str:
        if term.op in ("&&", "||"):
            return f"((i64)({f' {term.op} '.join(f'({self.text(one)})' for one in _chain(term, term.op))}))"
        left, right = self.text(term.left), self.text(term.right)
        floats = e.is_float(term.left) or e.is_float(term.right)
        match term.op:
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return f"((i64)(({left}) {term.op} ({right})))"
            case "/":
                return f"{'q_fdiv' if floats else 'q_div'}({left}, {right})"
            case "%":
                return f"q_mod({left}, {right})"
            case "<<":
                return f"((i64)((u64)({left}) << (({right}) & 63)))"
            case ">>":
                return f"(({left}) >> (({right}) & 63))"
            case "+" | "-" | "*" if floats:
                return f"((double)({left}) {term.op} (double)({right}))"
            case _:
                return f"((i64)((u64)({left}) {term.op} (u64)({right})))"

    # --- threads -----------------------------------------------------------------------------------------------------

    def _slot(self, process: e.Proc) -> str:
        return f"slot_of_number(S, {process.number})" if isinstance(process, e.Fixed) else f"q{process.index}"

    def _variables(self) -> tuple[str, str]:
        """Parameters and arguments for what is outside a new function."""
        names = [f"q{index}" for index in range(self._depth)]
        return "".join(f", u32 {name}" for name in names), "".join(f", {name}" for name in names)

    def _fresh(self, kind: str) -> str:
        return f"{self._prefix}_{kind}_{len(self.declarations)}"

    def _stands(self, term: e.Stands) -> str:
        points = {self._numbering.bodies[name].start + pc for name, pcs in term.sites.items() for pc in pcs}
        table = self._fresh("points").upper()
        marks = ",".join("1" if pc in points else "0" for pc in range(self._numbering.pc_count))
        self.declarations.append(f"static const u8 {table}[PC_COUNT] = {{ {marks} }};")
        if term.process is not None:
            slot = self._slot(term.process)
            return f"((i64)(q_alive(S, {slot}) && {table}[S->t[{slot}].pc]))"
        name = self._fresh("some")
        self.declarations.append(
            f"static inline i64 {name}(State *S) {{ for (u32 i = 0; i < SLOTS; i++) "
            f"if (q_alive(S, i) && {table}[S->t[i].pc]) return 1; return 0; }}"
        )
        return f"{name}(S)"

    def _quant(self, term: e.Quant) -> str:
        parameters, arguments = self._variables()
        self._depth += 1
        body = self.text(term.body)
        self._depth -= 1
        exists = int(term.quantifier is Quantifier.EXISTS)
        name = self._fresh("quant")
        self.declarations.append(
            f"static i64 {name}(State *S{parameters}) {{ for (u32 q{term.index} = 0; q{term.index} < SLOTS; "
            f"q{term.index}++) if (q_alive(S, q{term.index}) && !!({body}) == {exists}) return {exists}; "
            f"return {1 - exists}; }}"
        )
        return f"{name}(S{arguments})"

    # --- memory --------------------------------------------------------------------------------------------------

    def _memory(self, term: e.Mem) -> str:
        size = (term.shift + term.bits + 7) // 8
        if size > 8:
            raise NoText("a bit-field over nine bytes")
        value = self._bytes(term, size)
        return _decoded(f"({value} >> {term.shift})" if term.shift else value, term.bits, term.encoding)

    def _bytes(self, term: e.Mem, size: int) -> str:
        match term.base:
            case e.StaticBase():
                return self._static(term.base.name, term.offset, size)
            case e.LocalBase():
                return self._local(term.base, term.offset, size)
            case e.ThreadBase():
                placed = self._numbering.by_name[term.base.name]
                where = f"{self._slot(term.base.process)}, {placed.offset}, {placed.variable.size}"
                return f"q_own(S, {where}, {self.text(term.offset)}, {size})"
            case e.PointerBase():
                return f"q_peek(S, (u64)({self.text(term.base.pointer)}) + (u64)({self.text(term.offset)}), {size})"

    def _static(self, name: str, offset: e.Term, size: int) -> str:
        placed = self._numbering.by_name[name]
        where = "CONSTANT_BYTES" if placed.variable.mutability is Mutability.CONSTANT else "S->g"
        if isinstance(offset, e.Num):
            return f"get_bytes({where} + {placed.offset + int(offset.value)}, {size})"
        parameters, arguments = self._variables()
        reader = self._fresh("element")
        self.declarations.append(
            f"static inline u64 {reader}(State *S{parameters}) {{ i64 at = {self.text(offset)}; "
            f"return at < 0 || at + {size} > {placed.variable.size} ? 0 "
            f": get_bytes({where} + {placed.offset} + at, {size}); }}"
        )
        return f"{reader}(S{arguments})"

    def _local(self, base: e.LocalBase, offset: e.Term, size: int) -> str:
        body = self._numbering.bodies[base.function]
        local = next((local for local in body.locals.values() if local.name == base.variable), None)
        if local is None:
            raise NoText(f"the variable {base.variable} of {base.function} has no fixed place")
        slot = "SLOTS" if base.process is None else self._slot(base.process)
        return f"q_local(S, {slot}, {body.index}, {local.offset}, {local.size}, {self.text(offset)}, {size})"


def _decoded(value: str, bits: int, encoding: Encoding) -> str:
    if encoding is Encoding.FLOAT:
        return f"q_f{bits}({value})"
    if bits == 64:
        return f"((i64)({value}))"
    if encoding in (Encoding.UNSIGNED, Encoding.BOOL):
        return f"((i64)(({value}) & {(1 << bits) - 1}ULL))"
    return f"((i64)(({value}) << {64 - bits}) >> {64 - bits})"
