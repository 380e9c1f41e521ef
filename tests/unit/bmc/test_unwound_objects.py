"""Objects come and go, each at an address of its own: blocks, locals, thread-local variables."""

from __future__ import annotations

from itertools import combinations

import pytest
from unwound_programs import (
    Seen,
    at,
    create,
    ends,
    function,
    join,
    load,
    local,
    lock,
    malloc,
    store,
    unlock,
    unwound,
)  # fmt: skip

from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.unwinding.events import Limit, Why
from threadproof.engines.bmc.unwinding.objects import ObjectStorage, UnwoundObjects
from threadproof.ir.expr import Const, PtrAdd, Reg
from threadproof.ir.instr import (
    Call,
    ErrorKind,
    Fill,
    Free,
    Nondet,
    ObjectSize,
    StackRestore,
    StackSave,
    UndefinedKind,
)  # fmt: skip
from threadproof.ir.program import (
    DataModel,
    GlobalVar,
    Lifetime,
    Program,
    Relocation,
)  # fmt: skip

NOTHING = set[object]()
WRONG = {ErrorKind.ASSERTION}
P, Q = Reg("p", 64), Reg("q", 64)


# --- heap blocks ---


FREE_P = Free(P)


@pytest.mark.parametrize(
    ("instrs", "what"),
    [
        ((malloc("p", 4), store(P, 1), FREE_P), NOTHING),
        ((malloc("p", 4), FREE_P, load("a", P)), {UndefinedKind.USE_AFTER_FREE}),
        ((malloc("p", 4), FREE_P, store(P, 1)), {UndefinedKind.USE_AFTER_FREE}),
        ((malloc("p", 4), FREE_P, FREE_P), {UndefinedKind.DOUBLE_FREE}),
        ((malloc("p", 4), Free(PtrAdd(P, Const(1, 64)))), {UndefinedKind.INVALID_FREE}),
        ((Free(at("x")),), {UndefinedKind.INVALID_FREE}),
        ((local("p"), FREE_P), {UndefinedKind.INVALID_FREE}),
        ((Free(Const(0, 64)),), NOTHING),
        ((malloc("p", 4), malloc("q", 4), FREE_P, store(Q, 1)), NOTHING),
        ((malloc("p", 4), load("a", PtrAdd(P, Const(1, 64)))), {UndefinedKind.OUT_OF_BOUNDS}),
        ((malloc("p", 1 << 21),), {NotEncoded("a large block")}),
    ],
    ids=[
        "freed at last", "read after free", "write after free", "freed twice", "freed inside", "a global freed",
        "a local freed", "null freed", "another one freed", "beyond its end", "a large block",
    ],
)  # fmt: skip
def test_the_life_of_a_block(instrs: tuple[object, ...], what: set[object]) -> None:
    assert ends(unwound(function("main", *instrs))) == what  # type: ignore[arg-type]


def test_a_block_freed_by_another_thread() -> None:
    f = function("f", load("a", "p", 8), Free(Reg("a", 64)))
    main = (malloc("p", 4), store("p", P, 8), create("t", "f"))
    assert ends(unwound(function("main", *main, store(P, 1), *join("t")), f)) == {UndefinedKind.USE_AFTER_FREE}
    locked = function("f", lock(), load("a", "p", 8), store("p", 0, 8), unlock(), Free(Reg("a", 64)))
    assert ends(unwound(function("main", *main, *join("t")), locked)) == NOTHING


def test_new_blocks_are_arbitrary_or_zero() -> None:
    for fill, found in ((Fill.ARBITRARY, {0, 1}), (Fill.ZERO, {0})):
        assert Seen((), (malloc("p", 4, fill), load("a", P))).values("a", 0, 1) == found


def test_every_execution_of_malloc_gives_another_block() -> None:
    f = function("f", malloc("p", 4), store("p", P, 8))
    g = function("g", malloc("p", 4), store("p", P, 8))
    world = unwound(function("main", create("t", "f"), create("u", "g"), malloc("p", 4)), f, g)
    blocks = sorted(block.owner.start for block in world.heap.values())
    assert len(blocks) == 3
    assert all(b - a > 4 for a, b in combinations(blocks, 2))


def test_a_block_whose_size_is_not_known() -> None:
    """Accesses are inside or not by its size; the bytes that are not looked at are a limit."""
    size = Nondet(Reg("n", 64), "any", 4, 100_000)
    block = (size, malloc("p", Reg("n", 64)))

    def access(offset: int) -> set[object]:
        return set(ends(unwound(function("main", *block, load("a", PtrAdd(P, Const(offset, 64)))))))

    assert access(0) == NOTHING
    assert access(4) == {UndefinedKind.OUT_OF_BOUNDS}
    assert access(80) == {UndefinedKind.OUT_OF_BOUNDS, Limit(Why.SIZE)}
    asked = Seen((), (*block, ObjectSize(Reg("s", 64), P)))
    assert asked.values("s", 3, 4, 100_000, 100_001, width=64) == {4, 100_000}


