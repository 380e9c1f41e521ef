"""The program's variables in a state: globals, thread-local ones, and the locals of every call of every thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.core.thread_id import ThreadId, name, number
from threadproof.ir.ctypes import CArray, CType
from threadproof.ir.program import GlobalVar, Lifetime, Mutability, Origin
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.naming import is_of_library
from threadproof.semantics.state import Frame, Life, Sharing, State, Thread
from threadproof.simulate.data import Datum, holds_only_sync, read
from threadproof.simulate.world import SimulatedProgram

MOST_BYTES = 4096  # of a heap block that is looked at


@dataclass(frozen=True, slots=True)
class Named:
    title: str  # as a person writes it: `x`, `main::x`
    datum: Datum


def global_variables(world: SimulatedProgram) -> list[GlobalVar]:
    """The variables a person knows of: with a C name, changeable, defined here."""
    return [
        variable
        for variable in world.machine.program.globals.values()
        if variable.c_name
        and variable.mutability is Mutability.VARIABLE
        and variable.origin is Origin.HERE
        and variable.lifetime is Lifetime.PROGRAM
        and not is_of_library(variable)
    ]


def read_global(world: SimulatedProgram, state: State, variable: GlobalVar, thread: ThreadId) -> Datum | None:
    layout = world.machine.layout
    if variable.lifetime is Lifetime.THREAD:
        address = layout.arena(thread) + layout.tls[variable.name]
    else:
        address = layout.globals[variable.name]
    return read(world.memory(state), address, 8 * variable.size, variable.ctype)


def shared(world: SimulatedProgram, state: State) -> Iterator[Named]:
    """What several threads can reach: globals, then locals whose address went around, then blocks of the heap."""
    for variable in global_variables(world):
        datum = read_global(world, state, variable, ())
        if datum is not None and not holds_only_sync(variable.ctype):
            yield Named(_title(world, variable), datum)
    for key in sorted(state.threads):
        thread = state.threads[key]
        for index in range(len(thread.frames)):
            for local in _in_memory(world, state, thread, index):
                yield Named(f"{name(thread.id)}::{local.title}", local.datum)
        for block in thread.heap:
            if block.life is Life.ALIVE:
                ctype = world.names.type_of(block)
                datum = read(world.memory(state), block.start, 8 * min(block.size, MOST_BYTES), ctype)
                title = world.names.object(state, block)
                if datum is not None and not holds_only_sync(ctype):
                    yield Named(f"*{title}" if not isinstance(ctype, CArray) else title, datum)


def _title(world: SimulatedProgram, variable: GlobalVar) -> str:
    """The C name, or the linker's where two variables (statics of functions) share the C name."""
    same = [other for other in global_variables(world) if other.c_name == variable.c_name]
    return variable.c_name if len(same) == 1 else variable.name


def _in_memory(world: SimulatedProgram, state: State, thread: Thread, index: int) -> Iterator[Named]:
    """Locals of one call that other threads can reach."""
    frame = thread.frames[index]
    function = world.machine.program.functions[frame.function]
    variables = {} if function.loc.file == RUNTIME else function.variables
    for obj in _stack_of(thread, index):
        variable = variables.get(obj.name)
        if variable is not None and obj.sharing is Sharing.SHARED and not holds_only_sync(variable.ctype):
            datum = read(world.memory(state), obj.start, 8 * obj.size, variable.ctype)
            if datum is not None:
                yield Named(variable.c_name, datum)


def _stack_of(thread: Thread, index: int):
    last = thread.frames[index + 1].stack_mark if index + 1 < len(thread.frames) else len(thread.stack)
    return thread.stack[thread.frames[index].stack_mark : last]


def locals_of(world: SimulatedProgram, state: State, thread: ThreadId, function: str = "") -> list[Named]:
    """Locals of the innermost call, or of the innermost one of `function`. Registers nobody reads again are left
    out: the normal form does not keep them."""
    running = state.threads.get(number(thread))
    if running is None or not running.frames:
        return []
    for index in range(len(running.frames) - 1, -1, -1):
        frame = running.frames[index]
        hidden = world.machine.program.functions[frame.function].loc.file.startswith("<")
        if frame.function == function or (not function and not hidden):
            return list(_locals(world, state, running, index))
    return []


def _locals(world: SimulatedProgram, state: State, thread: Thread, index: int) -> Iterator[Named]:
    frame = thread.frames[index]
    places = {obj.name: obj for obj in _stack_of(thread, index)}
    for key, variable in world.machine.program.functions[frame.function].variables.items():
        obj = places.get(key)
        if obj is not None:
            datum = read(world.memory(state), obj.start, 8 * obj.size, variable.ctype)
        else:
            datum = _register(world, frame, key, variable.ctype)
        if datum is not None:
            yield Named(variable.c_name, datum)


def _register(world: SimulatedProgram, frame: Frame, key: str, ctype: CType | None) -> Datum | None:
    value = world.machine.static.codes[frame.function].register(frame.regs, key)
    bits = 0 if ctype is None else ctype.bits
    if not isinstance(value, int) or not bits:
        return None
    return Datum(value & ((1 << bits) - 1), 0, bits, ctype)
