"""Byte-exact memory against a dict of bytes: what is written is read, nothing else changes, the past stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadproof.ir.instr import Return, UndefinedKind
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Program, Relocation
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import Life, Obj, Sharing, State

GLOBAL, ZEROED, FRESH = "global", "zeroed", "fresh"
SIZE = {GLOBAL: 300, ZEROED: 130, FRESH: 260}  # more than one chunk each
IMAGE = bytes(range(1, 200))
POINTER_AT = 136  # the global's second chunk holds an address


@dataclass(frozen=True)
class Write:
    where: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Read:
    where: str
    offset: int
    size: int


@st.composite
def operations(draw: st.DrawFn) -> Write | Read:
    where = draw(st.sampled_from((GLOBAL, ZEROED, FRESH)))
    offset = draw(st.one_of(st.integers(0, SIZE[where] - 1), st.integers(118, 129)))
    size = draw(st.sampled_from((1, 2, 4, 8, 16)))
    if draw(st.booleans()):
        return Read(where, offset, size)
    return Write(where, offset, draw(st.binary(min_size=size, max_size=size)))


def machine() -> Machine:
    main = Function("main", (), (Block("0", (Return(),)),))
    pointing = GlobalVar(GLOBAL, SIZE[GLOBAL], IMAGE, relocations=(Relocation(POINTER_AT, "other", 3),))
    other = GlobalVar("other", 8, b"")
    return Machine(Program("p", DataModel.LP64, {"main": main}, {GLOBAL: pointing, "other": other}))


def start(of: Machine) -> tuple[State, dict[str, Obj]]:
    """A state with two heap blocks, one zeroed, one of arbitrary bytes."""
    state = of.initial()
    thread, cursor, blocks = state.threads[0], state.threads[0].heap_cursor, []
    for name in (ZEROED, FRESH):
        address, cursor = of.layout.place_after(cursor, SIZE[name], 16, of.layout.heap_end(()))
        blocks.append(Obj(address, SIZE[name], name, Sharing.SHARED, Life.ALIVE, name == ZEROED))
    state = state._replace(threads={0: thread._replace(heap=tuple(blocks), heap_cursor=cursor)})
    of_global = next(obj for obj in of.static.image.globals if obj.name == GLOBAL)
    return state, {GLOBAL: of_global, ZEROED: blocks[0], FRESH: blocks[1]}


def first_content(of: Machine) -> dict[str, list[int | None]]:
    content = bytearray(IMAGE + bytes(SIZE[GLOBAL] - len(IMAGE)))
    content[POINTER_AT : POINTER_AT + 8] = (of.layout.globals["other"] + 3).to_bytes(8, "little")
    return {GLOBAL: list(content), ZEROED: [0] * SIZE[ZEROED], FRESH: [None] * SIZE[FRESH]}


@given(st.lists(operations(), max_size=30), st.randoms(use_true_random=False))
def test_reads_see_the_last_write(todo: list[Write | Read], rng: Any) -> None:
    of = machine()
    state, objects = start(of)
    before = dict(state.memory)
    memory, model = MemoryView(of.static.image, state), first_content(of)
    for operation in todo:
        obj, cells = objects[operation.where], model[operation.where]
        address, size = obj.start + operation.offset, _size(operation)
        assert memory.find(address) == obj
        if operation.offset + size > obj.size:
            with pytest.raises(Trap) as trap:
                _perform(memory, obj, address, operation, lambda bits: 0)
            assert trap.value.kind is UndefinedKind.OUT_OF_BOUNDS
            continue
        chosen: list[int] = []

        def choose(bits: int, chosen: list[int] = chosen) -> int:
            chosen.append(rng.getrandbits(bits))
            return chosen[-1]

        got = _perform(memory, obj, address, operation, choose)
        cell = range(operation.offset, operation.offset + size)
        if isinstance(operation, Write):
            for index, byte in zip(cell, operation.data, strict=True):
                cells[index] = byte
            continue
        unknown = [index for index in cell if cells[index] is None]
        assert len(chosen) == bool(unknown), "a choice is made exactly when something was never written"
        for position, index in enumerate(unknown):
            cells[index] = chosen[0] >> 8 * position & 0xFF
        assert got == int.from_bytes(bytes(cells[index] or 0 for index in cell), "little")
    assert state.memory == before, "the state a step begins from stays as it was"


def _size(operation: Write | Read) -> int:
    return len(operation.data) if isinstance(operation, Write) else operation.size


def _perform(memory: MemoryView, obj: Obj, address: int, operation: Write | Read, choose: Any) -> int | None:
    if isinstance(operation, Read):
        return memory.read_int(obj, address, operation.size, choose)
    memory.write_raw(obj, address, operation.data, None)
    return None


@given(st.integers(0, 200), st.sampled_from((1, 2, 4, 8)), st.binary(max_size=8))
def test_a_copy_of_arbitrary_bytes_can_not_be_chosen_alone(offset: int, size: int, known: bytes) -> None:
    of = machine()
    state, objects = start(of)
    memory, fresh = MemoryView(of.static.image, state), objects[FRESH]
    address = fresh.start + offset
    memory.write_raw(fresh, address, known[:size], None)
    data, mask = memory.raw(fresh, address, size)
    if mask is None or not any(mask):
        assert len(known) >= size
        assert data == known[:size]
        return
    memory.mark_copied(fresh, address, data, mask)
    with pytest.raises(Unsupportable):
        memory.read_int(fresh, address, size, lambda bits: 0)
    memory.write_raw(fresh, address, bytes(size), None)
    assert memory.read_int(fresh, address, size, lambda bits: 1) == 0


@given(st.lists(operations(), max_size=10))
def test_equal_content_gives_equal_states(todo: list[Write | Read]) -> None:
    """The order of writes to different objects leaves no trace in the state's key."""
    of = machine()
    state, objects = start(of)
    writes = [w for w in todo if isinstance(w, Write) and w.offset + len(w.data) <= SIZE[w.where]]
    keys = set()
    for order in (writes, sorted(writes, key=lambda w: w.where)):
        memory = MemoryView(of.static.image, state)
        for write in order:
            memory.write_raw(objects[write.where], objects[write.where].start + write.offset, write.data, None)
        keys.add(State(memory.memory, state.threads).key())
    assert len(keys) == 1


@given(st.lists(operations(), max_size=10))
def test_a_block_that_begins_a_new_life_remembers_nothing(todo: list[Write | Read]) -> None:
    of = machine()
    state, objects = start(of)
    memory = MemoryView(of.static.image, state)
    for write in todo:
        if isinstance(write, Write) and write.offset + len(write.data) <= SIZE[write.where]:
            memory.write_raw(objects[write.where], objects[write.where].start + write.offset, write.data, None)
    for name in (ZEROED, FRESH):
        memory.forget(objects[name])
        data, mask = memory.raw(objects[name], objects[name].start, SIZE[name])
        assert not any(data)
        assert all(mask) if name == FRESH and mask else name == ZEROED
