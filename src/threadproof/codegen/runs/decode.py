"""A state block told as a state of the reference semantics, and the form of reference states it is compared in.

The block is more canonical than the reference: memory that was written and holds its initial content again is not
told from memory that never was written. `canonical` does the same to a reference state.
"""

from __future__ import annotations

import ctypes
from typing import Any

from threadproof.codegen.machine.blocks import FrameBlock
from threadproof.codegen.machine.numbering import Body, Numbering
from threadproof.core.thread_id import identity as thread_of
from threadproof.ir.instr import Load
from threadproof.ir.program import Mutability
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.state import (
    ARBITRARY,
    CHUNK,
    Chunk,
    Frame,
    Life,
    Obj,
    Pending,
    Phase,
    Sharing,
    State,
    Thread,
    Waiting,
    Wake,
)

_PHASES = (None, Phase.RUNNING, Phase.ENDING, Phase.FINISHED, Phase.RETURNED)
_UNSHARED, _FREED, _ZEROED, _DEAD = 1, 2, 4, 16


class Decoder:
    def __init__(self, numbering: Numbering, block: type[ctypes.Structure], sparse: bool, dormant: int = 0) -> None:
        self._numbering = numbering
        self.block: Any = block
        self._sparse = sparse
        self._dormant = dormant
        self._by_index = list(numbering.bodies.values())
        self._names = numbering.names.texts

    def numbers(self, state: bytes) -> list[int]:
        """Of the threads, by slot. Where some are dormant that depends on who was created first; who has a slot keeps
        it."""
        block: Any = self.block.from_buffer_copy(state)
        return [self._number(block, slot) for slot in range(len(block.t))]

    def _number(self, block: Any, slot: int) -> int:
        return int(block.t[slot].number) if self._dormant else self.number(slot)

    def number(self, slot: int) -> int:
        assert not self._dormant
        return slot if self._sparse or not slot else 2 * slot - 1

    def slot(self, number: int) -> int | None:
        assert not self._dormant
        if self._sparse or not number:
            return number
        return (number + 1) // 2 if number % 2 else None

    def state(self, data: bytes) -> State:
        block: Any = self.block.from_buffer_copy(data)
        memory: dict[int, Chunk] = {}
        self._globals(block, memory)
        threads: dict[int, Thread] = {}
        for slot, thread in enumerate(block.t):
            if thread.phase:
                number = self._number(block, slot)
                threads[number] = self._thread(number, thread, block, memory)
        atomic = self._number(block, block.atomic - 1) if block.atomic else None
        return State(memory, threads, tuple(block.keys[: block.nkeys]), atomic)

    def _globals(self, block: Any, memory: dict[int, Chunk]) -> None:
        data, mask = bytes(block.g), bytes(block.gmask) if self._numbering.masked else b""
        for placed in self._numbering.globals:
            if placed.variable.mutability is not Mutability.CONSTANT:
                start, size, at = placed.address, placed.variable.size, placed.offset
                _chunks(memory, start, data[at : at + size], mask[at : at + size], placed.content, None)

    def _thread(self, number: int, t: Any, block: Any, memory: dict[int, Chunk]) -> Thread:
        identity = thread_of(number)
        self._contents(number, t, memory)
        phase = _PHASES[int(t.phase)]
        assert phase is not None
        return Thread(
            identity,
            self._frames(number, t),
            phase,
            Pending(t.pending),
            tuple(self._obj(o) for o in t.stack[: t.nstack]),
            t.cursor,
            tuple(self._obj(o) for o in t.heap[: t.nheap]),
            t.heap_cursor,
            t.children,
            t.result,
            Waiting(t.condition, Wake(t.waiting)) if t.waiting else None,
            t.depth,
            bool(t.cancelled),
            bool(t.cancel_disabled),
            bool(t.detached),
            t.round,
            t.next_key,
            tuple((key, t.specifics[key]) for key in range(block.nkeys) if t.specifics[key]),
        )

    def _obj(self, o: Any) -> Obj:
        sharing = Sharing.UNSHARED if o.flags & _UNSHARED else Sharing.SHARED
        life = Life.FREED if o.flags & _FREED else Life.DEAD if o.flags & _DEAD else Life.ALIVE
        return Obj(o.start, o.size, self._names[int(o.name)], sharing, life, bool(o.flags & _ZEROED))

    def _contents(self, number: int, t: Any, memory: dict[int, Chunk]) -> None:
        arena = self._numbering.layout.arena(thread_of(number))
        tls, tls_mask = bytes(t.tls), bytes(t.tls_mask) if self._numbering.masked else b""
        for placed in self._numbering.tls:
            at, size = placed.offset, placed.variable.size
            start = arena + placed.address
            _chunks(memory, start, tls[at : at + size], tls_mask[at : at + size], placed.content, None)
        for objects, data, mask in (
            (t.stack[: t.nstack], bytes(t.sdata), bytes(t.smask)),
            (t.heap[: t.nheap], bytes(t.hdata), bytes(t.hmask)),
        ):
            for o in objects:
                if o.flags & (_FREED | _DEAD):
                    continue
                content, masked = data[o.off : o.off + o.size], mask[o.off : o.off + o.size]
                fill = bytes(o.size) if o.flags & _ZEROED else bytes([ARBITRARY]) * o.size
                _chunks(memory, o.start, content, masked, bytes(o.size), fill)

    def _frames(self, number: int, t: Any) -> tuple[Frame, ...]:
        if t.phase == 3:
            return ()
        arena = self._numbering.layout.arena(thread_of(number))
        frames = [self._frame(arena, t, f, over_call=True) for f in t.frames[: t.nframes]]
        top = FrameBlock(t.frame_cursor, t.pc, t.rb, t.mark, t.base, t.fn, 0)
        return (*frames, self._frame(arena, t, top, over_call=False))

    def _frame(self, arena: int, t: Any, f: Any, over_call: bool) -> Frame:
        body = self._by_index[int(f.fn)]
        pc = int(f.pc) - body.start
        live = kept(body, pc, over_call)
        if not over_call and not pc and not t.nframes and t.pending == Pending.LOCAL and t.phase == 1:
            live |= {param.name for param in body.function.params}  # a new thread has not forgotten anything
        regs: list[Any] = [arena] + [None] * len(body.slots)
        for name in live:
            slot = body.slots[name]
            regs[slot] = self._register(body, t, f.rb, name)
        return Frame(body.name, pc, tuple(regs), f.mark, f.cursor)

    def _register(self, body: Body, t: Any, rb: int, name: str) -> Any:
        value = int(t.regs[rb + body.slots[name]])
        mask_slot = body.masks.get(name)
        mask = t.regs[rb + mask_slot] if mask_slot is not None else 0
        if not mask:
            return value
        size = next(i.size for i in body.instrs if isinstance(i, Load) and i.dst.name == name)
        return value.to_bytes(size, "little"), mask.to_bytes(size, "little")


