"""Addresses and values in the program's own words, for traces and explanations.

A heap block is called by the function and line that allocated it, as the pointer to it would be: `malloc@5->next`,
`malloc@5[2]`; the second one from there is `malloc@5#2`, one that thread T1 allocated `malloc@5(T1)`.
"""

from __future__ import annotations

from threadproof.core.thread_id import MAIN, name
from threadproof.ir.ctypes import CArray, CPointer, CType, place, show_value
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import Life, Obj, State, Thread, Value
from threadproof.sync.objects import SYNC_TYPES

_LOCAL = "a local"  # that no state knows: it is made and gone within one step


class Names:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._program: Program = machine.program
        self._locals = {
            key: variable
            for function in machine.program.functions.values()
            for key, variable in function.variables.items()
        }

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

    def _inside(self, state: State, obj: Obj, offset: int) -> tuple[str, CType | None]:
        known = self._variable(obj)
        if known is None:
            ctype = _fitting(self._program.blocks.get(obj.name, []), obj.size)
            return _in_block(self._block(state, obj), ctype, obj.size, offset)
        title, ctype = known
        if ctype is None:
            return (f"{title}+{offset}" if offset else title), None
        path, found = place(ctype, offset, SYNC_TYPES)
        return title + path, found

    def type_of(self, obj: Obj) -> CType | None:
        known = self._variable(obj)
        return None if known is None else known[1]

    def _variable(self, obj: Obj) -> tuple[str, CType | None] | None:
        variable = self._program.globals.get(obj.name)
        if variable is not None:
            return variable.c_name or variable.name, variable.ctype
        local = self._locals.get(obj.name)
        return None if local is None else (local.c_name, local.ctype)

    def _block(self, state: State, obj: Obj) -> str:
        """A heap block, or what else has no name in the program."""
        owner = next((thread for thread in state.threads.values() if _allocated(thread, obj)), None)
        if owner is None:
            return obj.name
        before = sum(1 for other in owner.heap if other.name == obj.name and other.start < obj.start)
        number = f"#{before + 1}" if before else ""
        return f"{obj.name}{number}" if owner.id == MAIN else f"{obj.name}{number}({name(owner.id)})"

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


def _allocated(thread: Thread, obj: Obj) -> bool:
    return any(other.start == obj.start for other in thread.heap)


def _bytes(offset: int) -> str:
    return "" if not offset else f" {'+' if offset > 0 else '-'} {abs(offset)}"


def _in_block(title: str, ctype: CType | None, size: int, offset: int) -> tuple[str, CType | None]:
    element = 0 if ctype is None else ctype.bits // 8
    if ctype is None or not element or size < element:
        return (f"*({title} + {offset})" if offset else f"*{title}"), None
    index, inside = divmod(offset, element)
    path, found = place(ctype, inside, SYNC_TYPES)
    if size >= 2 * element:
        return f"{title}[{index}]{path}", found
    return (f"{title}->{path[1:]}" if path.startswith(".") else f"(*{title}){path}" if path else f"*{title}"), found


def _fitting(types: list[CType], size: int) -> CType | None:
    """The one of them that fills a block of that size, or of which only whole ones fit into it."""
    exact = [ctype for ctype in types if ctype.bits == 8 * size]
    several = [ctype for ctype in types if ctype.bits and 8 * size % ctype.bits == 0]
    found = exact or several or types
    return found[0] if len(found) == 1 else None
