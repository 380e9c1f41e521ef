"""Numbers drawn from a counter: what a thread drew, nobody else has.

A counter is a variable that is only ever increased, by a constant, from the value just read, and stays below a bound:
under a lock (or in an atomic block), after a test. The value read is then the thread's own, with the numbers up to the
increased one, and so is the part of an array it is the index of, or that a loop runs through from it on. Main may set
the counter while no other thread exists, if it draws no numbers itself: all threads that exist at once drew later.
Invariants: a counter's values stay between its first one and the largest bound plus step, far from where they would
wrap; two draws of different threads differ by at least the smaller step.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from threadproof.analysis.abstract_threads.accesses import ThreadAccess
from threadproof.analysis.abstract_threads.instances import is_common
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import Role, ThreadState, Ticket, Watched
from threadproof.analysis.lock_proofs.writes import Write, Writes
from threadproof.analysis.points_to import Place
from threadproof.analysis.values.symbolic import Sum, tell_apart
from threadproof.ir.expr import Binary, BinaryOp, CompareOp, Const, Convert, Expr, Reg

LARGEST = 1 << 30


def increment(value: Expr | None) -> tuple[str, int] | None:
    """`register + constant`, the constant positive."""
    match value:
        case Binary(op=BinaryOp.ADD, left=Reg(name=name), right=Const(value=step)) if 0 < step < 1 << 16:
            return name, step
        case _:
            return None


def candidate_counters(writes: Writes) -> dict[Place, Watched]:
    found: dict[Place, Watched] = {}
    for place, size, here in writes.cells():
        first, draws = writes.first_value(place, size), _draws(here)
        if first is not None and first < LARGEST and draws and all(increment(w.value) is not None for w in draws):
            found[place] = Watched(Role.COUNTER, place, size, first, frozenset(), writes.guards(draws), None)
    return found


def _draws(here: list[Write]) -> list[Write]:
    """All writes but those with which main, alone and drawing no numbers itself, sets the counter."""
    setting = [w for w in here if w.flow.name == w.flow.tree.main]
    if all(_is_number(w.value) and not w.point.before.running for w in setting):
        return [w for w in here if w not in setting]
    return here


def _is_number(value: Expr | None) -> bool:
    return isinstance(value, Const) and value.value < LARGEST


def kept_counters(facts: ThreadFacts, counters: dict[Place, Watched]) -> dict[Place, Watched]:
    """Those whose every write adds to the value just read, and below a bound."""
    cells = {place: here for place, _, here in Writes(facts).cells()}
    return {
        place: one for place, one in counters.items() if all(_is_draw(w, place) for w in _draws(cells.get(place, [])))
    }


def _is_draw(write: Write, place: Place) -> bool:
    added = increment(write.value)
    if added is None:
        return False
    before = write.point.before
    now = registers_with(before, place)
    room = min(LARGEST, 1 << (8 * write.size - 1))
    return added[0] in now and any(b.register in now and b.limit + added[1] < room for b in before.bounds)


def registers_with(state: ThreadState, place: Place) -> frozenset[str]:
    """Registers that have the counter's value now."""
    return frozenset(one.register for one in state.current if one.flag == place)


def drawn_apart(a: ThreadAccess, b: ThreadAccess) -> bool:
    """Whether the accesses, by different threads, are to parts of an array that each drew for itself."""
    for mine in a.tickets:
        for other in b.tickets:
            if mine.counter != other.counter:
                continue
            parts = _part(a, mine), _part(b, other)
            if None not in parts and parts[0] == parts[1]:
                return True
            ours, theirs = _through(a.address, mine.register), _through(b.address, other.register)
            if ours is not None and theirs is not None and ours[:2] == theirs[:2]:
                gap = ours[0] * min(mine.step, other.step)
                if tell_apart(gap, abs(ours[2] - theirs[2]) + max(a.size, b.size)):
                    return True
    return False


class _Part(NamedTuple):
    """Elements from the number that was drawn up to the next one to be drawn."""

    factor: int
    rest: Sum  # the same for all threads


def _part(access: ThreadAccess, ticket: Ticket) -> _Part | None:
    """Where a loop runs from the number (or a bit more) to a number before the next one."""
    span = access.span
    if span is None or span.order is not CompareOp.SLT or not all(is_common(one) for one, _ in span.rest.terms):
        return None
    same = {one.register for one in access.tickets if one.draw == ticket.draw and one.counter == ticket.counter}
    low, below = (_moved_from(end, same) for end in (span.low, span.below))
    if low is None or below is None or below > ticket.step or not tell_apart(span.factor, access.size):
        return None
    return _Part(span.factor, span.rest)


def _moved_from(end: Expr, registers: Collection[str]) -> int | None:
    return next((moved for one in registers if (moved := _moved(end, one)) is not None), None)


def _through(address: Sum, register: str) -> tuple[int, tuple[tuple[Expr, int], ...], int] | None:
    """The address as factor * ticket + something all threads share + a constant."""
    found: list[tuple[int, int]] = []
    rest: list[tuple[Expr, int]] = []
    for symbol, times in address.terms:
        moved = _moved(symbol, register)
        if moved is not None:
            found.append((times, moved))
        elif is_common(symbol):
            rest.append((symbol, times))
        else:
            return None
    if len(found) != 1 or found[0][0] <= 0:
        return None
    factor, moved = found[0]
    return factor, tuple(rest), address.constant + factor * moved


def _moved(symbol: Expr, register: str) -> int | None:
    """How far the symbol is from the ticket: tickets are small, so nothing wraps."""
    if isinstance(symbol, Convert) and symbol.width >= symbol.operand.width:
        symbol = symbol.operand
    match symbol:
        case Reg(name=name) if name == register:
            return 0
        case Binary(op=BinaryOp.ADD, left=Reg(name=name), right=Const(value=by)) if name == register and by < 1 << 16:
            return by
        case _:
            return None
