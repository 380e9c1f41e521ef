"""What may leave a store buffer, and what loads find in it."""

from __future__ import annotations

from threadproof.core.memory_model import MemoryModel
from threadproof.core.source import NOWHERE
from threadproof.ir.instr import Order
from threadproof.semantics.state import Buffered
from threadproof.semantics.store_buffer import Buffer, Partly, fenced, may_reach_memory, newest, without

X, Y, Z = 0x100, 0x200, 0x300


def entry(address: int, value: int = 1, size: int = 4, order: Order = Order.PLAIN) -> Buffered:
    return Buffered(address, value.to_bytes(size, "little"), None, order, NOWHERE)


def leaving(model: MemoryModel, *buffer: Buffered) -> tuple[int, ...]:
    return may_reach_memory(model, buffer)


def test_tso_is_first_in_first_out() -> None:
    assert leaving(MemoryModel.TSO) == ()
    assert leaving(MemoryModel.TSO, entry(X), entry(Y)) == (0,)


def test_pso_keeps_the_order_of_stores_to_one_address_only() -> None:
    assert leaving(MemoryModel.PSO, entry(X), entry(Y), entry(X, 2), entry(Z)) == (0, 1, 3)


def test_pso_keeps_the_order_of_stores_that_share_a_byte() -> None:
    assert leaving(MemoryModel.PSO, entry(X, size=4), entry(X + 3, size=1), entry(X + 4, size=4)) == (0, 2)


def test_a_release_store_leaves_after_all_before_it_and_holds_none_up() -> None:
    assert leaving(MemoryModel.PSO, entry(X), entry(Y, order=Order.RELEASE), entry(Z)) == (0, 2)
    assert leaving(MemoryModel.PSO, entry(Y, order=Order.RELEASE), entry(Z)) == (0, 1)


def test_nothing_passes_a_release_fence() -> None:
    buffer: Buffer = (*fenced((entry(X), entry(Y))), entry(Z))
    assert may_reach_memory(MemoryModel.PSO, buffer) == (0, 1)
    assert may_reach_memory(MemoryModel.PSO, without(buffer, 1)) == (0,), "the fence stays behind X"
    assert may_reach_memory(MemoryModel.PSO, without(without(buffer, 1), 0)) == (0,)
    assert without(without(buffer, 1), 0) == (entry(Z),)
    assert fenced(()) == ()


def test_a_load_takes_the_newest_store_that_has_all_its_bytes() -> None:
    buffer = (entry(X, 1), entry(X, 2), entry(Y, 3))
    found = newest(buffer, X, 4)
    assert isinstance(found, Buffered)
    assert found.data == b"\2\0\0\0"
    assert newest(buffer, X + 1, 2) == found
    assert newest(buffer, Z, 4) is None


def test_a_load_of_more_bytes_than_the_store_has_waits() -> None:
    assert newest((entry(X, size=8), entry(X, size=1)), X, 4) is Partly.PARTLY
    assert newest((entry(X, size=1), entry(X, size=8)), X, 4) == entry(X, size=8)
