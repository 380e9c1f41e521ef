"""Cells: values in a thread's state while it alone uses them, parts of events where others do, kept to itself in
sections that protect them."""

from __future__ import annotations

from itertools import combinations

import pytest
from unwound_programs import (
    Seen,
    at,
    checking,
    create,
    ends,
    function,
    is_equal,
    join,
    load,
    lock,
    store,
    unlock,
    unwound,
)  # fmt: skip

from threadproof.encoding.encoded import NotEncoded
from threadproof.engines.bmc.unwinding.events import EventRole, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.ir.expr import Reg
from threadproof.ir.instr import (
    ErrorKind,
    Sync,
    UndefinedKind,
)  # fmt: skip
from threadproof.ir.program import (
    GlobalVar,
    Mutability,
    Origin,
)  # fmt: skip

NOTHING = set[object]()
WRONG = {ErrorKind.ASSERTION}
P, Q = Reg("p", 64), Reg("q", 64)


def child(world: Unwound) -> UnwoundThread:
    return list(world.threads.values())[1]


def parts(thread: UnwoundThread, world: Unwound, name: str) -> list[tuple[EventRole, str]]:
    """Which events of the thread read and write a global."""
    start, size = world.layout.globals[name], world.program.globals[name].size
    return [
        (event.kind, way)
        for event in thread.events
        for way, found in (("reads", event.reads), ("writes", event.writes))
        if any(start <= part.cell[0] < start + size and part.cell[1] for part in found)
    ]


# --- cells of one thread, and of several ---


def test_a_cell_of_one_thread_is_no_part_of_events() -> None:
    world = unwound(checking("main", store("x", 5), load("a"), wrong=is_equal("a", 5)))
    assert parts(world.threads[0], world, "x") == []
    assert [end.guard for end in world.ends] == [()], "the value is known while unwinding"


def test_a_cell_that_others_only_read_is_no_part_of_their_events() -> None:
    world = unwound(function("main", create("t", "f"), load("a", "y")), function("f", load("b", "y")))
    assert parts(child(world), world, "y") == parts(world.threads[0], world, "y") == []


def test_what_others_write_is_an_event() -> None:
    world = unwound(function("main", create("t", "f"), load("a")), function("f", store("x", 1)))
    assert parts(child(world), world, "x") == [(EventRole.ACCESS, "writes")]
    assert parts(world.threads[0], world, "x") == [(EventRole.ACCESS, "reads")]
    seen = Seen((function("f", store("x", 1)),), (create("t", "f"), load("a")))
    assert seen.values("a", 0, 1, 2) == {0, 1}


def test_what_one_thread_writes_and_others_read() -> None:
    """The writer itself knows what it wrote, the reader sees any of the values."""
    writer = function("f", store("x", 1), store("x", 2), load("b"), store("y", Reg("b", 32)))
    seen = Seen((writer,), (create("t", "f"), load("a"), *join("t"), load("c", "y")))
    assert seen.values("a", 0, 1, 2, 3) == {0, 1, 2}
    assert seen.values("c", 0, 1, 2) == {2}


# --- cells of different sizes ---


def test_accesses_of_different_sizes_meet_in_whole_cells() -> None:
    """A word, and its second byte and upper half: cells do not overlap, and every byte of the word is in one."""
    byte, half = load("b", at("x", 1), 1), load("h", at("x", 2), 2)
    world = unwound(function("main", create("t", "f"), store("x", 1)), function("f", byte, half))
    start = world.layout.globals["x"]
    cells = sorted(cell for cell in world.touches if start <= cell[0] < start + 4 and cell[1])
    assert cells == [(start, 1), (start + 1, 1), (start + 2, 2)]
    assert all(a + size <= b for (a, size), (b, _) in combinations(cells, 2))


@pytest.mark.parametrize(("offset", "size", "value"), [(0, 1, 0x44), (1, 1, 0x33), (2, 2, 0x1122), (0, 4, 0x11223344)])
def test_the_lowest_byte_comes_first(offset: int, size: int, value: int) -> None:
    """What is written as a whole is read in parts, by another thread and by its own."""
    stored, read = store("x", 0x11223344), load("a", at("x", offset), size)
    other = Seen((function("f", stored),), (create("t", "f"), *join("t"), read))
    assert other.values("a", value, 0, width=8 * size) == {value}
    alone = Seen((), (stored, read))
    assert alone.values("a", value, 0, width=8 * size) == {value}


def test_parts_written_are_read_as_a_whole() -> None:
    bytes_ = (store("x", 0x11223344), store(at("x", 1), 0xAA, 1), store(at("x", 2), 0xBBCC, 2))
    seen = Seen((function("f", *bytes_),), (create("t", "f"), *join("t"), load("a")))
    assert seen.values("a", 0xBBCCAA44, 0x11223344) == {0xBBCCAA44}


