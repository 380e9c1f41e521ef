"""Many steps at once: who moves (the focused thread, chance, the schedule) and when to stop are independent.

Chance is a function of the seed and of the number of steps made, so the same session with the same seed always goes
the same way, also after stepping back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from threadproof.core.schedule import Move
from threadproof.core.thread_id import name, number
from threadproof.semantics.choices import at_random, step_with
from threadproof.semantics.outcome import Blocked
from threadproof.semantics.state import live_threads
from threadproof.simulate.session import Refusal, Session, advance

MAX_STEPS = 100_000
"""Steps of one command; it can be given again."""

Mover = Callable[[Session], Session | Refusal]
Goal = Callable[[Session], str]
"""After a step: why the run is over, or nothing."""


class Interrupt:
    """Set from outside (Ctrl-C) to end a long run after its current step."""

    def __init__(self) -> None:
        self.asked = False


def never(session: Session) -> str:
    return ""


def go(
    session: Session, mover: Mover, goal: Goal, limit: int = MAX_STEPS, interrupt: Interrupt | None = None
) -> Session | Refusal:
    """Step until the goal, the end, a question, a refusal or the limit; what stopped it is the session's answer."""
    first = session.here.count
    seen, power = session.state, 1  # Brent: a lone thread that comes back to a state stays in a circle
    for made in range(1, limit + 1):
        moved = mover(session)
        if isinstance(moved, str):
            return moved if session.here.count == first else _told(session, first, moved)
        session = moved
        if session.asking is not None:
            return _told(session, first, "")
        why = session.here.end or goal(session)
        if why:
            return _told(session, first, why)
        if mover is by_focus and session.state == seen:
            return _told(session, first, f"{name(session.focus)} goes round in circles: it waits for another thread")
        if made == power:
            seen, power = session.state, 2 * power
        if interrupt is not None and interrupt.asked:
            return _told(session, first, "interrupted")
    return _told(session, first, "as many as one command makes" if limit == MAX_STEPS else "")


def _told(session: Session, first: int, why: str) -> Session:
    made = session.here.count - first
    steps = f"{made} step{'' if made == 1 else 's'}" if made != 1 or why else ""
    return replace(session, said=": ".join(part for part in (steps, why) if part))


def by_focus(session: Session) -> Session | Refusal:
    return advance(session, Move(session.focus))


def by_schedule(session: Session) -> Session | Refusal:
    if not session.ahead:
        return "the schedule is at its end" + (f": {session.goal}" if session.goal else "")
    moved = advance(session, session.ahead[0])
    if isinstance(moved, str):
        return f"the schedule does not fit this program: {moved}"
    if moved.asking is not None:
        return f"the schedule does not fit this program: no answer for {moved.asking.choose.source}"
    return moved


def by_chance(session: Session) -> Session | Refusal:
    """Uniform over the threads that can move, then over the values tried for each choice."""
    if session.here.end:
        return advance(session, Move(session.focus))
    dice = Random(f"{session.seed}/{session.here.count}")
    threads = live_threads(session.state)
    dice.shuffle(threads)
    for mover in threads:
        answer = at_random(dice, session.world.constants, telling=1)
        move, outcome = step_with(session.world.machine, session.state, mover, answer)
        if not isinstance(outcome, Blocked):
            return advance(session, move)
    return "no thread can move"


def returned(session: Session) -> Goal:
    """The focused thread has left the function it is in now, or ended."""
    thread = session.focus
    depth = len(session.state.threads[number(thread)].frames)
    left = session.state.threads[number(thread)].frames[-1].function if depth else ""

    def done(later: Session) -> str:
        frames = len(later.state.threads[number(thread)].frames)
        if not frames:
            return f"{name(thread)} has finished"
        return f"{name(thread)} has returned from {left}" if frames < depth else ""

    return done