def kept(body: Body, pc: int, over_call: bool) -> frozenset[str]:
    """The registers a stored frame keeps."""
    live = body.live[pc]
    if not over_call:
        return live
    call: Any = body.instrs[pc - 1]
    return live - {call.dst.name} if call.dst is not None else live


def _chunks(
    memory: dict[int, Chunk], start: int, data: bytes, mask: bytes, first: bytes, first_mask: bytes | None
) -> None:
    for at in range(0, len(data), CHUNK):
        piece, piece_mask = data[at : at + CHUNK], mask[at : at + CHUNK]
        old_mask = bytes(len(piece)) if first_mask is None else first_mask[at : at + CHUNK]
        if piece == first[at : at + CHUNK] and (piece_mask or bytes(len(piece))) == old_mask:
            continue
        memory[start + at] = (piece, piece_mask) if any(piece_mask) else piece


def canonical(machine: Machine, state: State) -> State:
    """The reference state without what the state block does not tell apart."""
    awake = {number: thread._replace(phase=Phase.RUNNING) for number, thread in state.threads.items()}
    view = MemoryView(machine.static.image, State({}, awake))
    memory = {key: chunk for key, chunk in state.memory.items() if chunk != view.chunk(view.find(key), key)}
    return state._replace(memory=memory)
