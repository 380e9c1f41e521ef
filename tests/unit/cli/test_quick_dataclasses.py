"""Dataclasses whose methods are compiled later are the same dataclasses."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from threadproof.cli.quick_dataclasses import compile_methods_later


@pytest.fixture(params=["as it is", "later"], autouse=True)
def maker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "later" and hasattr(dataclasses, "_create_fn"):
        monkeypatch.setattr(dataclasses, "_create_fn", dataclasses._create_fn)  # what the call changes is changed back
        compile_methods_later()


def test_equality_hash_and_text() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 0
        note: str = field(default="", compare=False, repr=False)

    one, same, other = Point(1), Point(1, 0, "seen"), Point(1, 2)
    for _ in range(2):  # the first call compiles
        assert one == same
        assert one != other
        assert one != (1, 0)
        assert hash(one) == hash(same) == hash((1, 0))
        assert repr(other).endswith("Point(x=1, y=2)")
    assert replace(one, y=2) == other
    with pytest.raises(FrozenInstanceError):
        one.x = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.x


def test_each_class_of_a_family_has_its_own() -> None:
    @dataclass(frozen=True)
    class Base:
        a: int

    @dataclass(frozen=True)
    class Derived(Base):
        b: int

    @dataclass(frozen=True)
    class Plain(Base):
        pass

    assert Derived(1, 2) == Derived(1, 2) != Derived(1, 3)
    assert Base(1) == Base(1) != Plain(1)
    assert len({Derived(1, 2), Derived(1, 2), Base(1), Plain(1)}) == 3
    assert repr(Plain(1)).endswith("Plain(a=1)")


def test_own_methods_and_recursion_stay() -> None:
    @dataclass(eq=False)
    class Node:
        next: Node | None = None

    @dataclass(order=True)
    class Ranked:
        rank: int

        def __repr__(self) -> str:
            return f"#{self.rank}"

    loop = Node()
    loop.next = loop
    assert "..." in repr(loop)
    assert loop == loop
    assert Node() != Node()
    assert sorted([Ranked(2), Ranked(1)])[0].rank == 1
    assert repr(Ranked(1)) == "#1"
    with pytest.raises(TypeError):
        hash(Ranked(1))


def test_values_travel_between_processes() -> None:
    from threadproof.core.source import SourceLoc

    loc = SourceLoc("a.c", 3)
    assert pickle.loads(pickle.dumps(loc)) == loc
