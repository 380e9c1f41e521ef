"""Lost memory: live heap blocks no pointer leads to any more (SV-COMP's valid-memtrack).

Everything that looks like an address of the block counts as a pointer to it, also into its middle, as Valgrind's
"definitely lost" has it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from threadproof.core.property import Property
from threadproof.ir.instr import Alloc, HaltKind, Owner, Storage
from threadproof.ir.program import Program
from threadproof.semantics.kept_blocks import keeps_blocks, unkept_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView, words_of
from threadproof.semantics.outcome import AssumptionFailed, Failed, Finished, Outcome, Stuck, UndefinedBehaviour
from threadproof.semantics.state import CHUNK, Life, Obj, Phase, Sharing, State, Thread

_BIG = 1 << 130


def allocates(program: Program) -> bool:
    """Whether there ever is a block to lose."""
    return any(isinstance(instr, Alloc) and instr.storage is Storage.HEAP for instr in program.instrs())


def may_lose(program: Program, prop: Property) -> bool:
    """Whether memory may make an end of an execution, or a state on the way, a violation of the property."""
    return allocates(program) and not (prop is Property.VALID_MEMSAFETY and keeps_blocks(program))


def refusal(program: Program, prop: Property) -> str | None:
    """Why who speaks of accesses alone says nothing about memory that is lost."""
    if prop is not Property.VALID_MEMSAFETY or not may_lose(program, prop):
        return None
    alloc = unkept_block(program)
    where = "" if alloc is None else f": the block of {alloc.loc} may be the first"
    return f"does not answer {prop} where memory may be lost{where}"


def lost_block(machine: Machine, state: State) -> Obj | None:
    """A live heap block that nothing points to, directly or through other blocks."""
    blocks = sorted(obj for t in state.threads.values() for obj in t.heap if obj.life is Life.ALIVE)
    if not blocks:
        return None
    # Pointers are aligned, except in packed structures: look closer before calling a block lost.
    lost = _unreached(machine, state, blocks, 4)
    return None if lost is None else _unreached(machine, state, blocks, 1)


def _unreached(machine: Machine, state: State, blocks: list[Obj], stride: int) -> Obj | None:
    view = _Words(machine, state, stride)
    found: set[int] = set()
    todo = list(view.roots())
    while todo:
        block = _block_at(blocks, todo.pop())
        if block is not None and block.start not in found:
            found.add(block.start)
            todo.extend(view.of(block))
    return next((block for block in blocks if block.start not in found), None)


def lost_at_end(machine: Machine, end: Outcome) -> Obj | None:
    """As above when the execution has ended: returning from main ends the life of main's locals."""
    if not isinstance(end, Finished | Failed | AssumptionFailed | Stuck | UndefinedBehaviour) or end.state is None:
        return None
    state = end.state
    if isinstance(end, Finished) and end.kind is HaltKind.RETURN:
        main = state.threads[0]
        state = state._replace(threads={**state.threads, 0: main._replace(frames=(), stack=())})
    return lost_block(machine, state)


def left_at_end(end: Outcome) -> Obj | None:
    """A block that was never freed, where the program ends by itself (SV-COMP's valid-memcleanup).

    Whoever calls abort, or fails, has no chance to clean up; nor does a program that never ends. What belongs to the
    system (mappings, the environment) is not for `free`."""
    if not isinstance(end, Finished) or end.kind is HaltKind.ABORT:
        return None
    blocks = (obj for t in end.state.threads.values() for obj in t.heap)
    return next((obj for obj in blocks if obj.life is Life.ALIVE and obj.name != Owner.SYSTEM.value), None)


def bad_end(machine: Machine, prop: Property, end: Outcome) -> Obj | None:
    """The block that makes the end of an execution a violation of the property, if any."""
    match prop:
        case Property.VALID_MEMSAFETY:
            return lost_at_end(machine, end)
        case Property.VALID_MEMCLEANUP:
            return left_at_end(end)
        case _:
            return None


def _block_at(blocks: list[Obj], address: int) -> Obj | None:
    index = bisect_right(blocks, (address, _BIG))
    if not index:
        return None
    block = blocks[index - 1]
    return block if address < block.start + max(block.size, 1) or address == block.start + block.size else None


class _Words:
    """Everything in a state that could be a pointer: words of objects at multiples of `stride`, and registers."""

    def __init__(self, machine: Machine, state: State, stride: int) -> None:
        self._machine = machine
        self._state = state
        self._stride = stride
        self._view = MemoryView(machine.static.image, state)

    def roots(self) -> Iterator[int]:
        for obj in self._machine.static.image.globals:
            yield from self.of(obj)
        for thread in self._state.threads.values():
            yield from self._of_thread(thread)

    def _of_thread(self, thread: Thread) -> Iterator[int]:
        bits = 8 * self._view.image.pointer_bytes
        values = [thread.result, *(value for _, value in thread.specifics)]
        values += [value for frame in thread.frames for value in frame.regs[1:]]
        for value in values:
            yield from words_of(value, bits)
        for obj in thread.stack:
            if obj.life is Life.ALIVE:
                yield from self.of(obj)
        if thread.phase is not Phase.FINISHED:
            base = self._machine.layout.arena(thread.id)
            for offset, size, name in self._machine.static.image.tls:
                yield from self.of(Obj(base + offset, size, name, Sharing.SHARED, Life.ALIVE, True))

    def of(self, obj: Obj) -> Iterator[int]:
        view, size = self._view, self._view.image.pointer_bytes
        in_arena = obj.start >= view.image.layout.plan.main_arena
        if obj.constant:
            return
        for key in range(obj.start, obj.start + obj.size, CHUNK):
            if key not in view.memory and in_arena:
                continue
            length = min(CHUNK + size, obj.start + obj.size - key)
            data, _ = view.raw(obj, key, length)
            for offset in range(0, length - size + 1, self._stride):
                yield int.from_bytes(data[offset : offset + size], "little")
