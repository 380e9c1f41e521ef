"""Addresses and values in the program's own words, for traces and explanations.

Heap blocks have the names that `heap_names` gives them, as the pointer to them would be written: `pool->queue[2].lock`,
`node#2->next`. A pointer is shown as what it points to: `node#2`, `&pool->lock`, never as a number.
"""

from __future__ import annotations

from threadproof.core.thread_id import name
from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, place, show_value
from threadproof.ir.program import GlobalVar, Program
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.heap_names import HeapNames, elements
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import Life, Obj, State, Value
from threadproof.sync.objects import SYNC_TYPES

_PUBLIC = frozenset(
    ("environ", "optarg", "optind", "opterr", "optopt", "stdin", "stdout", "stderr", "signgam", "timezone", "daylight")
)
"""Variables of the C library that programs name."""

_LOCAL = "a local"  # that no state knows: it is made and gone within one step


def is_of_library(variable: GlobalVar) -> bool:
    """Whether our C library keeps it for itself."""
    return variable.loc.file == RUNTIME and variable.c_name not in _PUBLIC


class Names:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._program: Program = machine.program
        self.heap = HeapNames(machine.program, machine.static.image)
        self._locals = {
            key: variable
            for function in machine.program.functions.values()
            for key, variable in function.variables.items()
        }
        own = {key for one in machine.program.functions.values() if one.loc.file != RUNTIME for key in one.variables}
        variables = machine.program.globals.items()
        self._internal = set(self._locals) - own - set(machine.program.globals)
        self._internal |= {name for name, variable in variables if is_of_library(variable)}

    def place(self, state: State, address: Value) -> tuple[str, CType | None]:
        """What lies at an address (`buffer[2].next`) and its C type where known."""
        view = MemoryView(self._machine.static.image, state)
        try:
            obj = view.find(address)
        except (Trap, Unsupportable):
            if not isinstance(address, int):
                return "a far pointer", None
            return (_LOCAL if view.in_a_stack(address) else hex(address)), None
        return self._inside(state, obj, address - obj.start)

    def title(self, state: State, address: Value) -> str:
        return self.place(state, address)[0]

    def block(self, state: State, address: Value) -> str:
        """The heap block that begins there, as a pointer to it is shown."""
        return self._pointer(state, address) if isinstance(address, int) else "a far pointer"

    def is_known(self, state: State, address: Value) -> bool:
        """Whether something lies there."""
        title = self.title(state, address)
        return title != _LOCAL and not title.startswith("0x")

    def is_internal(self, state: State, address: Value) -> bool:
        """Whether our C library or a pass keeps something there that the program does not know of."""
        try:
            obj = MemoryView(self._machine.static.image, state).find(address)
        except (Trap, Unsupportable):
            return False
        if obj.name in self._internal or obj.name.startswith("<"):
            return True
        return ".__jmpbuf[" in self._inside(state, obj, address - obj.start)[0]  # what setjmp keeps, as glibc has it

    def _inside(self, state: State, obj: Obj, offset: int) -> tuple[str, CType | None]:
        known = self._variable(obj)
        if known is None:
            return _in_block(self._block(state, obj), self.heap.type_of(obj), obj.size, offset)
        title, ctype = known
        if ctype is None:
            return (f"{title}+{offset}" if offset else title), None
        path, found = place(ctype, offset, SYNC_TYPES)
        return title + path, found

    def type_of(self, obj: Obj) -> CType | None:
        """Of the whole object; of a heap block that holds several things, an array of them."""
        known = self._variable(obj)
        if known is not None:
            return known[1]
        ctype = self.heap.type_of(obj)
        if ctype is None or not ctype.bits:
            return None
        count = elements(ctype, obj.size)
        return ctype if count == 1 else CArray(ctype, count, count * ctype.bits)

    def object(self, state: State, obj: Obj) -> str:
        """A variable by its name, a block as a pointer to it is shown."""
        known = self._variable(obj)
        return self._block(state, obj) if known is None else known[0]

    def variable(self, key: str) -> str:
        """The C name of what the program calls `key`: a global, a local, the blocks of one place."""
        known = self._program.globals.get(key)
        if known is not None:
            return known.c_name or known.name
        if key in self._program.blocks:
            return "memory of " + key.replace("@", " at line ")
        local = self._locals.get(key)
        return "a value" if local is None else local.c_name

    def see(self, state: State) -> None:
        self.heap.see(state)

    def _variable(self, obj: Obj) -> tuple[str, CType | None] | None:
        variable = self._program.globals.get(obj.name)
        if variable is not None:
            return variable.c_name or variable.name, variable.ctype
        local = self._locals.get(obj.name)
        return None if local is None else (local.c_name, local.ctype)

    def _block(self, state: State, obj: Obj) -> str:
        """A heap block, or what else has no name in the program."""
        if not self.heap.knows(obj):
            self.heap.see(state)
        return self.heap.title(obj)

    def value(self, state: State, value: Value, ctype: CType | None, bits: int) -> str:
        if not isinstance(value, int):
            return "a far pointer"
        if isinstance(ctype, CPointer) and value:
            return self._pointer(state, value)
        return show_value(value, ctype, bits)

    def _pointer(self, state: State, value: int) -> str:
        code = self._machine.static.functions_at.get(value)
        if code is not None:
            return code.name
        view = MemoryView(self._machine.static.image, state)
        obj = view.zone(value)
        if obj is None:
            return f"{hex(value)} (a local that is gone)" if view.in_a_stack(value) else hex(value)
        known, offset = self._variable(obj), value - obj.start
        if known is None and (offset == 0 or not 0 <= offset < obj.size):
            return self._block(state, obj) + _bytes(offset) + (" (freed)" if obj.life is Life.FREED else "")
        if obj.life is not Life.ALIVE:
            return f"&{self._inside(state, obj, offset)[0]} ({'freed' if known is None else 'which is gone'})"
        if 0 <= offset < obj.size:
            return f"&{self._inside(state, obj, offset)[0]}"
        title, ctype = known or ("", None)
        if isinstance(ctype, CArray) and ctype.element.bits and not 8 * offset % ctype.element.bits:
            return f"&{title}[{8 * offset // ctype.element.bits}]"
        return f"&{title}{_bytes(offset)}"

    def thread(self, state: State, handle: Value) -> str:
        thread = state.threads.get(handle - 1) if isinstance(handle, int) else None
        return f"thread {handle}" if thread is None else name(thread.id)


