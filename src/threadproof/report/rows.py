"""The rows of a counterexample: what one thread did on one source line without interruption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.core.trace import Event, EventKind, TraceStep

HEAD_EVENTS, TAIL_EVENTS = 12, 12


@dataclass(frozen=True, slots=True)
class TableRow:
    """Steps are numbered from 1, as the schedule counts them."""

    thread: ThreadId
    loc: SourceLoc
    function: str
    first: int
    last: int
    events: tuple[Event, ...]

    @property
    def number(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def merge(steps: Sequence[TraceStep]) -> Iterator[TableRow]:
    """A step is cut where its events change the line, neighbours of one thread on one line are joined."""
    pending: TableRow | None = None
    events: list[Event] = []
    for index, step in enumerate(steps, 1):
        for loc, told in _pieces(step):
            row = TableRow(step.thread, loc, step.function, index, index, ())
            if pending is not None and _same_place(pending, row):
                pending = replace(pending, last=index)
                events += told
                continue
            if pending is not None:
                yield replace(pending, events=_shown(events))
            pending, events = row, list(told)
    if pending is not None:
        yield replace(pending, events=_shown(events))


def _shown(events: list[Event]) -> tuple[Event, ...]:
    """The middle of a long row is left out: a loop that creates ten thousand threads is one row."""
    left_out = len(events) - HEAD_EVENTS - TAIL_EVENTS
    if left_out <= 1:
        return tuple(events)
    note = Event(EventKind.NOTE, f"({left_out:,} more events)", events[HEAD_EVENTS].loc)
    return (*events[:HEAD_EVENTS], note, *events[-TAIL_EVENTS:])


def _pieces(step: TraceStep) -> Iterator[tuple[SourceLoc, tuple[Event, ...]]]:
    """A visible step may run over several lines: each with its own events, in order."""
    loc, events = step.loc, list[Event]()
    for event in step.events:
        here = event.loc if event.loc.line else loc
        if (here.file, here.line) != (loc.file, loc.line):
            if events:
                yield loc, tuple(events)
            loc, events = here, []
        events.append(event)
    yield loc, tuple(events)


def _same_place(row: TableRow, following: TableRow) -> bool:
    here, there = row.loc, following.loc
    return row.thread == following.thread and (here.file, here.line) == (there.file, there.line)
