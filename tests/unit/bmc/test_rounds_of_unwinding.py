"""Rounds of unwinding: what is learnt while they go on, and that the last one relied on what it found."""

from __future__ import annotations

import pytest
from unwound_programs import (
    BOUNDS,
    GLOBALS,
    at,
    create,
    function,
    is_equal,
    join,
    load,
    lock,
    number,
    spinning,
    store,
    unlock,
)

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.unwinding import thread_steps, unroll, unwinding
from threadproof.engines.bmc.unwinding.cells import CellBoundaries
from threadproof.engines.bmc.unwinding.events import RoundFacts
from threadproof.engines.bmc.unwinding.unwinding import Unwinding
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.ir.expr import Binary, BinaryOp, Reg
from threadproof.ir.instr import Assign, Instr
from threadproof.ir.program import DataModel, Function, Program

# --- cells ---


def test_objects_are_cut_where_accesses_begin_and_end():
    cells = CellBoundaries({}, set(), set())
    assert cells.cells(100, 0, 4) == [(100, 4)]
    assert cells.cells(100, 8, 4) == [(108, 4)]
    assert not cells.come_late
    assert cells.found() == {100: frozenset((0, 4, 8, 12))}


def test_an_access_over_several_cells_has_all_of_them():
    cells = CellBoundaries({100: frozenset((0, 4, 8))}, set(), set())
    assert cells.cells(100, 0, 8) == [(100, 4), (104, 4)]


@pytest.mark.parametrize("earlier", [True, False])
def test_a_cell_in_use_is_cut_in_the_next_round(earlier: bool):
    used = {(100, 8)}
    cells = CellBoundaries({100: frozenset((0, 8))}, used if earlier else set(), set() if earlier else used)
    assert cells.cells(100, 0, 4) == [(100, 4)]
    assert cells.come_late
    assert cells.cells(100, 0, 8) == [(100, 8)]
    assert cells.found() == {100: frozenset((0, 4, 8))}


def test_a_cut_between_cells_in_use_is_made_at_once():
    cells = CellBoundaries({}, set(), used := {(100, 4), (112, 4)})
    assert cells.cells(100, 0, 4) == [(100, 4)]
    assert cells.cells(100, 12, 4) == [(112, 4)]
    assert cells.cells(100, 4, 8) == [(104, 8)]
    used.add((104, 8))
    assert not cells.come_late
    assert cells.cells(100, 4, 4) == [(104, 4)]
    assert cells.come_late


def test_what_is_remembered_of_an_access_is_forgotten_when_it_is_cut():
    cells = CellBoundaries({}, set(), set())
    assert cells.cells(100, 0, 8) == [(100, 8)]  # by somebody who then did not use it
    assert cells.cells(100, 0, 4) == [(100, 4)]
    assert cells.cells(100, 0, 8) == [(100, 4), (104, 4)]


# --- rounds ---


def add_one(to: str, of: str | None = None) -> tuple[Instr, ...]:
    plus = Binary(BinaryOp.ADD, Reg("r", 32), number(1))
    return load("r", of or to), Assign(Reg("s", 32), plus), store(to, Reg("s", 32))


def both(*between: Instr) -> Function:
    return function("main", create("t", "f"), create("u", "g"), *between, *join("t"), *join("u"), load("z", "x"))


PROGRAMS: dict[str, tuple[Function, ...]] = {
    "a value handed round": (both(), function("f", *add_one("y", "x")), function("g", *add_one("x", "y"))),
    "counters": (both(), function("f", *add_one("x")), function("g", *add_one("x"))),
    "sections": (
        both(),
        function("f", lock(), *add_one("x"), unlock()),
        function("g", lock(), *add_one("x"), unlock()),
    ),
    "a flag": (
        both(store("y", 1)),
        spinning("f", load("r", "y"), until=is_equal("r", 1)),
        function("g", load("r", "y"), store("x", Reg("r", 32))),
    ),
    "addresses": (
        both(),
        function("f", store("p", at("x"), 8)),
        function("g", load("q", "p", 8), store("x", 3)),
    ),
    "parts": (both(store("p", 1, 8)), function("f", store("p", 2, 4)), function("g", load("r", at("p", 4), 4))),
}


def settled(functions: tuple[Function, ...], model: MemoryModel) -> tuple[Unwound, Unwinding]:
    program = Program("tiny", DataModel.LP64, {f.name: f for f in functions}, GLOBALS)
    found = Unwinding.of(program, model)
    return found.settled(BOUNDS, Budget()), found


def shapes(world: Unwound) -> list[tuple[object, ...]]:
    return [
        (event.kind, event.guard, event.clock, [(p.cell, p.when, p.value) for p in (*event.reads, *event.writes)])
        for thread in world.threads.values()
        for event in thread.events
    ]


@pytest.mark.parametrize("model", list(MemoryModel), ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_last_round_finds_what_it_relied_on(name: str, model: MemoryModel, monkeypatch: pytest.MonkeyPatch):
    world, found = settled(PROGRAMS[name], model)
    for room in (unroll, thread_steps):
        monkeypatch.setattr(room, "learn", lambda world, thread: None)
    monkeypatch.setattr(unwinding, "spread", lambda world, before, facts: facts)
    monkeypatch.setattr(unwinding, "ROUNDS", 1)
    again = found.settled(BOUNDS, Budget())  # raises CannotEncode if that takes more than one round
    assert shapes(again) == shapes(world)


@pytest.mark.parametrize("model", list(MemoryModel), ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_learning_early_comes_to_the_same(name: str, model: MemoryModel, monkeypatch: pytest.MonkeyPatch):
    quick, found = settled(PROGRAMS[name], model)
    for room in (unroll, thread_steps):
        monkeypatch.setattr(room, "learn", lambda world, thread: None)
    monkeypatch.setattr(unwinding, "spread", lambda world, before, facts: facts)
    slow, other = settled(PROGRAMS[name], model)
    assert [len(thread.events) for thread in quick.threads.values()] == [
        len(thread.events) for thread in slow.threads.values()
    ]
    assert _numbers(found.facts) == _numbers(other.facts)


def _numbers(facts: RoundFacts) -> dict[object, list[object]]:
    return {cell: [write.numbers for write in writes] for cell, writes in facts.writes.items()}
