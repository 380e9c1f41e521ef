"""Deadlocks of an unwound program: the program does not end, at least one thread is blocked, and every blocked thread
waits for something that never comes.

Elsewhere a thread may stop anywhere. Here it goes on until it ends or waits for something that is not there at the end:
a mutex that is never given up, a thread that does not end, words of another object that nobody changes afterwards.
"""

from __future__ import annotations

from threadproof.engines.bmc.order.exclusion import section_ends
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.events import EventRole
from threadproof.engines.bmc.unwinding.world import BlockedWait, Unwound
from threadproof.smt.term import Term


def deadlock(formula: Formula) -> Term:
    world, terms = formula.world, formula.world.terms
    running = [terms.all(end.guard) for end in world.ends]
    somebody = terms.any(_stuck(world, wait) for wait in world.waits)
    in_vain = [terms.implies(_stuck(world, wait), _vain(formula, wait)) for wait in world.waits]
    return terms.all((somebody, *(terms.not_(t) for t in (*world.halts, *running)), *in_vain))


def _stuck(world: Unwound, wait: BlockedWait) -> Term:
    return world.terms.and_(wait.reached, world.terms.not_(wait.done))


def _vain(formula: Formula, wait: BlockedWait) -> Term:
    world, terms = formula.world, formula.world.terms
    if wait.child is not None:
        return terms.not_(terms.all(wait.child.end)) if wait.child.end is not None else terms.true
    if wait.event.kind is EventRole.LOCK:
        return terms.any(_kept(world, wait, thread) for thread in world.threads)
    return terms.all(_last(formula, wait))


def _kept(world: Unwound, wait: BlockedWait, thread: int) -> Term:
    """Whether the thread has taken the mutex and not given it up."""
    terms, held = world.terms, list[Term]()
    events = [e for e in world.threads[thread].events if e.mutex == wait.event.mutex]
    for lock in events:
        if lock.kind is EventRole.LOCK and lock is not wait.event:
            ended = terms.any(terms.all(end.guard) for end in section_ends(lock, events))
            held.append(terms.and_(terms.all(lock.guard), terms.not_(ended)))
    return terms.any(held)


def _last(formula: Formula, wait: BlockedWait) -> list[Term]:
    """Nobody writes the words it looked at afterwards."""
    terms = formula.world.terms
    cells = {part.cell for part in wait.event.reads}
    return [
        terms.implies(terms.all((*event.guard, part.when)), formula.order.before(event, wait.event))
        for thread in formula.world.threads.values()
        for event in thread.events
        for part in event.writes
        if part.cell in cells and event is not wait.event and event.thread != wait.event.thread
    ]
