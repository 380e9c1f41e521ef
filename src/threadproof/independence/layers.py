"""The interface of layers, and those that need no formula: threads, names, points-to sets.

Paper: M. Heizmann et al., Ultimate GemCutter (layers, cheapest first); P. Godefroid, LNCS 1032, 1996, section 3.4
(dependence from the operations on shared objects). Differs: layers answer about letters, that is paths of instructions.
Invariants: an answer is about all reachable states in which the two threads stand where the letters begin. What a
letter touches is in its regions; what it does, whether it can and whether it goes wrong depends on nothing else that
another thread could change, but for atomic blocks with loops, which these layers leave to the formulas.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from threadproof.analysis.footprints.dependence import Beyond, Region, conflict
from threadproof.analysis.points_to import ObjectKind, Root
from threadproof.independence.answers import Always, LayerName, Never, SwapAnswer
from threadproof.independence.inclusions import Given
from threadproof.independence.pairs import InstanceLetter
from threadproof.ir.constant import constant
from threadproof.ir.expr import Expr, GlobalRef, PtrAdd
from threadproof.ir.program import Program
from threadproof.sync.footprint import Mode


class Layer(Protocol):
    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        """None: ask the next one. The letters are of different instances."""
        ...


class ThreadsLayer:
    """Letters of one thread never swap, nor does a letter with the one that starts its thread. Two creations do not
    either: which instance, and with it which variables, a new thread gets depends on their order."""

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        same = a.instance == b.instance
        starts = a.instance in b.starts or b.instance in a.starts
        both = bool(a.letter.forks) and bool(b.letter.forks)
        return Never(LayerName.THREADS) if same or starts or both else None


class SyntacticLayer:
    """One letter concerns its thread alone, or both name all that they touch, and these are different things."""

    def __init__(self, regions: SharedRegions) -> None:
        self._regions = regions

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        if _inside(a) or _inside(b):
            return None
        first, second = self._regions.of(a), self._regions.of(b)
        if not first or not second:
            return Always(LayerName.SYNTACTIC)
        if all(map(_is_named, (*first, *second))) and not _conflicts(first, second):
            return Always(LayerName.SYNTACTIC)
        return None


class PointsToLayer:
    """What they may touch by points-to has no place in common that one of them changes."""

    def __init__(self, regions: SharedRegions) -> None:
        self._regions = regions

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        if _inside(a) or _inside(b) or _conflicts(self._regions.of(a), self._regions.of(b)):
            return None
        return Always(LayerName.POINTS_TO)


class SharedRegions:
    """What a letter may touch that another thread could, too."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, tuple[Region, ...]] = {}

    def of(self, one: InstanceLetter) -> tuple[Region, ...]:
        found = self._known.get(one.letter.id)
        if found is None:
            shared = (region for region in one.letter.touches if not self._is_unshared(region.root))
            found = self._known[one.letter.id] = tuple(dict.fromkeys(map(_written, shared)))
        return found

    def _is_unshared(self, root: Root | Beyond) -> bool:
        if isinstance(root, Beyond):
            return False
        if root.kind is ObjectKind.STACK and root.site is not None:
            return root.name in self._program.functions[root.site.function].unshared
        return root.kind in (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL) and root.name in self._program.unshared


def _written(region: Region) -> Region:
    """Counters commute with their like only where nobody gives back what he does not have: that is left to formulas."""
    return region if region.mode is Mode.READ else replace(region, mode=Mode.WRITE)


def _inside(one: InstanceLetter) -> bool:
    """Whether the letter begins or ends inside an atomic block: others have to wait, or may go on."""
    return bool(one.letter.source.depth or one.letter.target.depth)


def _conflicts(first: tuple[Region, ...], second: tuple[Region, ...]) -> bool:
    return any(conflict(a, b) for a in first for b in second)


def _is_named(region: Region) -> bool:
    return isinstance(region.root, Beyond) or (region.address is not None and _is_variable(region.address))


def _is_variable(address: Expr) -> bool:
    while isinstance(address, PtrAdd):
        if constant(address.offset) is None:
            return False
        address = address.base
    return isinstance(address, GlobalRef)