def _bytes(offset: int) -> str:
    return "" if not offset else f" {'+' if offset > 0 else '-'} {abs(offset)}"


def _in_block(title: str, ctype: CType | None, size: int, offset: int) -> tuple[str, CType | None]:
    element = 0 if ctype is None else ctype.bits // 8
    if ctype is None or not element or size < element:
        return (f"*({title} + {offset})" if offset else f"*{title}"), None
    if elements(ctype, size) > 1:
        index, inside = divmod(offset, element)
        path, found = place(ctype, inside, SYNC_TYPES)
        return f"{title}[{index}]{path}", found
    path, found = _behind(ctype, offset) or place(ctype, offset, SYNC_TYPES)
    return (f"{title}->{path[1:]}" if path.startswith(".") else f"(*{title}){path}" if path else f"*{title}"), found


def _behind(ctype: CType, offset: int) -> tuple[str, CType | None] | None:
    """In the array without a size that ends a record."""
    last = ctype.members[-1] if isinstance(ctype, CRecord) and ctype.members else None
    if last is None or not isinstance(last.type, CArray) or last.type.bits or not last.type.element.bits:
        return None
    if 8 * offset < last.offset_bits:
        return None
    index, inside = divmod(offset - last.offset_bits // 8, last.type.element.bits // 8)
    path, found = place(last.type.element, inside, SYNC_TYPES)
    return f".{last.name}[{index}]{path}", found
