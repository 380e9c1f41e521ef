"""The lost update of the examples as a trace by hand."""

from __future__ import annotations

from threadproof.core.schedule import Move
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import MAIN, ThreadId
from threadproof.core.trace import Event, EventKind, Trace, TraceStep

FILE = "lost.c"
T1: ThreadId = (0,)
T2: ThreadId = (1,)


def step(thread: ThreadId, line: int, *events: tuple[EventKind, str]) -> TraceStep:
    loc = SourceLoc(FILE, line)
    return TraceStep(thread, loc, "f", tuple(Event(kind, text, loc) for kind, text in events))


def trace_of(*steps: TraceStep) -> Trace:
    schedule = tuple(Move(one.thread) for one in steps)
    return Trace(schedule, steps, "assertion failed: n == 2", steps[-1].loc)


def lost_update() -> Trace:
    return trace_of(
        step(MAIN, 10, (EventKind.SYNC, "creates T1")),
        step(MAIN, 10, (EventKind.SYNC, "creates T2")),
        step(T1, 4, (EventKind.READ, "reads n = 0")),
        step(T2, 4, (EventKind.READ, "reads n = 0")),
        step(T2, 5, (EventKind.WRITE, "n = 1")),
        step(T1, 5, (EventKind.WRITE, "n = 1")),
        step(MAIN, 13, (EventKind.READ, "reads n = 1"), (EventKind.END, "assertion failed: n == 2")),
    )
