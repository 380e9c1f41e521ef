"""Threads that cannot be told apart: of their orders only one is looked at.

Threads of a class run the same routine, are created and joined by one thread that does nothing else in between (or are
not joined at all), and their events are the same up to the names of their variables. Exchanging two of them turns every
execution into one of the same formula, and every question that treats all threads alike into itself. So their first
events may be taken to come in the order of their creation.
Invariants: a join orders what follows on its path, also where that path meets others and no clock tells of it any
more. So joins themselves are held against each other (`_joined_alike`): who waits for one thread, then waits for the
other.

Paper: J. Crawford, M. Ginsberg, E. Luks, A. Roy, Symmetry-Breaking Predicates for Search Problems, KR 1996. Differs: of
the predicates only the first variable of the order is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from threadproof.engines.bmc.unwinding.events import (
    CellPart,
    Clock,
    EventRole,
    PathEnd,
    UnwoundAccess,
    UnwoundEvent,
    UnwoundThread,
)
from threadproof.engines.bmc.unwinding.guards import Guard
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Op, Term, in_order


def classes(world: Unwound) -> list[list[UnwoundThread]]:
    """Threads that may be exchanged, in the order of their creation."""
    found: list[list[UnwoundThread]] = []
    if world.demands:
        return found
    by_parent: dict[int, list[UnwoundThread]] = {}
    for thread in world.threads.values():
        if thread.fork is not None:
            by_parent.setdefault(thread.fork.thread, []).append(thread)
    for parent, children in by_parent.items():
        for group in _runs(world.threads[parent], children):
            found.extend(_alike(world, group))
    return found


def _runs(parent: UnwoundThread, children: list[UnwoundThread]) -> Iterator[list[UnwoundThread]]:
    """Children between whose creations and joins the parent does nothing else that others could notice."""
    at = {child.fork.index: child for child in children if child.fork is not None}
    group: list[UnwoundThread] = []
    for event in parent.events:
        if event.kind is EventRole.FORK and not event.writes:
            if event.index in at:
                group.append(at[event.index])
        elif event.kind is not EventRole.JOIN or event.reads or event.writes:
            yield group
            group = []
    yield group


def _alike(world: Unwound, group: list[UnwoundThread]) -> Iterator[list[UnwoundThread]]:
    rest = [one for one in group if one.events]
    while len(rest) > 1:
        first, *others = rest
        same = [first, *(other for other in others if _exchangeable(world, first, other))]
        if len(same) > 1:
            yield same
        rest = [other for other in others if other not in same]


def _exchangeable(world: Unwound, a: UnwoundThread, b: UnwoundThread) -> bool:
    if len(a.events) != len(b.events) or a.begin != b.begin or _observed(world, a, b):
        return False
    ends_a = [end for end in world.ends if end.thread == a.number]
    ends_b = [end for end in world.ends if end.thread == b.number]
    if len(ends_a) != len(ends_b) or len(a.end or ()) != len(b.end or ()) or (a.end is None) != (b.end is None):
        return False
    renaming = _Renaming(world, a, b)
    return renaming.maps(ends_a, ends_b) and renaming.is_a_symmetry()


def _observed(world: Unwound, a: UnwoundThread, b: UnwoundThread) -> bool:
    """Whether another thread may use the threads' results, or they create or join threads themselves."""
    if any(event.kind in (EventRole.FORK, EventRole.JOIN) for event in a.events):
        return True
    return any(t is not None and t.op is not Op.VALUE for t in (a.result, b.result))


