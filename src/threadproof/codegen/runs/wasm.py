"""The step machine as WebAssembly, for a page in which the program runs, with what a reader of its states must know.

`zig cc -target wasm32-freestanding` and `zig wasm-ld`: both are part of the bundled compiler. A state has the same
layout as in the native machine, since nothing in it is a pointer of C.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadproof.codegen.machine.blocks import ObjBlock, state_block
from threadproof.codegen.machine.capacity import Capacity, slot_is_number, suggested
from threadproof.codegen.machine.machine_text import machine_text
from threadproof.codegen.machine.monitor import NO_MONITOR
from threadproof.codegen.machine.numbering import Numbering
from threadproof.codegen.machine.operations import UNDEFINED_KINDS
from threadproof.codegen.machine.variant import Footprints, Variant
from threadproof.codegen.runs.build import COMPILE_S, LINK_S, zig
from threadproof.codegen.runs.decode import Decoder
from threadproof.core.thread_id import identity, name
from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, Encoding, Enumeration, Opaque, Scalar, type_name
from threadproof.ir.program import Mutability, Program
from threadproof.semantics.naming import is_of_library
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.sync.objects import SYNC_TYPES

LEAVES = 400  # scalars that are shown, of all variables together
ELEMENTS = 16  # of one array

_MEMORY = """
void *memcpy(void *to, const void *from, unsigned long n) {
    char *a = to; const char *b = from; while (n--) *a++ = *b++; return to;
}
void *memmove(void *to, const void *from, unsigned long n) {
    char *a = to; const char *b = from;
    if (a < b) while (n--) *a++ = *b++; else while (n--) a[n] = b[n];
    return to;
}
void *memset(void *to, int value, unsigned long n) { char *a = to; while (n--) *a++ = (char)value; return to; }
int memcmp(const void *one, const void *other, unsigned long n) {
    const unsigned char *a = one, *b = other;
    for (; n--; a++, b++) if (*a != *b) return *a - *b;
    return 0;
}
"""
_FLAGS = (
    "-target", "wasm32-freestanding", "-c", "-Os", "-x", "c", "-std=gnu11", "-w", "-fno-sanitize=all", "-fno-builtin",
    "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-g0",
)  # fmt: skip
_EXPORTS = tuple(f"--export={symbol}" for symbol in ("tp_initial", "tp_step", "tp_state_size", "__heap_base"))


@dataclass(frozen=True, slots=True)
class WasmMachine:
    binary: bytes
    table: dict[str, Any]  # for the page's own code
    decoder: Decoder  # of its states


def wasm_machine(program: Program, spurious: Spurious) -> WasmMachine:
    numbering = Numbering(program)
    capacity = suggested(numbering, Capacity(), 0)
    variant = Variant(Granularity.VISIBLE, spurious, Solo.LIVE, Footprints.OFF, 0)
    text = machine_text(numbering, variant, capacity, NO_MONITOR)
    decoder = Decoder(numbering, state_block(numbering, capacity), slot_is_number(numbering))
    return WasmMachine(_compiled(text + _MEMORY), _table(numbering, capacity), decoder)


def _compiled(text: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="threadproof-") as scratch:
        folder = Path(scratch)
        (folder / "machine.c").write_text(text, encoding="utf-8")
        zig(folder, COMPILE_S, "cc", *_FLAGS, "machine.c", "-o", "machine.o")
        link = ("--no-entry", "--gc-sections", "-s", "--allow-undefined", *_EXPORTS)
        zig(folder, LINK_S, "wasm-ld", *link, "machine.o", "-o", "machine.wasm")
        return (folder / "machine.wasm").read_bytes()


# --- what a reader of states must know ---------------------------------------------------------------------------


def _table(numbering: Numbering, capacity: Capacity) -> dict[str, Any]:
    layout: Any = state_block(numbering, capacity)
    thread: Any = dict(layout._fields_)["t"]._type_
    own = slot_is_number(numbering)
    numbers = [slot if own or not slot else 2 * slot - 1 for slot in range(capacity.threads)]
    fields = ("phase", "waiting", "pc", "nframes", "nheap", "heap", "hdata", "hmask")
    functions = list(numbering.bodies)
    files = sorted({instr.loc.file for body in numbering.bodies.values() for instr in body.instrs})
    lines: list[int] = []
    for index, body in enumerate(numbering.bodies.values()):
        for instr in body.instrs:
            lines += (index, files.index(instr.loc.file), instr.loc.line)
    return {
        "state": ctypes.sizeof(layout),
        "threads": layout.t.offset,
        "thread": ctypes.sizeof(thread),
        "slots": capacity.threads,
        "names": [name(identity(number)) for number in numbers],
        "numbers": numbers,
        "at": {field: getattr(thread, field).offset for field in fields},
        "object": {field: getattr(ObjBlock, field).offset for field in ("start", "size", "off", "name", "flags")},
        "object_size": ctypes.sizeof(ObjBlock),
        "functions": functions,
        "files": files,
        "lines": lines,  # by program counter: function, file, line
        "texts": list(numbering.texts.texts),
        "object_names": list(numbering.names.texts),
        "undefined": [kind.value for kind in UNDEFINED_KINDS],
        "variables": list(_variables(numbering, layout.g.offset)),
        "objects": [[p.address, p.variable.size, p.variable.c_name or p.variable.name] for p in numbering.globals],
        "blocks": {site: _block(use.types, use.holder) for site, use in numbering.program.blocks.items()},
    }


def _variables(numbering: Numbering, start: int) -> Iterator[list[Any]]:
    left = LEAVES
    for placed in numbering.globals:
        variable = placed.variable
        if variable.mutability is Mutability.CONSTANT or not variable.c_name or variable.ctype is None:
            continue
        if is_of_library(variable):
            continue
        for path, offset, bits, kind in _leaves(variable.ctype):
            left -= 1
            if left >= 0:
                yield [variable.c_name + path, start + placed.offset + offset, bits, kind]


def _block(types: list[CType], holder: str) -> list[Any]:
    """Of the blocks of one place: for each type its size, what they are called, and the scalars in it."""
    return [holder, [[ctype.bits // 8, _tag(ctype), list(_leaves(ctype))] for ctype in types if ctype.bits]]


def _tag(ctype: CType) -> str:
    return type_name(ctype).removeprefix("struct ").removeprefix("union ")


def _leaves(ctype: CType, path: str = "", offset: int = 0) -> Iterator[tuple[str, int, int, str]]:
    """Path, byte, width and kind of the scalars: signed, unsigned, float, pointer, lock, or something else."""
    match ctype:
        case Scalar() | CRecord() | Opaque() if ctype.name in SYNC_TYPES:
            yield path, offset, 32, "lock" if "mutex" in ctype.name or "spin" in ctype.name else "sync"
        case CRecord(members=members):
            for member in members:
                if not member.bits % 8 and not member.offset_bits % 8:
                    yield from _leaves(member.type, f"{path}.{member.name}", offset + member.offset_bits // 8)
        case CArray(element=element, count=count) if count and ctype.bits:
            for index in range(min(count, ELEMENTS)):
                yield from _leaves(element, f"{path}[{index}]", offset + index * (ctype.bits // count // 8))
        case Scalar(encoding=encoding) if ctype.bits in (8, 16, 32, 64):
            kind = "float" if encoding is Encoding.FLOAT else "unsigned" if encoding is Encoding.UNSIGNED else "signed"
            yield path, offset, ctype.bits, "thread" if ctype.name in ("pthread_t", "thrd_t") else kind
        case CPointer():
            yield path, offset, ctype.bits, "pointer"
        case Enumeration():
            yield path, offset, ctype.bits, "signed"
        case _:
            return
