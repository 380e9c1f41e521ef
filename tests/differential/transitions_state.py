"""A state of the reference machine as values of the variables of a symbolic state.

The machine gives locals and heap blocks other addresses than `Space` does, so addresses are translated: `Slots` knows
which object of the machine is which slot. Bytes that are still arbitrary have the value that they get next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from threadproof.automaton import Instance
from threadproof.automaton.letters import Context
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.objects import ObjectLife, SymbolicCell, SymbolicObject
from threadproof.encoding.transitions.space import is_variable
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, control_flow
from threadproof.ir.expr import Reg
from threadproof.ir.program import Function
from threadproof.semantics import state as states
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.state import State
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.sync.operations import NO_KEY

Values = dict[str, Value | None]
"""By name of the variable; None: arbitrary, or nothing that a bit-vector could be."""


@dataclass(slots=True)
class Slots:
    """Where the machine has put the objects of slots, and how large they are."""

    space: Space
    place: dict[tuple[Instance, Context, Site], tuple[int, int]] = field(default_factory=dict)  # type: ignore[assignment]
    bases: dict[SymbolicObject, int] = field(default_factory=dict[SymbolicObject, int])
    by_start: dict[int, SymbolicObject] = field(default_factory=dict[int, SymbolicObject])

    def allocated(self, key: tuple[Instance, Context, Site], start: int, size: int) -> None:
        self.place[key] = (start, size)
        self.by_start[start] = self.space.objects.slots[key]

    def reused(self, key: tuple[Instance, Context, Site]) -> bool:
        """Whether its object lies where another one was."""
        start = self.place[key][0]
        return any(other != key and found[0] == start for other, found in self.place.items())

    def copied(self) -> Slots:
        return Slots(self.space, dict(self.place), self.bases, dict(self.by_start))

    def ours(self, value: int, handles: dict[str, int]) -> int:
        """An address of the machine's as one of the space's; any other number stays as it is."""
        half = self.space.layout.plan.red_zone // 2
        for key, (start, size) in self.place.items():
            slot = self.space.objects.slots[key]
            if start - half <= value < start + size + half and self.by_start[start] is slot:
                if slot not in self.bases:
                    self.bases[slot] = Assignment(handles).number(slot.base)
                return value - start + self.bases[slot]
        return value


class Reading:
    """Of states that follow each other: what is arbitrary in one has the value it gets in a later one."""

    def __init__(self, machine: Machine, space: Space, numbers: dict[Instance, int], slots: Slots) -> None:
        self.machine = machine
        self.space = space
        self.numbers = numbers
        self.slots = slots
        self._at_first = {
            one: [
                (c, Assignment({}).value(space.objects.initial(c))) for c in space.objects.cells(one) if is_variable(c)
            ]
            for one in space.objects
            if one.content is not None and one.owner is not None
        }
        self._sites = {name: control_flow(f).sites for name, f in machine.program.functions.items()}
        self._marks = {name: _marks(function) for name, function in machine.program.functions.items()}
        self._handles: dict[str, int] = {}
        self._known: dict[SymbolicObject, tuple[Any, dict[str, Value | None]]] = {}

    def of(self, state: State, later: Sequence[State] = ()) -> Values:
        space, found = self.space, Values()
        self._handles = {space.threads[i].handle.name: n + 1 for i, n in self.numbers.items() if n in state.threads}
        found.update({variable.name: Assignment({}).value(constant) for variable, constant in space.known.items()})
        found.update(self._handles)
        owner = next((i for i, n in self.numbers.items() if n == state.atomic), None)
        found[space.owner.name] = 0 if owner is None else space.ordinal(owner)
        for number, key in enumerate(space.keys):
            found[key.name] = int(number < len(state.keys) and state.keys[number] != NO_KEY)
        for instance in space.instances:
            number = self.numbers.get(instance, -1)
            self._thread(found, instance, state.threads.get(number))
        for one in space.objects:
            self._object(found, one, state, later)
        return found

    # --- threads -----------------------------------------------------------------------------------------------------

    def _thread(self, found: Values, instance: Instance, thread: states.Thread | None) -> None:
        names = self.space.threads[instance]
        if thread is None:
            found.update((variable.name, 0) for variable in names.all if variable is not names.handle)
            return
        waiting = thread.waiting
        found[names.started.name] = 1
        found[names.cancelled.name] = int(thread.cancelled)
        found[names.uncancellable.name] = int(thread.cancel_disabled)
        for number, specific in enumerate(names.specifics):
            found[specific.name] = self._number(dict(thread.specifics).get(number, 0), self.space.bits)
        found[names.finished.name] = int(thread.phase is states.Phase.FINISHED)
        found[names.detached.name] = int(thread.detached)
        found[names.woken.name] = int(waiting is not None and waiting.woken)
        found[names.waits_on.name] = 0 if waiting is None else self._number(waiting.condition, self.space.bits)
        found[names.children.name] = thread.children
        result = self._number(thread.result, self.space.bits)
        found[names.result.name] = result if result is None else result % (1 << self.space.bits)
        for depth, frame in enumerate(thread.frames):
            self._registers(found, instance, self.context(thread, depth), frame)

    def context(self, thread: states.Thread, depth: int) -> Context:
        """Of one of its frames."""
        return tuple(self._sites[call.function][call.pc - 1] for call in thread.frames[:depth])

    def has_variable(self, function: str, name: str) -> bool:
        return name not in self.space.slot_registers(function) and name not in self._marks[function]

    def _registers(self, found: Values, instance: Instance, context: Context, frame: states.Frame) -> None:
        code = self.machine.static.codes[frame.function]
        for name, width in self.space.widths(frame.function).items():
            value = code.register(frame.regs, name)
            if value is not None and self.has_variable(frame.function, name):
                variable = self.space.register(instance, context, frame.function, name)
                found[variable.name] = self._number(value, width)

    def _number(self, value: Any, width: int) -> int | None:
        if not isinstance(value, int):
            return None
        return self.slots.ours(value, self._handles) if width == self.space.bits else value

    def ours(self, address: int) -> int:
        return self.slots.ours(address, self._handles)

    # --- memory ------------------------------------------------------------------------------------------------------

    def _object(self, found: Values, one: SymbolicObject, state: State, later: Sequence[State]) -> None:
        life, start, size = self.place(one, state)
        if one.life is not None:
            found[one.life.name] = life
        if one.content is not None and one.owner is not None and life is ObjectLife.NEVER:  # its thread has not begun
            found.update((c.term.name, value) for c, value in self._at_first.get(one, ()))
        if start is None or life is not ObjectLife.ALIVE:
            return
        if size is not None and one.size.params and isinstance(one.size.params[0], str):
            found[one.size.name] = size
        found.update(self._content(one, start, size or 0, state, later))

    def _content(
        self, one: SymbolicObject, start: int, size: int, state: State, later: Sequence[State]
    ) -> dict[str, Value | None]:
        """The cells of an object. Most are what they were when last asked for."""
        chunks = tuple(state.memory.get(key) for key in range(start, start + size, states.CHUNK))
        key = (start, size, chunks, tuple(self.slots.place.values()), len(self._handles))
        known = self._known.get(one)
        if known is not None and known[0] == key:
            return known[1]
        content = self._bytes(start, size, state, ())
        settled = None not in content  # what is arbitrary now is settled by what comes later, and not for good
        content = content if settled else self._bytes(start, size, state, later)
        cells = self.space.objects.cells(one)
        values = {cell.term.name: self._cell(cell, content) for cell in cells if is_variable(cell)}
        if settled:
            self._known[one] = (key, values)
        return values

    def place(self, one: SymbolicObject, state: State) -> tuple[ObjectLife, int | None, int | None]:
        """Whether the object is there, and where the machine has it."""
        layout = self.machine.layout
        if one.owner is None:
            variable = self.machine.program.globals[one.root.name]
            return ObjectLife.ALIVE, layout.globals[one.root.name], variable.size
        thread = state.threads.get(self.numbers.get(one.owner, -1))
        if thread is None:
            return ObjectLife.NEVER, None, None
        if one.site is None:
            gone = thread.phase is states.Phase.FINISHED
            variable = self.machine.program.globals[one.root.name]
            start = layout.arena(thread.id) + layout.tls[one.root.name]
            return (ObjectLife.OVER, None, None) if gone else (ObjectLife.ALIVE, start, variable.size)
        placed = self.slots.place.get((one.owner, one.context, one.site))
        if placed is None:
            return ObjectLife.NEVER, None, None
        start, size = placed
        alive = any(
            obj.start == start and obj.life is states.Life.ALIVE and self.slots.by_start[start] is one
            for obj in (*thread.stack, *thread.heap)
        )
        return (ObjectLife.ALIVE, start, size) if alive else (ObjectLife.OVER, None, None)

    def _bytes(self, start: int, size: int, state: State, later: Sequence[State]) -> list[int | None]:
        """None: arbitrary, also later."""
        found: list[int | None] = [None] * size
        for one in (state, *later):
            view = MemoryView(self.machine.static.image, one)
            try:
                obj = view.find(start) if size else None
            except Exception:  # it is gone by then
                break
            if obj is None:
                break
            for offset in range(0, size, states.CHUNK):
                length = min(states.CHUNK, size - offset)
                data, mask = view.raw(obj, start + offset, length)
                for index in range(length):
                    if found[offset + index] is None and (mask is None or not mask[index]):
                        found[offset + index] = data[index]
            if None not in found:
                break
        return found

    def _cell(self, cell: SymbolicCell, content: list[int | None]) -> Value | None:
        width = 8 * cell.size
        if not cell.stride:
            value = _joined(content[cell.start : cell.start + cell.size])
            return None if value is None else self._number(value, width)
        entries: dict[int, int] = {}
        if cell.size == 1:
            content = self._with_addresses(content)
        for offset in range(cell.start, len(content) - cell.size + 1, cell.stride):
            value = _joined(content[offset : offset + cell.size])
            translated = None if value is None else self._number(value, width)
            if translated is not None:
                entries[offset] = translated
        return ArrayValue(0, entries)

    def _with_addresses(self, content: list[int | None]) -> list[int | None]:
        """Pointers among bytes, translated too."""
        found, size = list(content), self.space.bits // 8
        for offset in range(0, len(content) - size + 1, size):
            value = _joined(content[offset : offset + size])
            if value is not None:
                ours = self.slots.ours(value, self._handles)
                found[offset : offset + size] = list(ours.to_bytes(size, "little"))
        return found


def _joined(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return None if len(known) < len(parts) or not parts else int.from_bytes(bytes(known), "little")


def _marks(function: Function) -> set[str]:
    """Registers that hold the end of the stack, which nobody looks at but those who restore it."""
    found: set[str] = set()
    for instr in function.instrs():
        copies = isinstance(instr, ir.Assign) and isinstance(instr.value, Reg) and instr.value.name in found
        if isinstance(instr, ir.StackSave) or copies:
            found.update(reg.name for reg in ir.defs(instr))
    return found
