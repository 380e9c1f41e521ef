"""Addresses: nothing overlaps, everything is found again, pointer arithmetic never strays into a neighbour."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadproof.core.thread_id import handle, number
from threadproof.ir.instr import Return, UndefinedKind
from threadproof.ir.layout import Layout, OutOfAddresses
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Lifetime, Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap

SIZES = st.one_of(st.integers(0, 20), st.integers(100, 600))
ALIGNS = st.sampled_from((1, 2, 4, 8, 16, 64))
OBJECTS = st.lists(st.tuples(SIZES, ALIGNS), max_size=6)
IDENTITIES = st.lists(st.integers(0, 5), max_size=3).map(tuple)
BITS = st.sampled_from((32, 64))


def named(stem: str, objects: list[tuple[int, int]]) -> tuple[tuple[str, int, int], ...]:
    return tuple((f"{stem}{index}", size, align) for index, (size, align) in enumerate(objects))


@given(BITS, st.integers(0, 40), OBJECTS, OBJECTS)
def test_globals_keep_their_distance(
    bits: int, functions: int, variables: list[tuple[int, int]], thread_locals: list[tuple[int, int]]
) -> None:
    names = tuple(f"f{index}" for index in range(functions))
    given_objects, given_tls = named("g", variables), named("t", thread_locals)
    layout = Layout.of(bits, names, given_objects, given_tls)
    assert len(set(layout.functions.values())) == functions
    for placed, objects in ((layout.globals, given_objects), (layout.tls, given_tls)):
        spans = sorted((placed[name], placed[name] + max(size, 1)) for name, size, _ in objects)
        assert all(b[0] - a[1] >= layout.plan.red_zone for a, b in pairwise(spans))
        assert all(placed[name] % align == 0 for name, _, align in objects)
    lowest = min(layout.globals.values(), default=layout.plan.data_end)
    assert all(layout.plan.code <= address < lowest for address in layout.functions.values())


@given(BITS, OBJECTS, IDENTITIES, IDENTITIES)
def test_every_thread_has_its_own_arena(
    bits: int, thread_locals: list[tuple[int, int]], one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    layout = Layout.of(bits, (), (), named("t", thread_locals))
    assert (number(one) == number(other)) == (one == other)
    assert handle(one) > 0
    try:
        areas = [
            (layout.arena(t), layout.stack_start(t), layout.heap_start(t), layout.heap_end(t)) for t in (one, other)
        ]
    except OutOfAddresses:
        return
    for area in areas:
        assert list(area) == sorted(set(area))
        assert area[1] >= area[0] + layout.tls_size
        assert area[3] <= 1 << bits
    if one != other:
        (a, _, _, a_end), (b, _, _, b_end) = areas
        assert a_end <= b or b_end <= a


def area_of(layout: Layout, thread: tuple[int, ...]) -> tuple[int, int, int, int]:
    return layout.arena(thread), layout.stack_start(thread), layout.heap_start(thread), layout.heap_end(thread)


def view(variables: list[tuple[int, int]], thread_locals: list[tuple[int, int]]) -> MemoryView:
    main = Function("main", (), (Block("0", (Return(),)),))
    variables_of = {
        name: GlobalVar(name, size, b"", align=align, lifetime=lifetime)
        for stem, objects, lifetime in (("g", variables, Lifetime.PROGRAM), ("t", thread_locals, Lifetime.THREAD))
        for name, size, align in named(stem, objects)
    }
    machine = Machine(Program("p", DataModel.LP64, {"main": main}, variables_of))
    return MemoryView(machine.static.image, machine.initial())


@given(OBJECTS, OBJECTS, st.data())
def test_an_address_leads_to_its_object_and_no_other(
    variables: list[tuple[int, int]], thread_locals: list[tuple[int, int]], data: st.DataObject
) -> None:
    memory = view(variables, thread_locals)
    layout = memory.image.layout
    places = [(name, layout.globals[name], size) for name, size, _ in named("g", variables)]
    base = layout.arena(())
    places += [(name, base + layout.tls[name], size) for name, size, _ in named("t", thread_locals)]
    for name, start, size in places:
        offset = data.draw(st.integers(-layout.plan.red_zone // 2, size + layout.plan.red_zone // 2 - 1))
        if 0 <= offset < size:
            assert (memory.find(start + offset).name, memory.find(start + offset).start) == (name, start)
        elif size or offset:
            with pytest.raises(Trap) as trap:
                memory.find(start + offset)
            assert trap.value.kind is UndefinedKind.OUT_OF_BOUNDS
            assert trap.value.detail == name


OFFSETS = st.one_of(st.integers(-40, 40), st.integers(-10_000, 10_000), st.integers(-(1 << 62), 1 << 62))


@given(st.lists(st.tuples(st.integers(1, 300), ALIGNS), min_size=2, max_size=4), OFFSETS, OFFSETS, st.data())
def test_pointer_arithmetic_adds_up(
    variables: list[tuple[int, int]], first: int, second: int, data: st.DataObject
) -> None:
    memory = view(variables, [])
    name, size, _ = data.draw(st.sampled_from(named("g", variables)))
    start = memory.image.layout.globals[name]
    there = memory.ptr_add(memory.ptr_add(start, first), second)
    assert there == memory.ptr_add(start, first + second)
    assert memory.ptr_add(there, -first - second) == start
    if 0 <= first + second < size:
        assert memory.find(there).name == name
    else:
        with pytest.raises(Trap) as trap:
            memory.find(there)
        assert trap.value.kind is UndefinedKind.OUT_OF_BOUNDS
