"""Lost memory: live heap blocks no pointer leads to any more (SV-COMP's valid-memtrack).

Everything that looks like an address of the block counts as a pointer to it, also into its middle, as Valgrind's
"definitely lost" has it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from threadproof.ir.instr import HaltKind
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Finished
from threadproof.semantics.state import CHUNK, Life, Obj, Phase, Sharing, State, Thread

_BIG = 1 << 130


def lost_block(machine: Machine, state: State) -> Obj | None:
    """A live heap block that nothing points to, directly or through other blocks."""
    blocks = sorted(obj for t in state.threads.values() for obj in t.heap if obj.life is Life.ALIVE)
    if not blocks:
        return None
    view = MemoryView(machine.static.image, state)
    found: set[int] = set()
    todo = list(_roots(machine, view, state))
    while todo:
        block = _block_at(blocks, todo.pop())
        if block is not None and block.start not in found:
            found.add(block.start)
            todo.extend(_words(view, block))
    return next((block for block in blocks if block.start not in found), None)


def lost_at_end(machine: Machine, end: Finished) -> Obj | None:
    """As above when the program has ended: returning from main ends the life of main's locals."""
    state = end.state
    if end.kind is HaltKind.RETURN:
        main = state.threads[0]
        state = state._replace(threads={**state.threads, 0: main._replace(frames=(), stack=())})
    return lost_block(machine, state)


def _block_at(blocks: list[Obj], address: int) -> Obj | None:
    index = bisect_right(blocks, (address, _BIG))
    if not index:
        return None
    block = blocks[index - 1]
    return block if address < block.start + max(block.size, 1) or address == block.start + block.size else None


def _roots(machine: Machine, view: MemoryView, state: State) -> Iterator[int]:
    for obj in machine.static.image.globals:
        yield from _words(view, obj)
    for thread in state.threads.values():
        yield from _thread_roots(machine, view, thread)


def _thread_roots(machine: Machine, view: MemoryView, thread: Thread) -> Iterator[int]:
    if isinstance(thread.result, int):
        yield thread.result
    for _, value in thread.specifics:
        yield value if isinstance(value, int) else value[0]
    for frame in thread.frames:
        for value in frame.regs[1:]:
            if isinstance(value, int):
                yield value
            elif isinstance(value, tuple) and isinstance(value[0], int):
                yield value[0]
    for obj in thread.stack:
        yield from _words(view, obj)
    if thread.phase is not Phase.FINISHED:
        base = machine.layout.arena(thread.id)
        for offset, size, name in machine.static.image.tls:
            yield from _words(view, Obj(base + offset, size, name, Sharing.SHARED, Life.ALIVE, True))


def _words(view: MemoryView, obj: Obj) -> Iterator[int]:
    """Every pointer-sized word of an object, at any alignment of half a word (packed structures)."""
    size = view.image.pointer_bytes
    if obj.start < view.image.layout.plan.main_arena and obj.constant:
        return
    for key in range(obj.start, obj.start + obj.size, CHUNK):
        if key not in view.memory and obj.start >= view.image.layout.plan.main_arena:
            continue
        length = min(CHUNK + size, obj.start + obj.size - key)
        data, _ = view.raw(obj, key, length)
        for offset in range(0, length - size + 1, 4):
            yield int.from_bytes(data[offset : offset + size], "little")