class _Renaming:
    """The variables of one thread as those of another."""

    def __init__(self, world: Unwound, a: UnwoundThread, b: UnwoundThread) -> None:
        self._world = world
        self._a, self._b = a, b
        self._names: dict[Term, Term] = {}
        self._swap: dict[Term, Term] = {}  # variables, then whatever was made of them
        self._unified: set[tuple[int, int]] = set()
        self._kept: set[Term] = set()  # that stand for themselves

    def maps(self, ends_a: list[PathEnd], ends_b: list[PathEnd]) -> bool:
        """Whether the threads do the same, but for the names of variables."""
        events = list(zip(self._a.events, self._b.events, strict=True))
        ends = list(zip(ends_a, ends_b, strict=True))
        touched = [self._touches(thread) for thread in (self._a, self._b)]
        alike = (
            all(self._same_shape(x, y) for x, y in events)
            and all((x.what, len(x.guard)) == (y.what, len(y.guard)) for x, y in ends)
            and [_looks(touch) for touch in touched[0]] == [_looks(touch) for touch in touched[1]]
        )
        if not alike:
            return False
        touches = zip(*touched, strict=True)
        guarded = [(x.guard, y.guard) for x, y in (*events, *ends)]
        terms = [pair for a, b in guarded for pair in zip(a, b, strict=True)]
        terms += [pair for x, y in events for pair in self._parts(x, y)]
        terms += [pair for x, y in touches for pair in zip((*x.guard, x.when), (*y.guard, y.when), strict=True)]
        terms += zip(self._a.end or (), self._b.end or (), strict=True)
        return all(self._unify(x, y) for x, y in terms)

    def _touches(self, thread: UnwoundThread) -> list[UnwoundAccess]:
        """Accesses that others can notice, in program order."""
        return [
            touch
            for touches in self._world.touches.values()
            for touch in touches
            if touch.thread == thread.number and touch.event is not None
        ]

    def _parts(self, a: UnwoundEvent, b: UnwoundEvent) -> Iterator[tuple[Term, Term]]:
        for x, y in zip((*a.reads, *a.writes), (*b.reads, *b.writes), strict=True):
            yield x.when, y.when
            yield x.value, y.value

    def _same_shape(self, a: UnwoundEvent, b: UnwoundEvent) -> bool:
        same = (a.kind, a.mutex, bool(a.block), a.drains, a.releases, len(a.guard)) == (
            b.kind, b.mutex, bool(b.block), b.drains, b.releases, len(b.guard)
        )  # fmt: skip
        return (
            same and _cells(a.reads) == _cells(b.reads) and _cells(a.writes) == _cells(b.writes) and self._clocks(a, b)
        )

    def _clocks(self, a: UnwoundEvent, b: UnwoundEvent) -> bool:
        parent = self._a.fork.thread if self._a.fork is not None else -1

        def others(clock: Clock) -> dict[int, int]:
            return {t: n for t, n in clock.items() if t not in (parent, self._a.number, self._b.number)}

        return others(a.clock) == others(b.clock)

    def _unify(self, x: Term, y: Term) -> bool:
        """Whether the terms are the same but for variables, each always for the same other one."""
        work = [(x, y)]
        while work:
            a, b = work.pop()
            if (a.id, b.id) in self._unified:
                continue
            self._unified.add((a.id, b.id))
            if a.op is Op.VAR and b.op is Op.VAR and a.sort == b.sort:
                if self._names.setdefault(a, b) is not b:
                    return False
            elif a is b:
                parts = in_order((a,), self._kept)
                self._kept.update(parts)
                if any(v.op is Op.VAR and self._names.setdefault(v, v) is not v for v in parts):
                    return False
            elif a.op is not b.op or a.params != b.params or len(a.args) != len(b.args):
                return False
            else:
                work.extend(zip(a.args, b.args, strict=True))
        return True

    def _definitions(self) -> bool:
        """What is known of one thread's variables is known of the other's; each variable stands for one only."""
        if len(set(self._names.values())) != len(self._names):
            return False
        known = set(self._world.definitions)
        return all(self._swapped(definition) in known for definition in known - set(self._joined()))

    def _joined(self) -> dict[Term, Term]:
        """The literals for having joined either thread, by their definitions."""
        terms, found = self._world.terms, dict[Term, Term]()
        for thread in (self._a, self._b):
            for definition in self._world.definitions:
                for v in in_order((definition,)) if thread.end is not None else ():
                    is_literal = v.op is Op.VAR and v.name.startswith("joined.")
                    if is_literal and definition is terms.implies(v, terms.all(thread.end or ())):
                        found[definition] = v
        return found

    def _swapped(self, term: Term) -> Term:
        return self._world.terms.replaced((term,), self._swap)[0]

    def is_a_symmetry(self) -> bool:
        """Whether exchanging the two changes nothing for the others."""
        for x, y in list(self._names.items()):
            self._swap[x], self._swap[y] = y, x
        literals = list(self._joined().values())
        if len(literals) == 2:
            self._swap[literals[0]], self._swap[literals[1]] = literals[1], literals[0]
        members = {self._a.number, self._b.number}
        others = [t for t in self._world.threads.values() if t.number not in members]
        return (
            self._joined_alike()
            and self._definitions()
            and all(self._keeps(event) for t in others for event in t.events if event.kind is not EventRole.JOIN)
            and all(self._same(end.guard) for end in self._world.ends if end.thread not in members)
        )

    def _joined_alike(self) -> bool:
        """Whether nobody waits for either, or one thread does for both: it comes to the second join whenever the first
        is over, and in between it does nothing but join."""
        joins = [[wait.event for wait in self._world.waits if wait.child is x] for x in (self._a, self._b)]
        if not any(joins):
            return True
        if [len(events) for events in joins] != [1, 1] or joins[0][0].thread != joins[1][0].thread:
            return False
        first, last = sorted(events[0].index for events in joins)
        chain = self._world.threads[joins[0][0].thread].events[first : last + 1]
        return (
            all(event.kind is EventRole.JOIN and not event.reads and not event.writes for event in chain)
            and self._same(chain[0].arrives or ())
            and all(set(after.arrives or ()) == set(before.guard) for before, after in pairwise(chain))
        )

    def _same(self, guard: Guard) -> bool:
        return {self._swapped(literal) for literal in guard} == set(guard)

    def _keeps(self, event: UnwoundEvent) -> bool:
        after = [n in event.clock for n in (self._a.number, self._b.number)]
        parts = (*event.reads, *event.writes)
        values = all(self._swapped(t) is t for part in parts for t in (part.when, part.value))
        return after[0] == after[1] and values and self._same(event.guard)


def _looks(touch: UnwoundAccess) -> tuple[object, ...]:
    return touch.index, touch.cell, touch.writes, touch.atomic, touch.held, len(touch.guard)


def _cells(parts: list[CellPart]) -> list[tuple[int, int]]:
    return [part.cell for part in parts]


def firsts(world: Unwound) -> Iterator[tuple[UnwoundEvent, UnwoundEvent]]:
    """Pairs of events of which the first may be taken to come first."""
    for group in classes(world):
        for a, b in pairwise(group):
            yield a.events[0], b.events[0]
