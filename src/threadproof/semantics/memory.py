"""Byte-exact memory of one running step: objects found by address, reads, writes, arbitrary bytes.

Works on copies made when first needed, so the state it began from stays as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from threadproof.core.thread_id import handle
from threadproof.ir.instr import UndefinedKind
from threadproof.semantics.image import Image
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import (
    ARBITRARY,
    CHUNK,
    COPIED,
    KNOWN,
    Chunk,
    Far,
    Life,
    Obj,
    Phase,
    Sharing,
    State,
    Thread,
    Value,
)

_BIG = 1 << 130


def _dead(obj: Obj) -> Trap:
    return Trap(UndefinedKind.USE_AFTER_FREE if obj.life is Life.FREED else UndefinedKind.DEAD_LOCAL, obj.name, obj)


class MemoryView:
    """Reads and writes of one running step."""

    def __init__(self, image: Image, state: State) -> None:
        self.image = image
        self.memory = state.memory
        self._memory_is_mine = False
        self.threads = state.threads
        self.number = 0
        self.thread: Thread = state.threads[0]

    # --- finding objects ---------------------------------------------------------------------------------------

    def find(self, address: Value) -> Obj:
        """The live object that holds `address`; traps if there is none."""
        found = self.image.by_address.get(address)
        if found is not None:
            return found
        if isinstance(address, tuple):
            if address[0] == 0:
                raise Trap(UndefinedKind.NULL_DEREFERENCE)
            raise Trap(UndefinedKind.OUT_OF_BOUNDS, f"{address[1]} bytes from its start")
        candidate = self._at_or_before(address)
        if candidate is not None and address < candidate.start + candidate.size:
            if candidate.life is not Life.ALIVE:
                raise _dead(candidate)
            return candidate
        raise self._bad_address(address)

    def _bad_address(self, address: int) -> Trap | Unsupportable:
        plan = self.image.layout.plan
        if address < plan.code:
            return Trap(UndefinedKind.NULL_DEREFERENCE)
        zone = self.zone(address)
        if zone is not None:
            if zone.name in self.image.elsewhere:
                return Unsupportable(f"the variable {zone.name}, which is defined nowhere")
            if zone.life is not Life.ALIVE:
                return _dead(zone)
            return Trap(UndefinedKind.OUT_OF_BOUNDS, zone.name, zone)
        if self.in_a_stack(address):
            return Trap(UndefinedKind.DEAD_LOCAL)
        return Trap(UndefinedKind.WILD_DEREFERENCE, hex(address))

    def _objects(self, address: int) -> tuple[list[Obj] | tuple[Obj, ...], int]:
        """The sorted objects of the area `address` lies in, and what to add to their start (thread-local storage)."""
        layout = self.image.layout
        plan = layout.plan
        if address < plan.main_arena:
            return self.image.globals, 0
        if address < plan.arenas:
            slot, number, base, stack_bytes = 0, 0, plan.main_arena, plan.main_stack
        else:
            slot = (address - plan.arenas) // plan.arena_size
            number, base, stack_bytes = slot + 1, plan.arenas + slot * plan.arena_size, plan.arena_stack
        thread = self.thread if number == self.number else self.threads.get(number)
        if thread is None:
            return (), 0
        if address >= base + stack_bytes - plan.red_zone:
            return thread.heap, 0
        if address < base + layout.tls_size:
            return (() if thread.phase is Phase.FINISHED else self._tls_objects()), base
        return thread.stack, 0

    def _tls_objects(self) -> tuple[Obj, ...]:
        return tuple(
            Obj(
                offset,
                size,
                name,
                Sharing.UNSHARED if name in self.image.unshared_tls else Sharing.SHARED,
                Life.ALIVE,
                True,
            )
            for offset, size, name in self.image.tls
        )

    def _at_or_before(self, address: int) -> Obj | None:
        objects, base = self._objects(address)
        index = bisect_right(objects, (address - base, _BIG))
        if not index:
            return None
        found = objects[index - 1]
        return found if not base else found._replace(start=found.start + base)

    def zone(self, address: int) -> Obj | None:
        """The object that `address` belongs to: inside it or within half a red zone around it."""
        objects, base = self._objects(address)
        index = bisect_right(objects, (address - base, _BIG))
        half = self.image.half_zone
        for candidate in objects[max(0, index - 1) : index + 1]:
            start = candidate.start + base
            if start - half <= address < start + candidate.size + half:
                return candidate if not base else candidate._replace(start=start)
        return None

    def in_a_stack(self, address: int) -> bool:
        plan = self.image.layout.plan
        if address < plan.arenas:
            return plan.main_arena <= address < plan.main_arena + plan.main_stack
        inside = (address - plan.arenas) % plan.arena_size
        return inside < plan.arena_stack and (address - plan.arenas) // plan.arena_size < plan.arena_count

    def ptr_add(self, base: int | Far, offset: int) -> int | Far:
        """Pointer arithmetic that never strays into a neighbouring object."""
        if offset == 0:
            return base
        if isinstance(base, tuple):
            start, far = base[0], base[1] + offset
            zone = self.zone(start)
            address = start + far
        else:
            address = base + offset
            zone = self.image.by_address.get(base) or self.zone(base)
            if zone is None:
                if base < self.image.layout.plan.code <= address:
                    return (0, address)  # a null pointer moved far, which leads to no object
                return address & self.image.address_mask
            start = zone.start
        half = self.image.half_zone
        if zone is not None and start - half <= address < start + zone.size + half:
            return address
        return (start, address - start)

    # --- reading and writing -----------------------------------------------------------------------------------

    def chunk(self, obj: Obj, key: int) -> Chunk:
        found = self.memory.get(key)
        if found is not None:
            return found
        length = min(CHUNK, obj.start + obj.size - key)
        if obj.start < self.image.layout.plan.main_arena:
            return self.image.initial.get(key) or bytes(length)
        if obj.zeroed:
            tls = self._tls_content(obj, key, length)
            return bytes(length) if tls is None else tls
        return (bytes(length), bytes([ARBITRARY]) * length)

    def _tls_content(self, obj: Obj, key: int, length: int) -> bytes | None:
        objects, base = self._objects(obj.start)
        if not base or not objects:
            return None
        return self.image.tls_chunk(obj.name, key - obj.start, length)

    def raw(self, obj: Obj, address: int, size: int) -> tuple[bytes, bytes | None]:
        """Bytes and mask (None: all known) of a range inside `obj`."""
        offset = address - obj.start
        if offset + size > obj.size:
            raise Trap(UndefinedKind.OUT_OF_BOUNDS, obj.name, obj)
        inside = offset % CHUNK
        if inside + size <= CHUNK:
            chunk = self.chunk(obj, address - inside)
            if isinstance(chunk, bytes):
                return chunk[inside : inside + size], None
            return chunk[0][inside : inside + size], chunk[1][inside : inside + size]
        first = CHUNK - inside
        data, mask = self.raw(obj, address, first)
        more, more_mask = self.raw(obj, address + first, size - first)
        if mask is None and more_mask is None:
            return data + more, None
        return data + more, (mask or bytes(first)) + (more_mask or bytes(size - first))

    def write_raw(self, obj: Obj, address: int, data: bytes, mask: bytes | None) -> None:
        offset, size = address - obj.start, len(data)
        if offset + size > obj.size:
            raise Trap(UndefinedKind.OUT_OF_BOUNDS, obj.name, obj)
        if not self._memory_is_mine:
            self.memory = dict(self.memory)
            self._memory_is_mine = True
        inside = offset % CHUNK
        if inside + size > CHUNK:
            first = CHUNK - inside
            self.write_raw(obj, address, data[:first], mask and mask[:first])
            self.write_raw(obj, address + first, data[first:], mask and mask[first:])
            return
        key = address - inside
        old = self.chunk(obj, key)
        if type(old) is bytes and mask is None:
            self.memory[key] = old[:inside] + data + old[inside + size :]
            return
        old_data, old_mask = (old, bytes(len(old))) if isinstance(old, bytes) else old
        new_data = old_data[:inside] + data + old_data[inside + size :]
        new_mask = old_mask[:inside] + (mask or bytes(size)) + old_mask[inside + size :]
        self.memory[key] = (new_data, new_mask) if any(new_mask) else new_data

    def read_int(self, obj: Obj, address: int, size: int, choose: Callable[[int], int]) -> int:
        """The value at `address`; arbitrary bytes are chosen now and stay as chosen."""
        data, mask = self.raw(obj, address, size)
        if mask is not None and any(mask):
            data = self._settle(obj, address, data, mask, choose)
        return int.from_bytes(data, "little")

    def _settle(self, obj: Obj, address: int, data: bytes, mask: bytes, choose: Callable[[int], int]) -> bytes:
        if COPIED in mask:
            raise Unsupportable(f"reading a copied part of {obj.name} that was never initialised")
        unknown = [index for index, m in enumerate(mask) if m]
        chosen = choose(8 * len(unknown)).to_bytes(len(unknown), "little")
        settled = bytearray(data)
        for index, byte in zip(unknown, chosen, strict=True):
            settled[index] = byte
        self.write_raw(obj, address, bytes(settled), None)
        return bytes(settled)

    def mark_copied(self, obj: Obj, address: int, data: bytes, mask: bytes) -> bytes:
        """Copying arbitrary bytes: neither they nor the copy can be chosen alone from now on."""
        copied = bytes(COPIED if m else KNOWN for m in mask)
        self.write_raw(obj, address, data, copied)
        return copied

    def peek_word(self, address: Value, bits: int) -> int:
        """A word of a synchronisation object; never-initialised ones count as zero, which is their initial state."""
        obj = self.find(address)
        data, mask = self.raw(obj, address, bits // 8)
        if mask is not None:
            data = bytes(0 if m else byte for byte, m in zip(data, mask, strict=True))
        return int.from_bytes(data, "little")

    def poke_word(self, address: Value, value: int, bits: int) -> None:
        obj = self.find(address)
        if obj.constant:
            raise Trap(UndefinedKind.WRITE_TO_CONSTANT, obj.name, obj)
        self.write_raw(obj, address, (value & ((1 << bits) - 1)).to_bytes(bits // 8, "little"), None)

    def points_into(self, obj: Obj, registers: Iterable[Value]) -> bool:
        """Whether some word of memory, or of one of these values, is an address of the object."""
        size = self.image.pointer_bytes
        if value_points_into(obj, registers, size):
            return True
        low, high = obj.start, obj.start + obj.size
        # Addresses of one object agree in all but their last two bytes, or fall into two such groups.
        tops = {(end >> 16).to_bytes(size - 2, "little") for end in (low, high)}
        return any(_mentions(data, top, size, low, high) for data in self._contents(size) for top in tops)

    def _contents(self, size: int) -> Iterator[bytes]:
        """The bytes of all chunks, and those on both sides of where one ends, as far as a word of that size lies across
        it."""
        for key, chunk in self.memory.items():
            data = _bytes(chunk)
            yield data
            if len(data) == CHUNK and any(data[1 - size :]):
                after = self.memory.get(key + CHUNK) or self._chunk_behind(key)
                if after is not None:
                    yield data[1 - size :] + _bytes(after)[: size - 1]

    def _chunk_behind(self, key: int) -> Chunk | None:
        """What the object goes on with that nobody has written."""
        obj = self.find(key)
        return self.chunk(obj, key + CHUNK) if key + CHUNK < obj.start + obj.size else None

    def forget(self, obj: Obj) -> None:
        """Drop the content of an object that died or begins a new life."""
        keys = [key for key in self._keys(obj) if key in self.memory]
        if keys and not self._memory_is_mine:
            self.memory = dict(self.memory)
            self._memory_is_mine = True
        for key in keys:
            del self.memory[key]

    def _keys(self, obj: Obj) -> Iterable[int]:
        """Where chunks of the object may be: a huge object is mostly empty, so then look at what there is."""
        if obj.size // CHUNK <= len(self.memory):
            return range(obj.start, obj.start + obj.size, CHUNK)
        return [key for key in self.memory if obj.start <= key < obj.start + obj.size]

    def handle(self) -> int:
        return handle(self.thread.id)


def value_points_into(obj: Obj, values: Iterable[Value], pointer_bytes: int) -> bool:
    """Whether a word of one of these values is an address of the object, or just behind it."""
    end = obj.start + obj.size
    return any(obj.start <= word <= end for value in values for word in words_of(value, 8 * pointer_bytes))


def words_of(value: Value, bits: int) -> Iterator[int]:
    """A register wider than a pointer may hold one anywhere; of one that is in part arbitrary the known bytes count, of
    a far pointer the object."""
    if value is None or value == ():
        return
    word: Any = cast(Any, value)[0] if isinstance(value, tuple) else value
    number: int = int.from_bytes(word, "little") if isinstance(word, bytes) else word
    yield number & ((1 << bits) - 1)
    rest = number >> 8 if number >> bits else 0  # to the last byte: an address may begin with zeros
    while rest > 0:
        yield rest & ((1 << bits) - 1)
        rest >>= 8


def _bytes(chunk: Chunk) -> bytes:
    return chunk if isinstance(chunk, bytes) else chunk[0]


def _mentions(data: bytes, top: bytes, size: int, low: int, high: int) -> bool:
    at = data.find(top, 2)
    while at >= 0:
        if low <= int.from_bytes(data[at - 2 : at - 2 + size], "little") <= high:
            return True
        at = data.find(top, at + 1)
    return False
