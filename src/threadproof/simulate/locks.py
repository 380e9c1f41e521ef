"""Synchronisation objects of a state, each with its state in words: who holds it, how much is left, who waits.

Found by the C types of the global variables and by the operations made so far (which also knows locks on the heap).
Fields are read where the sync table keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.core.thread_id import name
from threadproof.ir.ctypes import CArray, CRecord, CType
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import State
from threadproof.simulate.data import is_sync
from threadproof.simulate.session import SessionPosition
from threadproof.simulate.variables import global_variables
from threadproof.simulate.world import SimulatedProgram
from threadproof.sync.facts import FACTS, Family
from threadproof.sync.objects import FAMILY_OF
from threadproof.sync.operations import OPERATIONS, Guarded


@dataclass(frozen=True, slots=True)
class ShownLock:
    title: str
    kind: str
    says: str
    held: bool


def locks(world: SimulatedProgram, here: SessionPosition) -> list[ShownLock]:
    found = dict(_declared(world))
    for address, operation in sorted(here.touched):
        facts = FACTS.get(operation)
        if facts is not None and facts.family in FAMILY_OF.values():
            found.setdefault(address, facts.family)
    known = (_lock(world, here.state, address, found[address]) for address in sorted(found))
    return [lock for lock in known if lock is not None]


def _declared(world: SimulatedProgram) -> Iterator[tuple[int, Family]]:
    for variable in global_variables(world):
        if variable.ctype is not None:
            yield from _inside(variable.ctype, world.machine.layout.globals[variable.name])


def _inside(ctype: CType, address: int) -> Iterator[tuple[int, Family]]:
    match ctype:
        case _ if is_sync(ctype) and not isinstance(ctype, CArray):
            yield address, FAMILY_OF[getattr(ctype, "name", "")]
        case CArray(element=element, count=count, bits=bits):
            for index in range(min(count, 64)):
                yield from _inside(element, address + index * (bits // count // 8))
        case CRecord(members=members):
            for member in members:
                yield from _inside(member.type, address + member.offset_bits // 8)
        case _:
            pass


def _lock(world: SimulatedProgram, state: State, address: int, family: Family) -> ShownLock | None:
    view = world.memory(state)
    try:
        says, held = _state_of(world, state, view, address, family)
    except (Trap, Unsupportable):
        return None  # its memory is gone
    return ShownLock(world.names.place(state, address)[0], family.value, says, held)


def _state_of(
    world: SimulatedProgram, state: State, view: MemoryView, address: int, family: Family
) -> tuple[str, bool]:
    match family:
        case Family.MUTEX | Family.SPIN:
            owner = _field(world, view, address, family, "owner" if family is Family.MUTEX else "holder")
            return (f"held by {world.names.thread(state, owner)}", True) if owner else ("free", False)
        case Family.RWLOCK:
            writer, readers = (_field(world, view, address, family, f) for f in ("writer", "readers"))
            if writer:
                return f"held by {world.names.thread(state, writer)} for writing", True
            return (f"held for reading, {readers} times", True) if readers else ("free", False)
        case Family.SEMAPHORE:
            value = _field(world, view, address, family, "value")
            return f"value {value}", value == 0
        case Family.BARRIER:
            arrived, needed = (_field(world, view, address, family, f) for f in ("arrived", "needed"))
            return f"{arrived} of {needed} arrived", arrived > 0
        case Family.ONCE:
            once = _field(world, view, address, family, "once")
            return ("not yet", "running", "done")[min(once, 2)], once == 1
        case _:
            waiters = [
                name(thread.id)
                for _, thread in sorted(state.threads.items())
                if thread.waiting is not None and thread.waiting.condition == address and not thread.waiting.woken
            ]
            return f"waiting: {', '.join(waiters) or 'nobody'}", bool(waiters)


def _field(world: SimulatedProgram, view: MemoryView, address: int, family: Family, name: str) -> int:
    operations = (op for op in OPERATIONS.values() if isinstance(op, Guarded) and FACTS[op.name].family is family)
    found = next(field for operation in operations for field in operation.fields if field.name == name)
    wide = world.machine.program.data_model.pointer_bits == 64
    return view.peek_word(address + (found.offset64 if wide else found.offset32), found.bits)
