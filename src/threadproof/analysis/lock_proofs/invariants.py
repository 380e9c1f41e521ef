"""Values under a lock: what a variable can be whenever nobody holds the lock under which it is written.

Paper: protection-based reading in M. Schwarz et al., Improving Thread-Modular Abstract Interpretation, SAS 2021.
Differs: small sets of values, one lock per variable at a time, and branches that the values exclude are not reachable:
what is written there does not count.
The least solution is computed: it begins with the first value of each variable, assumes that every write is made under
the lock, and adds what is in the variable where the lock is given back. Whatever was reachable in the end then decides
whether every write was indeed made under the lock, and the lock excludes; else the variable is given up, and the rest
computed again.
Invariants: an execution cannot leave the solution: the first step to do so would be one the last analysis has seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.analysis.abstract_threads.flow import Point, released
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts, analyse_with
from threadproof.analysis.abstract_threads.thread_state import (
    MOST_VALUES,
    GuardedCell,
    HeldLock,
    Invariant,
    Knowledge,
    Watched,
)
from threadproof.analysis.lock_proofs.lock_discipline import LockDiscipline
from threadproof.analysis.lock_proofs.writes import Write, Writes
from threadproof.analysis.points_to import ObjectKind, Place
from threadproof.core.budget import Budget
from threadproof.ir.instr import CompareExchange, Rmw, Store, Sync
from threadproof.sync.facts import LockMode

ROUNDS = 20
MOST_CANDIDATES = 40

Invariants = dict[GuardedCell, Invariant]


def with_invariants(facts: ThreadFacts, words: dict[Place, Watched], budget: Budget) -> tuple[ThreadFacts, Invariants]:
    """The facts, sharper by what the values exclude; `words` are locks made by hand, which guard nothing here."""
    candidates = _candidates(Writes(facts), words)
    while candidates:
        solved = _solved(facts, words, candidates, budget)
        if solved is None:
            break
        found, values = solved
        kept = _proper(found, values)
        if kept == set(values):
            return (found, values) if values else (facts, {})
        candidates = {guarded: one for guarded, one in candidates.items() if guarded in kept}
    return facts, {}


def _candidates(writes: Writes, words: dict[Place, Watched]) -> Invariants:
    found: Invariants = {}
    for cell, size, here in writes.cells():
        first = writes.first_value(cell, size)
        if first is None or any(isinstance(write.point.instr, Sync) for write in here):
            continue
        locks = {
            lock for write in here for lock in _held(write) if lock.root.kind is ObjectKind.GLOBAL and lock not in words
        }
        for lock in sorted(locks, key=repr):
            found[GuardedCell(cell, lock)] = Invariant(size, frozenset({first}))
    return found if len(found) <= MOST_CANDIDATES else {}


def _held(write: Write) -> frozenset[Place]:
    return frozenset(
        lock.address
        for lock in write.point.before.locks
        if isinstance(lock.address, Place) and lock.mode is LockMode.EXCLUSIVE
    )


def _solved(
    facts: ThreadFacts, words: dict[Place, Watched], values: Invariants, budget: Budget
) -> tuple[ThreadFacts, Invariants] | None:
    for _ in range(ROUNDS):
        if budget.exhausted() is not None:
            break
        found = analyse_with(facts.tree, facts.memory, Knowledge(words, {}, values))
        more = _given_back(found, values)
        if more == values:
            return found, values
        values = more
    return None


def _given_back(facts: ThreadFacts, values: Invariants) -> Invariants:
    """With what is in the variables wherever their locks are given back; without those of which it is not known."""
    found = dict(values)
    for name, points in facts.points.items():
        for point in points:
            for guarded in _released(facts, name, point, values):
                now = next((c.values for c in point.before.contents if c.guarded == guarded), None)
                one = found.get(guarded)
                if one is not None and (now is None or len(one.values | now) > MOST_VALUES):
                    del found[guarded]
                elif one is not None and now is not None:
                    found[guarded] = Invariant(one.size, one.values | now)
    return found


def _released(facts: ThreadFacts, name: str, point: Point, values: Invariants) -> Iterator[GuardedCell]:
    """The variables whose lock may be given back here."""
    instr, memory = point.instr, facts.memory
    lock = released(instr)
    match instr:
        case Sync() if lock is not None:
            places = memory.places(name, lock)
            yield from (guarded for guarded in values if memory.may_be(name, guarded.lock, places))
        case Store() | Rmw() | CompareExchange():
            places = memory.places(name, instr.address)
            yield from (guarded for guarded in values if memory.may_free(name, guarded.lock, places, instr.size))
        case _:
            pass


def _proper(facts: ThreadFacts, values: Invariants) -> set[GuardedCell]:
    """Those whose every write is made under the lock, and whose lock excludes."""
    writes, discipline = Writes(facts), LockDiscipline(facts)
    cells = {(cell, size): here for cell, size, here in writes.cells()}
    main = next(iter(facts.tree.threads))
    return {
        guarded
        for guarded, one in values.items()
        if discipline.excludes(main, HeldLock(guarded.lock, LockMode.EXCLUSIVE, None))
        and all(guarded.lock in _held(write) for write in cells.get((guarded.cell, one.size), ()))
    }