# --- sections ---


def test_a_protected_cell_is_read_with_the_lock_and_written_with_the_unlock() -> None:
    section = (lock(), load("a"), store("x", 1), load("b"), store("x", 2), unlock())
    world = unwound(function("main", create("t", "f"), *section), function("f", *section))
    for thread in world.threads.values():
        assert set(parts(thread, world, "x")) <= {(EventRole.LOCK, "reads"), (EventRole.UNLOCK, "writes")}
        assert (EventRole.UNLOCK, "writes") in parts(thread, world, "x")


def test_the_section_of_the_lock_that_protects_a_cell_shows_it() -> None:
    """Not that of another lock that is held besides, wherever the two lie."""
    for inner, outer in ("mk", "km"):
        f = function("f", lock(outer), lock(inner), store("x", 1), unlock(inner), store("y", 1), unlock(outer))
        world = unwound(function("main", create("t", "f"), lock(inner), load("a"), unlock(inner)), f)
        start = world.layout.globals["x"]
        writes = [e for e in child(world).events if any(part.cell == (start, 4) for part in e.writes)]
        assert [(e.kind, e.mutex) for e in writes] == [(EventRole.UNLOCK, world.layout.globals[inner])]


def test_nobody_sees_what_is_overwritten_in_a_section() -> None:
    locked = function("f", lock(), store("x", 1), store("x", 2), unlock())
    assert Seen((locked,), (create("t", "f"), lock(), load("a"), unlock())).values("a", 0, 1, 2) == {0, 2}


def test_without_the_lock_everybody_does() -> None:
    locked = function("f", lock(), store("x", 1), store("x", 2), unlock())
    assert Seen((locked,), (create("t", "f"), load("a"))).values("a", 0, 1, 2) == {0, 1, 2}
    assert Seen((locked,), (create("t", "f"), lock("k"), load("a"), unlock("k"))).values("a", 0, 1, 2) == {0, 1, 2}


def test_a_creation_inside_a_section_shows_what_was_written() -> None:
    """All accesses that are not ordered hold the lock, so x is kept in the section; g reads it without, in order."""
    h = function("h", lock(), load("a"), unlock())
    g = function("g", load("a"), store("y", Reg("a", 32)))
    section = (lock(), store("x", 1), *join("t"), create("u", "g"), unlock())
    assert Seen((g, h), (create("t", "h"), *section, *join("u"), load("a", "y"))).values("a", 0, 1) == {1}


def test_what_was_written_stays_if_a_thread_ends_inside_a_section() -> None:
    for begin in (lock(), Sync(None, "atomic_begin", ())):
        f = function("f", begin, store("x", 1))
        assert Seen((f,), (create("t", "f"), *join("t"), load("a"))).values("a", 0, 1) == {1}


def test_atomic_blocks_show_only_their_last_values() -> None:
    block = (Sync(None, "atomic_begin", ()), store("x", 1), store("x", 2), Sync(None, "atomic_end", ()))
    assert Seen((function("f", *block),), (create("t", "f"), load("a"))).values("a", 0, 1, 2) == {0, 2}


# --- places ---


@pytest.mark.parametrize(
    ("access", "what"),
    [
        (load("a", at("x", 4)), {UndefinedKind.OUT_OF_BOUNDS}),
        (load("a", at("x", 1)), {UndefinedKind.OUT_OF_BOUNDS}),
        (load("a", at("x", 3), 1), NOTHING),
        (store("c", 1), {UndefinedKind.WRITE_TO_CONSTANT}),
        (load("a", "c"), NOTHING),
        (load("a", "e"), {NotEncoded("a variable that is defined nowhere")}),
    ],
    ids=["behind", "half behind", "the last byte", "write to a constant", "read of a constant", "elsewhere"],
)
def test_where_an_access_may_be(access: object, what: set[object]) -> None:
    constant = GlobalVar("c", 4, b"\7", mutability=Mutability.CONSTANT)
    elsewhere = GlobalVar("e", 4, b"", origin=Origin.ELSEWHERE)
    assert ends(unwound(function("main", access), c=constant, e=elsewhere)) == what  # type: ignore[arg-type]


def test_an_address_that_is_one_of_two() -> None:
    """*p = 7 with p = &x or &y: one of them changes, the other does not."""
    f = function("f", load("a", "p", 8), store(Reg("a", 64), 7))
    set_p = function("g", store("p", at("y"), 8))
    main = (store("p", at("x"), 8), create("t", "g"), create("u", "f"), *join("t"), *join("u"))
    seen = Seen((f, set_p), (*main, load("a"), load("b", "y")))
    assert seen.values("a", 0, 7, 8) == seen.values("b", 0, 7, 8) == {0, 7}
