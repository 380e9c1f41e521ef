"""TSO and PSO a second time, by axioms: no buffers, only an order in which stores reach memory and loads bind.

Paper: SPARC Architecture Manual V9, appendix D. A memory order is a total order of all events that keeps the program
order but for what the model lets go; a load sees, of the stores before it in memory order and those before it in its
own thread, the one that is last in memory order (the value axiom).
Differs: locks are drains whose sections exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.core.memory_model import MemoryModel
from threadproof.dev.programs.weak_programs import (
    Exchange,
    Op,
    Unlock,
    WeakFence,
    WeakLoad,
    WeakLock,
    WeakOrder,
    WeakProgram,
    WeakStore,
)

Event = tuple[int, int]
"""Thread and place in it."""
Outcome = tuple[int, ...]


def outcomes(program: WeakProgram, model: MemoryModel) -> dict[Outcome, tuple[Event, ...]]:
    """Every outcome, with a memory order that has it."""
    found: dict[Outcome, tuple[Event, ...]] = {}
    for order in memory_orders(program, model):
        found.setdefault(_outcome(program, order), order)
    return found


def drains(op: Op) -> bool:
    match op:
        case WeakStore() | WeakFence():
            return op.order is WeakOrder.SEQ_CST
        case Exchange() | WeakLock() | Unlock():
            return True
        case WeakLoad():
            return False


def memory_orders(program: WeakProgram, model: MemoryModel) -> Iterator[tuple[Event, ...]]:
    return _Orders(program, model).extend(())


@dataclass(frozen=True, slots=True)
class _Orders:
    program: WeakProgram
    model: MemoryModel

    def extend(self, order: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
        todo = [event for event in self._events() if event not in order]
        if not todo:
            yield order
        for event in todo:
            if not any(self._kept(before, event) for before in todo) and self._lock_is_free(event, order):
                yield from self.extend((*order, event))

    def _events(self) -> list[Event]:
        return [(thread, place) for thread, ops in enumerate(self.program.threads) for place in range(len(ops))]

    def _op(self, event: Event) -> Op:
        return self.program.threads[event[0]][event[1]]

    def _kept(self, first: Event, second: Event) -> bool:
        """Whether program order is memory order for these two. A weaker fence stands among the others like a load of
        nothing; what it says about stores is looked up where it stands between them."""
        if first[0] != second[0] or first[1] >= second[1]:
            return False
        a, b = self._op(first), self._op(second)
        if self.model is MemoryModel.SC or drains(a) or drains(b):
            return True
        if not isinstance(a, WeakStore):
            return True
        if not isinstance(b, WeakStore):
            return False
        if self.model is MemoryModel.TSO or a.variable == b.variable or b.order is WeakOrder.RELEASE:
            return True
        between = self.program.threads[first[0]][first[1] : second[1]]
        return any(isinstance(op, WeakFence) and op.order in (WeakOrder.RELEASE, WeakOrder.ACQ_REL) for op in between)

    def _lock_is_free(self, event: Event, order: tuple[Event, ...]) -> bool:
        held = sum(isinstance(self._op(e), WeakLock) - isinstance(self._op(e), Unlock) for e in order)
        return not (isinstance(self._op(event), WeakLock) and held)


def _outcome(program: WeakProgram, order: tuple[Event, ...]) -> Outcome:
    values: dict[str, int] = dict.fromkeys(program.variables, 0)
    for now, (thread, place) in enumerate(order):
        op = program.threads[thread][place]
        if isinstance(op, WeakLoad | Exchange):
            values[op.register] = _seen(program, order, now, op.variable)
    for thread, place in order:
        op = program.threads[thread][place]
        if isinstance(op, WeakStore | Exchange):
            values[op.variable] = op.value
    return program.outcome(values)


def _seen(program: WeakProgram, order: tuple[Event, ...], now: int, variable: str) -> int:
    """The value axiom."""
    thread, place = order[now]
    value = 0
    for when, (other, its_place) in enumerate(order):
        op = program.threads[other][its_place]
        own = other == thread and its_place < place
        if isinstance(op, WeakStore | Exchange) and op.variable == variable and (when < now or own):
            value = op.value
    return value