def test_a_size_beyond_the_addresses_kept_free_is_a_limit() -> None:
    size = Nondet(Reg("n", 64), "any", 4, 1 << 40)
    assert ends(unwound(function("main", size, malloc("p", Reg("n", 64))))) == {Limit(Why.SIZE)}


def test_the_size_of_a_block() -> None:
    asked = Seen((), (malloc("p", 12), ObjectSize(Reg("s", 64), P)))
    assert asked.values("s", 0, 4, 12, width=64) == {12}
    gone = (malloc("p", 12), FREE_P, ObjectSize(Reg("s", 64), P))
    assert ends(unwound(function("main", *gone))) == {UndefinedKind.DOUBLE_FREE}


# --- locals ---


def test_locals_die_with_their_function() -> None:
    """f leaves the address of its local in p; main uses it while f runs, or afterwards."""
    f = function("f", local("l"), store("p", Reg("l", 64), 8))
    after = (Call(None, "f", ()), load("a", "p", 8), load("b", Reg("a", 64)))
    assert ends(unwound(function("main", *after), f)) == {UndefinedKind.DEAD_LOCAL}
    g = function("g", local("l"), store("p", Reg("l", 64), 8), Call(None, "h", ()))
    h = function("h", load("a", "p", 8), store(Reg("a", 64), 1))
    assert ends(unwound(function("main", Call(None, "g", ())), g, h)) == NOTHING


def test_a_restored_stack_ends_what_came_after_the_mark() -> None:
    mark = Reg("mark", 64)
    body = (local("p"), StackSave(mark), local("q"), StackRestore(mark))
    assert ends(unwound(function("main", *body, store(P, 1)))) == NOTHING
    assert ends(unwound(function("main", *body, store(Q, 1)))) == {UndefinedKind.DEAD_LOCAL}


# --- objects ---


def objects(**more: GlobalVar) -> UnwoundObjects:
    program = Program("objects", DataModel.LP64, {}, {"x": GlobalVar("x", 4, b"\1\2"), **more})
    return UnwoundObjects(program, program.layout())


def test_an_instance_has_one_place_for_ever() -> None:
    found = objects()
    one, two = (found.instance(key, 4, "l", ObjectStorage.STACK, None, False) for key in "ab")
    assert found.instance("a", 4, "l", ObjectStorage.STACK, None, False) is one
    assert one.start + one.size <= two.start
    assert one.start % 16 == two.start % 16 == 0


def test_an_address_is_near_to_one_object() -> None:
    found = objects()
    one, two = (found.instance(key, 4, "l", ObjectStorage.HEAP, None, False) for key in "ab")
    for owner in (one, two):
        for offset in (-1, 0, 3, 4):
            assert found.near(owner.start + offset) is owner
    assert found.near(0) is None
    assert found.is_heap(one.start)


def test_what_objects_hold_at_first() -> None:
    program = Program("objects", DataModel.LP64, {}, {"x": GlobalVar("x", 4, b"\1\2")})
    found = UnwoundObjects(program, program.layout())
    x = found.near(program.layout().globals["x"])
    assert x is not None
    assert [x.initial(0, 2), x.initial(0, 4), x.initial(1, 1), x.initial(2, 2)] == [0x201, 0x201, 2, 0]
    assert found.instance("a", 4, "l", ObjectStorage.STACK, None, False).initial(0, 4) is None


def test_every_thread_has_its_own_thread_local_variables() -> None:
    found = objects(mine=GlobalVar("mine", 4, b"\3", lifetime=Lifetime.THREAD))
    one, two = found.thread_locals("one"), found.thread_locals("two")
    assert found.thread_locals("one") == one
    (a,), (b,) = found.thread_local_objects(one), found.thread_local_objects(two)
    assert a.start != b.start
    assert a.initial(0, 4) == b.initial(0, 4) == 3
    assert a.storage is ObjectStorage.THREAD_LOCAL


def test_initial_values_that_point_far_outside_are_refused() -> None:
    def pointing(addend: int) -> None:
        objects(p=GlobalVar("p", 8, b"", relocations=(Relocation(0, "x", addend),)))

    pointing(4)
    with pytest.raises(CannotEncode):
        pointing(1 << 20)
