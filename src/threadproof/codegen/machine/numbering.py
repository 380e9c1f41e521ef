"""Where everything of a program lies in the generated machine: program counters, register slots, bytes, names.

Counters run through all functions, slots and live sets are those of the reference semantics, so a state of one can
be told as a state of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from threadproof.codegen.machine.environment_text import NativeEnvironment
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import control_flow
from threadproof.ir.expr import Const, Expr, GlobalRef, PtrAdd, Reg, TlsRef, registers
from threadproof.ir.instr import Instr
from threadproof.ir.layout import Layout
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Function, GlobalVar, Lifetime, Mutability, Origin, Program, Relocation

RUNTIME = "<runtime>"


def padded(size: int) -> int:
    return -(-size // 8) * 8


@dataclass(frozen=True, slots=True)
class Local:
    """A stack object of fixed size, made once in the entry block: its place in the frame is known."""

    offset: int
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class KnownAddress:
    """An address whose object is known: a global, a thread-local variable or a local of the running frame."""

    kind: str  # "global", "tls", "local"
    key: str  # its name; of a local the register that holds its address
    size: int
    offset: int


@dataclass(frozen=True, slots=True)
class Body:
    """One function, numbered."""

    name: str
    index: int
    function: Function
    start: int  # global pc of its first instruction
    instrs: tuple[Instr, ...]
    starts: dict[str, int]  # global pc by block label
    live: tuple[frozenset[str], ...]  # before each instruction
    slots: dict[str, int]
    masks: dict[str, int]  # slot of the byte mask of a register that only copies
    locals: dict[str, Local]  # by register
    derived: dict[str, Expr]  # registers that are assigned once, and hold pointer arithmetic

    @property
    def slot_count(self) -> int:
        """With slot 0, which holds nothing."""
        return 1 + len(self.slots) + len(self.masks)


@dataclass(slots=True)
class Strings:
    """Interned texts: the machine speaks in numbers."""

    texts: list[str] = field(default_factory=list[str])
    _index: dict[str, int] = field(default_factory=dict[str, int])

    def number(self, text: str) -> int:
        found = self._index.get(text)
        if found is None:
            found = self._index[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclass(frozen=True, slots=True)
class Placed:
    """A global or thread-local variable with its content and place in the state (or among the constants)."""

    variable: GlobalVar
    address: int  # of a thread-local variable: the offset in the arena
    offset: int
    content: bytes
    name: int


class Numbering:
    def __init__(self, program: Program, environment: NativeEnvironment | None = None) -> None:
        self.program = program
        self.environment = environment
        self.layout: Layout = program.layout()
        self.pointer_bytes = program.data_model.pointer_bytes
        self.address_mask = (1 << program.data_model.pointer_bits) - 1
        self.refusal = ""  # why no step can be made, if so
        self.names = Strings()
        self.texts = Strings()
        self.bodies: dict[str, Body] = {}
        start = 0
        for index, function in enumerate(program.functions.values()):
            body = _number(function, index, start)
            self.bodies[function.name] = body
            start += len(body.instrs)
        self.pc_count = start
        self.masked = any(body.masks for body in self.bodies.values())
        self._place()

    # --- variables -----------------------------------------------------------------------------------------------

    def _place(self) -> None:
        self.globals: list[Placed] = []
        self.tls: list[Placed] = []
        self.global_bytes, self.constant_bytes, self.tls_bytes = 0, 0, 0
        for variable in self.program.globals.values():
            content, size = self._content(variable), padded(variable.size)
            name = self.names.number(variable.name)
            if variable.lifetime is Lifetime.THREAD:
                address = self.layout.tls[variable.name]
                self.tls.append(Placed(variable, address, self.tls_bytes, content, name))
                self.tls_bytes += size
                continue
            address = self.layout.globals[variable.name]
            if variable.mutability is Mutability.CONSTANT:
                self.globals.append(Placed(variable, address, self.constant_bytes, content, name))
                self.constant_bytes += size
            else:
                self.globals.append(Placed(variable, address, self.global_bytes, content, name))
                self.global_bytes += size
        self.globals.sort(key=lambda placed: placed.address)
        self.tls.sort(key=lambda placed: placed.address)
        self.by_name = {placed.variable.name: placed for placed in (*self.globals, *self.tls)}

    def _content(self, variable: GlobalVar) -> bytes:
        content = bytearray(variable.image[: variable.size].ljust(variable.size, b"\0"))
        for relocation in variable.relocations:
            self._require_near(relocation)
            value = (self.layout.address(relocation.target) + relocation.addend) & self.address_mask
            end = relocation.offset + self.pointer_bytes
            content[relocation.offset : end] = value.to_bytes(self.pointer_bytes, "little")
        return bytes(content)

    def _require_near(self, relocation: Relocation) -> None:
        target = self.program.globals.get(relocation.target)
        size, half = 0 if target is None else target.size, self.layout.plan.red_zone // 2
        if not -half <= relocation.addend < size + half:
            self.refusal = f"an initial value that points far outside {relocation.target}"

    def shared(self, placed: Placed) -> bool:
        constant = placed.variable.mutability is Mutability.CONSTANT and placed.variable.lifetime is Lifetime.PROGRAM
        return not constant and placed.variable.name not in self.program.unshared

    # --- addresses whose object is known -------------------------------------------------------------------------

    def known(self, body: Body, address: Expr) -> KnownAddress | None:
        match address:
            case GlobalRef() | TlsRef():
                placed = self.by_name.get(address.name)
                if placed is None or not placed.variable.size or placed.variable.origin is Origin.ELSEWHERE:
                    return None
                kind = "global" if isinstance(address, GlobalRef) else "tls"
                return KnownAddress(kind, address.name, placed.variable.size, 0)
            case Reg():
                local = body.locals.get(address.name)
                return None if local is None else KnownAddress("local", address.name, local.size, 0)
            case PtrAdd(offset=Const(value=value, width=width)):
                base = self.known(body, address.base)
                if base is None:
                    return None
                offset = base.offset + (value - (1 << width) if value >> (width - 1) else value)
                half = self.layout.plan.red_zone // 2
                inside = -half <= offset < base.size + half
                return KnownAddress(base.kind, base.key, base.size, offset) if inside else None
            case _:
                return None

    def likely(self, body: Body, address: Expr) -> KnownAddress | None:
        """The object the address was computed from: it lies there, or outside every object."""
        match address:
            case PtrAdd():
                return self.known(body, address.base) or self.likely(body, address.base)
            case Reg() if address.name in body.derived:
                return self.likely(body, body.derived[address.name])
            case _:
                return None


def _number(function: Function, index: int, start: int) -> Body:
    flow = control_flow(function)
    instrs = flow.instrs
    live = live_before(function)
    points = tuple(point for block in function.blocks for point in live[block.label])
    slots = _slots(function)
    copies = _copies(function, instrs)
    masks = {name: 1 + len(slots) + i for i, name in enumerate(sorted(copies))}
    return Body(
        function.name,
        index,
        function,
        start,
        instrs,
        {label: start + at for label, at in flow.starts.items()},
        points,
        slots,
        masks,
        _locals(function, instrs),
        _derived(instrs),
    )


def _slots(function: Function) -> dict[str, int]:
    names = [param.name for param in function.params]
    for instr in function.instrs():
        names.extend(reg.name for reg in ir.defs(instr))
        names.extend(dst.name for edge in ir.edges(instr) for dst, _ in edge.moves)
    return {name: slot for slot, name in enumerate(dict.fromkeys(names), start=1)}


def _copies(function: Function, instrs: Iterable[Instr]) -> frozenset[str]:
    """Registers that are loaded only to be stored: they carry the mask of arbitrary bytes along."""
    used: dict[str, int] = {}
    stored: set[str] = set()
    loaded: set[str] = set()
    for instr in instrs:
        for expr in ir.all_uses(instr):
            for name in registers(expr):
                used[name] = used.get(name, 0) + 1
        if isinstance(instr, ir.Store) and isinstance(instr.value, Reg):
            stored.add(instr.value.name)
        if isinstance(instr, ir.Load) and instr.dst.width == 8 * instr.size:
            library = function.loc.file == RUNTIME
            if library or instr.purpose is not ir.Purpose.VALUE:
                loaded.add(instr.dst.name)
    return frozenset(name for name in stored & loaded if used[name] == 1)


def _locals(function: Function, instrs: Sequence[Instr]) -> dict[str, Local]:
    entry = function.blocks[0]
    jumped_to = any(edge.target == entry.label for instr in instrs for edge in ir.edges(instr))
    if jumped_to or any(isinstance(instr, ir.StackRestore) for instr in instrs):
        return {}
    found: dict[str, Local] = {}
    offset = 0
    for instr in entry.instrs:
        if not (isinstance(instr, ir.Alloc) and instr.storage is ir.Storage.STACK):
            continue
        if not isinstance(instr.size, Const):
            break
        found[instr.dst.name] = Local(offset, instr.size.value, instr.name)
        offset += padded(instr.size.value)
    defined = _definitions(instrs)
    return {name: local for name, local in found.items() if defined[name] == 1}


def _derived(instrs: Sequence[Instr]) -> dict[str, Expr]:
    defined = _definitions(instrs)
    return {
        instr.dst.name: instr.value
        for instr in instrs
        if isinstance(instr, ir.Assign) and isinstance(instr.value, PtrAdd) and defined[instr.dst.name] == 1
    }


def _definitions(instrs: Sequence[Instr]) -> dict[str, int]:
    """How often each register is written."""
    defined: dict[str, int] = {}
    for instr in instrs:
        for reg in ir.defs(instr):
            defined[reg.name] = defined.get(reg.name, 0) + 1
        for edge in ir.edges(instr):
            for dst, _ in edge.moves:
                defined[dst.name] = defined.get(dst.name, 0) + 1
    return defined
