"""Addresses and values in the program's own words, for traces and explanations."""

from __future__ import annotations

from threadproof.core.thread_id import name
from threadproof.ir.ctypes import CType, Pointer, place, show_value
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import Obj, State, Value
from threadproof.sync.objects import SYNC_TYPES


class Names:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._program: Program = machine.program
        self._locals = {
            key: variable
            for function in machine.program.functions.values()
            for key, variable in function.variables.items()
        }

    def place(self, state: State, address: Value, size: int = 0) -> tuple[str, CType | None]:
        """What lies at an address (`buffer[2].next`) and its C type where known."""
        view = MemoryView(self._machine.static.image, state)
        try:
            obj = view.find(address)
        except (Trap, Unsupportable):
            return (hex(address) if isinstance(address, int) else "a far pointer"), None
        title, ctype = self._object(obj)
        if ctype is None:
            offset = address - obj.start
            return (f"{title}+{offset}" if offset else title), None
        path, found = place(ctype, address - obj.start, SYNC_TYPES)
        return title + path, found

    def type_of(self, obj: Obj) -> CType | None:
        return self._object(obj)[1]

    def _object(self, obj: Obj) -> tuple[str, CType | None]:
        variable = self._program.globals.get(obj.name)
        if variable is not None:
            return variable.c_name or variable.name, variable.ctype
        local = self._locals.get(obj.name)
        if local is not None:
            return local.c_name, local.ctype
        return f"*({obj.name})", None

    def value(self, state: State, value: Value, ctype: CType | None, bits: int) -> str:
        if not isinstance(value, int):
            return "a far pointer"
        if isinstance(ctype, Pointer) and value:
            return self._pointer(state, value)
        return show_value(value, ctype, bits)

    def _pointer(self, state: State, value: int) -> str:
        code = self._machine.static.functions_at.get(value)
        if code is not None:
            return code.name
        title, _ = self.place(state, value)
        return title if title.startswith("0x") else f"&{title}"

    def thread(self, state: State, handle: Value) -> str:
        thread = state.threads.get(handle - 1) if isinstance(handle, int) else None
        return f"thread {handle}" if thread is None else name(thread.id)
